/** Findings about names and descriptions that say less than what may be reached. */
import {
  type Bucket,
  type Rule,
  type Scalar,
  type ValueSet,
  everythingSet,
  member,
} from '../../authority/index.js';
import type { AgentName, JsonObject } from '../../ground/index.js';
import { own, splitToolName } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { ToolPolicy } from '../tool-policy.js';
import type { LintedPolicy } from './linted.js';
import type { Note } from './note.js';

/** Shortest word of a vocabulary that counts as one in a sentence. */
const shortestWord = 3;

/** A field whose values are a closed vocabulary that callers choose from. */
interface Vocabulary {
  /** `terminal.backends`. */
  readonly name: string;
  readonly words: readonly string[];
}

/** Notes agents and tools whose name or description says some of a vocabulary while calls may reach others of it. */
export function claims(policy: LintedPolicy, note: Note): void {
  for (const agent of policy.agents.values()) {
    const told = new Set<string>();
    for (const executor of [...policy.executors.values()].filter((each) => each.agent === agent.name)) {
      const reach = new Map<string, Reach>();
      for (const tool of toolsWithVocabulary(policy, executor)) gather(reach, tool);
      const said = [agent.name, agent.description ?? '', executor.instance ?? ''].join(' ');
      const messages = [
        ...[...reach.values()].flatMap((each) => contradiction(who(agent.name, executor), said, each)),
        ...[...reach.values()].flatMap(({ tools, vocabulary }) =>
          tools.flatMap(({ title, said: about, reached }) =>
            contradiction(title, about, { vocabulary, reached }),
          ),
        ),
      ];
      for (const message of messages.filter((each) => !told.has(each))) {
        told.add(message);
        note(agent, message);
      }
    }
  }
}

function who(agent: AgentName, { id, instance }: ExecutorPolicy): string {
  return instance === undefined ? `agent ${agent}` : `executor ${id}`;
}

/** What calls may reach of one vocabulary. */
interface Reach {
  readonly vocabulary: Vocabulary;
  readonly reached: Set<string>;
  readonly tools: { readonly title: string; readonly said: string; readonly reached: ReadonlySet<string> }[];
}

interface VocabularyTool {
  readonly policy: ToolPolicy;
  readonly field: string;
  readonly vocabulary: Vocabulary;
  readonly definition: JsonObject;
}

function toolsWithVocabulary(policy: LintedPolicy, executor: ExecutorPolicy): readonly VocabularyTool[] {
  return executor.reachable.flatMap((name) => {
    const tool = executor.forTool(name);
    const { server, tool: part } = splitToolName(name);
    const frame = policy.servers.get(server);
    const connector = frame?.connector;
    const definition = frame?.tools?.get(part)?.definition;
    if (tool === undefined || connector === undefined || definition === undefined) return [];
    const chosen = chosenFields(tool);
    return [...chosen].flatMap((field) => {
      const words = (tool.frame.fields[field]?.vocabulary?.values ?? []).filter(isWord);
      const vocabulary = { name: `${connector.name}.${field}`, words };
      return words.length < 2 ? [] : [{ policy: tool, field, vocabulary, definition }];
    });
  });
}

/** Fields that some argument names: what a tool does by itself is no choice. */
function chosenFields({ frame: { table } }: ToolPolicy): ReadonlySet<string> {
  const fed = table.accesses.flatMap((row) =>
    Object.entries(row.fields).flatMap(([field, sources]) => (sources.length > 0 ? [field] : [])),
  );
  return new Set(fed);
}

function isWord(value: Scalar): value is string {
  return typeof value === 'string' && value.length >= shortestWord && /\p{L}/u.test(value);
}

function gather(all: Map<string, Reach>, { policy, field, vocabulary, definition }: VocabularyTool): void {
  const reach = all.get(vocabulary.name) ?? { vocabulary, reached: new Set<string>(), tools: [] };
  all.set(vocabulary.name, reach);
  const reached = new Set(vocabulary.words.filter((word) => mayReach(policy, field, word)));
  for (const word of reached) reach.reached.add(word);
  const { tool } = policy.frame;
  const texts = [splitToolName(tool).tool, own(definition, 'title'), own(definition, 'description')];
  const said = texts.filter((text) => typeof text === 'string').join(' ');
  reach.tools.push({ title: tool, said, reached });
}

/** Whether some rule of every factor holds the value in this field, and no denial of the field alone takes it away. */
function mayReach({ authorities, frame }: ToolPolicy, field: string, word: string): boolean {
  const rows = frame.table.accesses.filter((row) => Object.hasOwn(row.fields, field));
  return rows.some(({ verb }) => {
    const buckets = authorities.factors.map((factor) => factor.bucket(frame.tool, verb));
    return buckets.every((bucket) => bucket !== undefined && holds(bucket, field, word));
  });
}

function holds({ allow, deny }: Bucket, field: string, word: string): boolean {
  const setOf = ({ box }: Rule): ValueSet => box.setOf(field) ?? everythingSet;
  const only = deny.filter(({ box }) => box.fields.every(({ key }) => key === field));
  return allow.some((rule) => member(setOf(rule), word)) && !only.some((rule) => member(setOf(rule), word));
}

function contradiction(
  title: string,
  said: string,
  { vocabulary, reached }: Pick<Reach, 'vocabulary'> & { readonly reached: ReadonlySet<string> },
): readonly string[] {
  const named = vocabulary.words.filter((word) => says(said, word));
  const beyond = vocabulary.words.filter((word) => reached.has(word) && !named.includes(word));
  if (named.length === 0 || beyond.length === 0) return [];
  return [`${title} says ${named.join(', ')}, may reach ${beyond.join(', ')} (${vocabulary.name})`];
}

/** Before a word that is an example or a default, and no claim. */
const noClaim =
  /(?:e\.g\.|for example|for instance|such as|\bas|\blike|\bdefaults?(?: is| to|:)?)[\s:,"'`(]*$/iu;

/** Whether a text says a word as a word of its own, once at least not as an example or a default. */
function says(text: string, word: string): boolean {
  const spelled = word.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
  const found = text.matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}])${spelled}(?![\p{L}\p{N}])`, 'giu'));
  return [...found].some(({ index }) => !noClaim.test(text.slice(0, index)));
}
