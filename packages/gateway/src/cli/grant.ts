/** `pawl grant suggest`: the allow list that recorded calls would have needed. */
import { type AgentName, parseAgentName, systemClock } from '@pawl/core';
import type { LoadedPolicy } from '../config/index.js';
import { type Answer, no, yes } from '../control/index.js';
import { type Suggestion, ruleJson, ruleLines, suggest, withAllow } from '../review/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { allEvidence, storedGeneration } from './evidence.js';
import { counted, visible } from './layout.js';
import { tellProblem } from './operate.js';
import { compileSource, sourceOptions } from './source.js';
import { type StorePlace, storeOptions, storePlace } from './store-option.js';

/** The command. */
export const grantCommand: Command = {
  name: 'grant',
  summary: 'Suggests an allow list from the calls that the audit log holds.',
  usage:
    'grant suggest [--agent A] [--since TIME] [--refused] [--document] [--store DIR | --policy P] [--json]',
  example: 'pawl grant suggest --policy examples/quickstart/pawl.yaml --agent reporter --since 7d',
  options: {
    agent: { type: 'string', help: 'only this agent; every agent with calls unless told' },
    since: {
      type: 'string',
      help: 'only calls since then: 30min, 12h, 7d, or a time as 2026-11-30T12:00:00Z',
    },
    refused: {
      type: 'boolean',
      help: 'also calls that no rule allowed; what a denial or a ceiling refused never',
    },
    document: { type: 'boolean', help: 'the whole policy in force, as JSON, with these allow lists in it' },
    ...storeOptions,
    json: { type: 'boolean', help: 'one JSON object: agents, each with allow, calls and what was left out' },
  },
  run: grant,
};

async function grant(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [act, more] = input.words;
  if (act !== 'suggest' || more !== undefined) throw new Misuse('say what to do: suggest');
  const json = input.flag('json');
  const answer = await suggested(storePlace(input), {
    agent: agentIn(input),
    since: sinceIn(input.text('since'), systemClock.wall()),
    refused: input.flag('refused'),
  });
  if (!answer.ok) return tellProblem('grant suggest', answer.error, json, terminal);
  const { loaded, number, suggestions } = answer.value;
  if (json) terminal.out(`${JSON.stringify(view(suggestions))}\n`);
  else if (input.flag('document')) terminal.out(documentText(loaded, suggestions));
  else terminal.out(listText(number, suggestions));
  return exit.ok;
}

function agentIn(input: CommandInput): AgentName | undefined {
  const text = input.text('agent');
  const name = text === undefined ? undefined : parseAgentName(text);
  if (text !== undefined && name === undefined) throw new Misuse('--agent is no name of an agent');
  return name;
}

const units = { min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Unix milliseconds from which on calls count. */
function sinceIn(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const span = /^(?<count>\d{1,6})(?<unit>min|h|d)$/u.exec(text)?.groups;
  const unit = Object.entries(units).find(([name]) => name === span?.['unit'])?.[1];
  if (span !== undefined && unit !== undefined) return now - Number(span['count']) * unit;
  const time = /^\d{4}-\d{2}-\d{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Misuse('--since is no span, as 12h, and no time, as 2026-11-30T12:00:00Z');
  return time;
}

interface Wanted {
  readonly agent: AgentName | undefined;
  readonly since: number;
  readonly refused: boolean;
}

interface Suggested {
  readonly loaded: LoadedPolicy;
  readonly number: number;
  readonly suggestions: readonly Suggestion[];
}

async function suggested(place: StorePlace, { agent, since, refused }: Wanted): Promise<Answer<Suggested>> {
  const inForce = await storedGeneration(place);
  if (!inForce.ok) return inForce;
  const { number, source } = inForce.value;
  const loaded = compileSource(`generation ${number}`, source);
  if (!loaded.ok)
    return no('refused', `generation ${number} is of another version of Pawl and cannot be read`);
  if (agent !== undefined && !loaded.policy.agents.has(agent))
    return no(
      'refused',
      `generation ${number} has no agent ${agent}; it has ${[...loaded.policy.agents.keys()].join(', ')}`,
    );
  const records = await allEvidence(
    place,
    ({ at, record, arguments: args }) =>
      at >= since && args !== undefined && (record.type === 'intent' || record.type === 'refusal'),
  );
  if (!records.ok) return records;
  const suggestions = suggest({
    loaded,
    compile: sourceOptions(source),
    records: records.value,
    refused,
    ...(agent === undefined ? {} : { agent }),
  });
  return suggestions.length === 0 ? no('refused', nothing) : yes({ loaded, number, suggestions });
}

const nothing =
  'the audit log holds no such call with its arguments; audit.arguments: authority keeps them, and --refused takes in what no rule allowed';

function view(suggestions: readonly Suggestion[]): unknown {
  const agents = suggestions.map(({ agent, allow, calls, left }): readonly [string, unknown] => [
    agent,
    { calls, allow: allow.map(ruleJson), wide: allow.flatMap(({ wide }) => wide), left },
  ]);
  return { agents: Object.fromEntries(agents) };
}

function documentText(loaded: LoadedPolicy, suggestions: readonly Suggestion[]): string {
  const document = suggestions.reduce(
    (policy, { agent, allow }) => (allow.length === 0 ? policy : withAllow(policy, agent, allow)),
    loaded.read.document.plain,
  );
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function listText(number: number, suggestions: readonly Suggestion[]): string {
  const lines = suggestions.flatMap(({ agent, allow, calls, left }) => [
    `  ${agent}:`,
    `    # holds ${counted(calls - left.length, 'different call')}; tried on generation ${number}`,
    ...left.map(({ id, tool, why }) => `    # left out: ${id} ${visible(tool)}: ${why}`),
    ...(allow.length === 0 ? ['    allow: []'] : ['    allow:']),
    ...allow.flatMap((rule) => ruleLines(rule).map((line) => `      ${line}`)),
  ]);
  return `${['agents:', ...lines].join('\n')}\n`;
}
