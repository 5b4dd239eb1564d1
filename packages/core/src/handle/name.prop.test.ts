import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ToolName, parseToolName } from '../ground/index.js';
import { NameBook, readableName } from './name.js';

const server = fc.oneof(
  fc.stringMatching(/^[a-c][a-c-]{0,2}$/u),
  fc.stringMatching(/^[a-c]-{39,41}[a-c]{0,2}$/u),
);
const tool = fc.oneof(fc.stringMatching(/^[ab_./-]{1,5}$/u), fc.stringMatching(/^[ab._]{36,60}$/u));
const name = fc.tuple(server, tool).map((parts) => parseToolName(parts.join('/'))!);

/** Tools, some of which are called what the name of another one would be. */
const tools = fc.array(name, { minLength: 1, maxLength: 30 }).chain((some) =>
  fc.subarray(some).map((copied) => {
    const squatters = copied.map((each) => parseToolName(readableName(each).replace('__', '/')));
    return [...new Set([...some, ...squatters.filter((each) => each !== undefined)])];
  }),
);

function namesOf(all: readonly ToolName[]): readonly string[] {
  const book = new NameBook();
  book.enter(all);
  return all.map((each) => book.nameOf(each)!);
}

test('[P.names.readable] names of one session are all different, at most 48 characters, and of letters, digits, _ and -', () => {
  fc.assert(
    fc.property(tools, (all) => {
      const names = namesOf(all);
      expect(new Set(names).size).toBe(all.length);
      for (const each of names) expect(each).toMatch(/^[A-Za-z0-9_-]{1,48}$/u);
    }),
  );
});

test('names depend on the set of tools and not on its order', () => {
  fc.assert(
    fc.property(tools, fc.infiniteStream(fc.nat()), (all, order) => {
      const shuffled = all
        .map((each) => ({ each, rank: order.next().value }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ each }) => each);
      const byTool = new Map(shuffled.map((each, at) => [each, namesOf(shuffled)[at]]));
      expect(all.map((each) => byTool.get(each))).toEqual(namesOf(all));
    }),
  );
});

test('a name stays with its tool whatever comes later', () => {
  fc.assert(
    fc.property(tools, tools, (before, after) => {
      const book = new NameBook();
      book.enter(before);
      const names = before.map((each) => book.nameOf(each));
      book.enter(after);
      expect(before.map((each) => book.nameOf(each))).toEqual(names);
      const all = [...new Set([...before, ...after])];
      expect(new Set(all.map((each) => book.nameOf(each))).size).toBe(all.length);
    }),
  );
});
