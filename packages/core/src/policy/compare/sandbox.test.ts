import { describe, expect, test } from 'vitest';
import type { SandboxSource } from '../document.js';
import { isNoWider } from './sandbox.js';

function sandbox(read: string[], write: string[], hosts: string[] = []): SandboxSource {
  return { read, write, network: hosts.length === 0 ? 'none' : { hosts } };
}

describe('a sandbox', () => {
  const old = sandbox(['/data', 'docs'], ['/data/out'], ['*.api.example', '10.0.0.0/8']);
  test.each([
    ['the same', sandbox(['docs', '/data/'], ['/data/out'], ['10.0.0.0/8', '*.api.example'])],
    ['fewer folders', sandbox(['/data'], [])],
    ['folders inside', sandbox(['/data/a/../b', './docs/x'], ['/data/out/x'])],
    ['to read what could be changed', sandbox(['/data/out'], [])],
    ['fewer hosts', sandbox(['/data'], [], ['a.api.example', '10.1.0.0/16'])],
    ['no network', sandbox(['/data'], ['/data/out'])],
  ])('lets reach no more: %s', (_, next) => expect(isNoWider(old, next)).toBe(true));

  test.each([
    ['another folder', sandbox(['/etc'], [])],
    ['the folder above', sandbox(['/'], [])],
    ['a sibling whose name begins so', sandbox(['/database'], [])],
    ['a folder above by ..', sandbox(['/data/../etc'], [])],
    ['a relative path above', sandbox(['docs/..'], [])],
    ['to change what could be read', sandbox([], ['/data'])],
    ['a relative path for an absolute one', sandbox(['data'], [])],
    ['another host', sandbox([], [], ['other.example'])],
    ['more labels', sandbox([], [], ['**.api.example'])],
    ['a wider block', sandbox([], [], ['10.0.0.0/7'])],
    ['none at all', undefined],
  ])('lets reach more: %s', (_, next) => expect(isNoWider(old, next)).toBe(false));

  test('is no wider than none', () => expect(isNoWider(undefined, old)).toBe(true));
  test('without network is narrower than one with', () => {
    expect(isNoWider(sandbox([], []), sandbox([], [], ['a.example']))).toBe(false);
  });
});
