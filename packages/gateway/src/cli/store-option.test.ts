import { describe, expect, test } from 'vitest';
import { Misuse, readInput } from './command.js';
import { type StorePlace, type Surroundings, storeOptions, storePlace } from './store-option.js';

function place(argv: readonly string[], env: Surroundings['env'] = {}, policy?: string): StorePlace {
  return storePlace(readInput(storeOptions, argv), policy, { env, cwd: () => '/home/op' });
}

describe('the place of the store', () => {
  test('is --store before anything else', () => {
    const argv = ['--store', 'there', '--policy', '/etc/pawl/pawl.yaml'];
    expect(place(argv, { PAWL_STORE: '/var/pawl' })).toEqual({ folder: '/home/op/there', named: true });
    expect(place(['--store', '/abs'])).toEqual({ folder: '/abs', named: true });
  });

  test('is $PAWL_STORE where there is no --store, unless it is empty', () => {
    const argv = ['--policy', '/etc/pawl/pawl.yaml'];
    expect(place(argv, { PAWL_STORE: 'var' })).toEqual({ folder: '/home/op/var', named: true });
    expect(place(argv, { PAWL_STORE: '' })).toEqual({ folder: '/etc/pawl/.pawl', named: true });
  });

  test('is .pawl beside the policy, given as an option or by the command', () => {
    expect(place(['--policy', 'a/pawl.yaml'])).toEqual({ folder: '/home/op/a/.pawl', named: true });
    expect(place([], {}, 'b/pawl.yaml')).toEqual({ folder: '/home/op/b/.pawl', named: true });
  });

  test('is .pawl in the current folder when nobody named anything, and says that this is a guess', () => {
    expect(place([])).toEqual({ folder: '/home/op/.pawl', named: false });
  });

  test('is no empty text', () => {
    expect(() => place(['--store', ''])).toThrow(Misuse);
  });
});
