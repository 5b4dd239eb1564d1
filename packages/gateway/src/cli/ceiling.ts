/** `pawl ceiling` and `pawl narrow`: ceilings of agents and narrowings of their instances, stored beside the policy. */
import { readFileSync } from 'node:fs';
import { type DocNode, type ExecutorId, type JsonObject, isJsonObject, mintId, plainOf } from '@pawl/core';
import { type BadPolicy, loadProblem, parseDocument } from '../config/index.js';
import { type DeclareAsked, readFrozenName } from '../control/index.js';
import { declaredExit, declaredLines, storedLines } from './ceiling-text.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type OptionSpecs,
  type Terminal,
  exit,
  need,
} from './command.js';
import { onStore, operate, tellProblem } from './operate.js';
import { tellBadPolicy } from './problem.js';
import { type StorePlace, storeOptions, storePlace } from './store-option.js';

/** What tells the two commands apart. */
interface Words {
  readonly name: 'ceiling' | 'narrow';
  readonly layer: 'ceiling' | 'narrowing';
  /** How whose it is is named. */
  readonly whose: string;
}

const options: OptionSpecs = {
  ...storeOptions,
  file: { type: 'string', help: 'set: YAML or JSON, as ceiling: and narrow: in a policy' },
  on: { type: 'string', help: 'clear: only what is stored for this connector or server' },
  by: { type: 'string', help: 'who declares it, for the record; your role unless told' },
  'bump-epoch': { type: 'boolean', help: 'take it although agents gain; their old capabilities die' },
  all: { type: 'boolean', help: 'with --bump-epoch: capabilities of every agent die' },
  reissue: { type: 'boolean', help: 'with --bump-epoch: open sessions get fresh capabilities' },
  json: { type: 'boolean', help: 'one JSON object' },
};

/** The command of creators. */
export const ceilingCommand: Command = commandOf(
  { name: 'ceiling', layer: 'ceiling', whose: 'AGENT' },
  'Stores what an agent may pass at most, shows it, or lifts it; widening needs --bump-epoch.',
  'pawl ceiling show --policy examples/quickstart/pawl.yaml',
);

/** The command of subscribers. */
export const narrowCommand: Command = commandOf(
  { name: 'narrow', layer: 'narrowing', whose: 'AGENT/INSTANCE' },
  'Stores what one instance may pass within the ceiling of its agent, shows it, or lifts it.',
  'pawl narrow show --policy examples/quickstart/pawl.yaml',
);

function commandOf(words: Words, summary: string, example: string): Command {
  const { name, whose } = words;
  const act = '[--bump-epoch [--all] [--reissue]] [--by NAME]';
  return {
    name,
    summary,
    usage: `${name} (set ${whose} --file F ${act} | clear ${whose} [--on NAME] ${act} | show [${whose}]) [--store DIR | --policy P] [--json]`,
    example,
    options,
    run: (input, terminal) => runWords(words, input, terminal),
  };
}

async function runWords(words: Words, input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [action, who, extra] = input.words;
  if (extra !== undefined) throw new Misuse(`name one ${words.whose}`);
  if (action === 'show') return show(words, who, input, terminal);
  if (action !== 'set' && action !== 'clear') throw new Misuse('say what to do: set, clear or show');
  const asked = { ...actIn(input), ...byIn(input), of: whoseIn(words, who) };
  if (action === 'clear') {
    if (input.text('file') !== undefined) throw new Misuse('--file goes with set');
    const on = input.text('on');
    const cleared = { ...asked, declaration: {}, ...(on !== undefined && { on }) };
    return declare(words, cleared, { input, terminal, root: undefined });
  }
  if (input.text('on') !== undefined) throw new Misuse('--on goes with clear');
  const read = readDeclared(need(input, 'file'));
  if ('problems' in read) return tellBadPolicy(read, input.flag('json'), terminal);
  return declare(words, { ...asked, declaration: read.declaration }, { input, terminal, root: read.root });
}

interface Where {
  readonly input: CommandInput;
  readonly terminal: Terminal;
  /** The file, where there is one: positions are told from it. */
  readonly root: DocNode | undefined;
}

async function declare(
  words: Words,
  asked: DeclareAsked,
  { input, terminal, root }: Where,
): Promise<ExitCode> {
  const place = storePlace(input);
  const answer = await operate(place, 'declare', asked, () =>
    onStore(place, {}, (operations) => operations.declare(asked, 'operator')),
  );
  const json = input.flag('json');
  if (!answer.ok) return tellProblem(words.name, answer.error, json, terminal);
  const { value } = answer;
  const code = declaredExit(value, asked);
  if (json) {
    terminal.out(`${JSON.stringify(value)}\n`);
    return code;
  }
  const { told, warned } = declaredLines(value, { asked, file: input.text('file'), root });
  for (const line of warned) terminal.err(`pawl ${words.name}: ${line}\n`);
  if (code === exit.ok) terminal.out(`${told.join('\n')}\n`);
  else terminal.err(`pawl ${words.name}: ${told.join('\n')}\n`);
  return code;
}

async function show(
  words: Words,
  who: string | undefined,
  input: CommandInput,
  terminal: Terminal,
): Promise<ExitCode> {
  const of = who === undefined ? undefined : whoseIn(words, who);
  const place: StorePlace = storePlace(input);
  const answer = await operate(place, 'declared', {}, () =>
    onStore(place, {}, (operations) => operations.declared()),
  );
  const json = input.flag('json');
  if (!answer.ok) return tellProblem(words.name, answer.error, json, terminal);
  const entries = answer.value.filter(
    (entry) => entry.layer === words.layer && (of === undefined || entry.of === of),
  );
  if (json) terminal.out(`${JSON.stringify(entries)}\n`);
  else terminal.out(`${storedLines(entries, words.layer).join('\n')}\n`);
  return exit.ok;
}

function whoseIn({ whose, layer }: Words, word: string | undefined): ExecutorId {
  const name = word === undefined || word === '*' ? undefined : readFrozenName(word);
  if (name === undefined || name.includes('/') !== (layer === 'narrowing'))
    throw new Misuse(`name one ${whose}`);
  return mintId.executor(name);
}

function actIn(input: CommandInput): Pick<DeclareAsked, 'bumpEpoch' | 'all' | 'reissue'> {
  const [bumpEpoch, all, reissue] = ['bump-epoch', 'all', 'reissue'].map((name) => input.flag(name));
  if (bumpEpoch !== true && (all === true || reissue === true))
    throw new Misuse('--all and --reissue go with --bump-epoch');
  return {
    ...(bumpEpoch === true && { bumpEpoch }),
    ...(all === true && { all }),
    ...(reissue === true && { reissue }),
  };
}

function byIn(input: CommandInput): Pick<DeclareAsked, 'by'> {
  const by = input.text('by');
  if (by === undefined) return {};
  if (!/^[\x21-\x7e]{1,200}$/u.test(by)) throw new Misuse('--by takes at most 200 visible characters');
  return { by };
}

/** Reads the file of a declaration. */
function readDeclared(
  file: string,
): { readonly root: DocNode; readonly declaration: JsonObject } | BadPolicy {
  const bad = (found: string): BadPolicy => ({
    ok: false,
    file,
    problems: [loadProblem({ line: 1, column: 1 }, '', found, 'connectors or servers, each with its fields')],
  });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return bad('a file that cannot be read');
  }
  const parsed = parseDocument(text, file);
  if (!parsed.ok) return { ok: false, file, problems: parsed.problems };
  const declaration = plainOf(parsed.root);
  if (!isJsonObject(declaration) || Object.keys(declaration).length === 0)
    return bad(isJsonObject(declaration) ? 'nothing; clear lifts what is stored' : 'no mapping');
  return { root: parsed.root, declaration };
}
