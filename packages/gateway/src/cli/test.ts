/** `pawl test`: calls with the verdicts that a policy has to give them. */
import { readFileSync } from 'node:fs';
import { Counter, canonicalJson, systemClock } from '@pawl/core';
import { compileRead, readPolicy } from '../config/index.js';
import { toolsOption } from './catalog-option.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type Terminal,
  exit,
  need,
} from './command.js';
import { executorDefaults } from './executor-default.js';
import { type JudgeContext, type JudgedLine, judgeLine } from './judge.js';
import { visible } from './layout.js';
import { tellBadPolicy } from './problem.js';
import { type Expectation, type PolicyCase, caseOf, meets } from './test-case.js';

/** The command. */
export const testCommand: Command = {
  name: 'test',
  summary: 'Tests a policy: calls from files, each with the verdict that it has to get.',
  usage: 'test CASES.jsonl … --policy P [--tools DIR] [--agent A] [--instance I] [--assume-consent] [--json]',
  example: 'pawl test examples/quickstart/cases.jsonl --policy examples/quickstart/pawl.yaml',
  options: {
    policy: { type: 'string', help: 'the policy document' },
    tools: { type: 'string', help: 'folder with one <server>.json a server: a tools/list answer' },
    agent: { type: 'string', help: 'agent of cases that name none' },
    instance: { type: 'string', help: 'instance of cases that name none' },
    'assume-consent': {
      type: 'boolean',
      help: 'ask becomes permit; a case may say so itself: assumeConsent',
    },
    json: { type: 'boolean', help: 'one JSON object: passed, failed, and every case' },
  },
  run: test,
};

/** A case with its place. */
interface PlacedCase extends PolicyCase {
  readonly file: string;
  readonly place: number;
  /** Counts over the cases of its file. */
  readonly limits: Counter;
}

/** A case that was judged. */
interface Tested extends PlacedCase, JudgedLine {
  readonly passed: boolean;
}

async function test(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const policyFile = need(input, 'policy');
  if (input.words.length === 0) throw new Misuse('CASES.jsonl is missing');
  const tools = toolsOption(input, terminal);
  if (tools === 'bad') return exit.invalid;
  const read = readPolicy(policyFile);
  if (!read.ok) return tellBadPolicy(read, json, terminal);
  const loaded = compileRead(read.policy, { tools, vanishedTool: 'problem' });
  if (!loaded.ok) return tellBadPolicy(loaded, json, terminal);
  // All cases are judged on one day.
  const now = systemClock.wall();
  const cases: PlacedCase[] = [];
  for (const file of input.words) {
    const found = casesIn(file, now);
    if (typeof found === 'string') {
      terminal.err(`${found}\n`);
      return exit.invalid;
    }
    cases.push(...found);
  }
  const { policy } = loaded;
  const base = { policy, assumeConsent: input.flag('assume-consent'), ...executorDefaults(input, policy) };
  const tested = judged(base, cases);
  terminal.out(json ? `${JSON.stringify(report(tested))}\n` : text(tested));
  return tested.every(({ passed }) => passed) ? exit.ok : exit.negative;
}

/** The cases of a file, or what is wrong with it. */
function casesIn(file: string, now: number): readonly PlacedCase[] | string {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    return `${file}: cannot be read`;
  }
  const cases: PlacedCase[] = [];
  const limits = new Counter({ clock: { wall: () => now } });
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const one = caseOf(line, index + 1);
    if (typeof one === 'string') return `${file}:${index + 1}:1: ${one}`;
    cases.push({ ...one, file, place: index + 1, limits });
  }
  return cases.length === 0 ? `${file}: found no case; allowed here: one JSON object a line` : cases;
}

function judged(base: Omit<JudgeContext, 'limits'>, cases: readonly PlacedCase[]): readonly Tested[] {
  return cases.map((one) => {
    const assumeConsent = one.assumeConsent ?? base.assumeConsent;
    const line = judgeLine({ ...base, limits: one.limits, assumeConsent }, one.line);
    return { ...one, ...line, passed: meets(one.expect, line) };
  });
}

function text(tested: readonly Tested[]): string {
  const failures = tested.filter(({ passed }) => !passed);
  const lines = failures.map(failureLine);
  return `${[...lines, `${tested.length - failures.length} passed, ${failures.length} failed`].join('\n')}\n`;
}

function failureLine({ file, place, line, expect, verdict, rules }: Tested): string {
  const { message, rule } = verdict;
  const by = rule === undefined ? rules : [rule];
  const why = [
    ...(by.length === 0 ? [] : [`by ${by.join(', ')}`]),
    ...(message === undefined ? [] : [message]),
  ];
  const came = factsText(expect, [verdict.decision], verdict);
  const id = typeof line.id === 'string' ? line.id : canonicalJson(line.id);
  return visible(
    `${file}:${place}: ${id}: expected ${factsText(expect, expect.decisions, expect)}, got ${came}${why.length === 0 ? '' : ` (${why.join(': ')})`}`,
    1000,
  );
}

/** Code, layer and constraint are always told where they are there; arguments and fills only where they are compared. */
function factsText(
  expect: Expectation,
  decisions: readonly string[],
  facts: Omit<Expectation, 'decisions'>,
): string {
  const { code, layer, constraint, args, filled = [] } = facts;
  return [
    decisions.join(' or '),
    ...[code, layer, constraint].filter((word) => word !== undefined),
    ...(expect.args === undefined ? [] : [`args ${args === undefined ? 'none' : canonicalJson(args)}`]),
    ...(expect.filled === undefined ? [] : [`filled ${filled.length === 0 ? 'nothing' : filled.join(', ')}`]),
  ].join(' ');
}

function report(tested: readonly Tested[]): unknown {
  const passed = tested.filter((each) => each.passed).length;
  return {
    passed,
    failed: tested.length - passed,
    cases: tested.map(({ file, place, line, expect, verdict, rules, passed: ok }) => ({
      file,
      line: place,
      id: line.id,
      passed: ok,
      expect: expectView(expect),
      got: { ...verdict, ...(rules.length === 0 ? {} : { rules }) },
    })),
  };
}

function expectView({ decisions, ...rest }: Expectation): unknown {
  const [only, second] = decisions;
  return { ...(second === undefined ? { decision: only } : { decision_in: decisions }), ...rest };
}
