import { describe, expect, test } from 'vitest';
import { fakeTool } from '../../../../test/fake-policy.js';
import { parseServerName, sha256 } from '../ground/index.js';
import { spawn } from '../vat/index.js';
import { type Entry, Registry } from './registry.js';

function entry(tool: string, definition = 'v1'): Entry {
  const ref = spawn({ parallel: 1, turn: () => tool });
  return { tool: fakeTool(tool), ref, definition: { description: definition }, digest: sha256(definition) };
}

const files = parseServerName('files')!;

describe('[S001.mount-atomic] a registry', () => {
  test('replaces its table and never changes one that somebody reads', () => {
    const registry = new Registry();
    const empty = registry.table();
    registry.mount([entry('files/a'), entry('files/b')]);
    const both = registry.table();
    registry.unmount([fakeTool('files/a')]);
    expect([empty.size, both.size, registry.table().size]).toEqual([0, 2, 1]);
  });

  test('mounts all or none', () => {
    const registry = new Registry();
    registry.mount([entry('files/a')]);
    const before = registry.table();
    expect(() => registry.mount([entry('files/b'), entry('files/a')])).toThrow('files/a is mounted twice');
    expect(() => registry.mount([entry('files/c'), entry('files/c')])).toThrow('files/c is mounted twice');
    expect(registry.table()).toBe(before);
  });

  test('shows listeners the whole of a step, and nobody half of it', () => {
    const registry = new Registry();
    const seen: (readonly string[])[] = [];
    const end = registry.onChange(() => seen.push([...registry.table().keys()]));
    registry.mount([entry('files/a'), entry('web/x')]);
    registry.refresh(files, [entry('files/b'), entry('files/c')]);
    end();
    registry.unmount([fakeTool('files/b')]);
    expect(seen).toEqual([
      ['files/a', 'web/x'],
      ['web/x', 'files/b', 'files/c'],
    ]);
  });

  test('refuses a refresh with a tool of another server or one twice, and changes nothing', () => {
    const registry = new Registry();
    registry.mount([entry('files/a')]);
    const before = registry.table();
    expect(() => registry.refresh(files, [entry('files/b'), entry('web/x')])).toThrow('web/x');
    expect(() => registry.refresh(files, [entry('files/b'), entry('files/b')])).toThrow('files/b');
    expect(registry.table()).toBe(before);
  });

  test('keeps the table when a step changes nothing', () => {
    const registry = new Registry();
    const same = entry('files/a');
    registry.mount([same]);
    const before = registry.table();
    let changes = 0;
    registry.onChange(() => {
      changes += 1;
    });
    registry.unmount([fakeTool('files/z')]);
    registry.refresh(files, [same]);
    registry.mount([]);
    expect(registry.table()).toBe(before);
    expect(changes).toBe(0);
  });
});

describe('the serial of a mount', () => {
  const serialOf = (registry: Registry): number | undefined =>
    registry.table().get(fakeTool('files/a'))?.serial;

  test('stays when a refresh brings another actor for the same definition', () => {
    const registry = new Registry();
    registry.mount([entry('files/a')]);
    const before = serialOf(registry);
    const again = entry('files/a');
    registry.refresh(files, [again]);
    expect(serialOf(registry)).toBe(before);
    expect(registry.table().get(again.tool)?.ref).toBe(again.ref);
  });

  test('changes with the definition, and when the tool was unmounted in between', () => {
    const registry = new Registry();
    registry.mount([entry('files/a')]);
    const serials = [serialOf(registry)];
    registry.refresh(files, [entry('files/a', 'v2')]);
    serials.push(serialOf(registry));
    registry.unmount([fakeTool('files/a')]);
    registry.mount([entry('files/a', 'v2')]);
    serials.push(serialOf(registry));
    expect(new Set(serials).size).toBe(3);
  });
});
