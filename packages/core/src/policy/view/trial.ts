/** Trying calls that stand for many: the very functions that decide calls, over rules reduced to some arguments. */
import {
  type Authority,
  type Bucket,
  type FieldSet,
  type Meet,
  type Rule,
  type Verb,
  Box,
  admitsAll,
  authorityOf,
  bucketOf,
  fingerprint,
  isEmpty,
  meet,
  minus,
  missingSet,
} from '../../authority/index.js';
import {
  type AccessRow,
  type ReadPlan,
  type ToolFrame,
  argumentName,
  decodeArguments,
  fillStep,
  readCall,
  withEdits,
} from '../../connector/index.js';
import { type Json, type JsonObject, isJsonObject, own } from '../../ground/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { type Argument, isCovered, isWithin } from './argument.js';
import type { Choice } from './choice.js';
import type { Demand, Demands, Part, Said } from './demand.js';

/** The outcome of a trial that was admitted. */
export interface Tried {
  /** Names of arguments that were left out and are there in the end. */
  readonly given: ReadonlySet<string>;
}

/** One choice of one argument. */
interface Held {
  readonly argument: Argument;
  readonly choice: Choice;
}

/** Most ways to choose among rules that differ in what cannot be tried. */
const mostWays = 64;

const missing: Choice = { kind: 'missing' };

/** What depends on which arguments are left open, and on nothing else of the choices. */
interface Setting {
  readonly frame: ToolFrame;
  readonly plan: ReadPlan;
  readonly meets: readonly Meet[];
}

/** Tries choices for some arguments, as if rules spoke of no others. */
export class Trial {
  readonly #policy: ToolPolicy;
  readonly #demands: Demands;
  readonly #arguments: readonly Argument[];
  /** Whether what is left out makes rules differ: where it does, each kind of rule is tried alone, and all together. */
  readonly #apart: boolean;
  readonly #settings = new Map<string, Setting>();

  constructor(
    policy: ToolPolicy,
    demands: Demands,
    { args, apart }: { readonly args: readonly Argument[]; readonly apart: boolean },
  ) {
    this.#policy = policy;
    this.#demands = demands;
    this.#arguments = args;
    this.#apart = apart;
  }

  /** One choice for each argument. Undefined: every such call is refused. May admit what is refused for other reasons. */
  admits(choices: readonly Choice[]): Tried | undefined {
    const held = this.#arguments.map((argument, at) => ({ argument, choice: choices[at] ?? missing }));
    if (!isConsistent(held)) return undefined;
    const edits = held.flatMap(({ argument, choice }) =>
      choice.kind === 'value' ? [{ place: argument.path, value: choice.sample }] : [],
    );
    const args = withEdits(
      {},
      edits.sort((a, b) => a.place.length - b.place.length),
    );
    const { schema } = this.#policy.frame;
    const decoded = schema && decodeArguments(schema, args);
    if (decoded?.ok === false || decoded?.changed === true) return { given: new Set() };
    return this.#judged(held, args) ?? this.#elsewhere(held, args);
  }

  #judged(held: readonly Held[], args: JsonObject): Tried | undefined {
    const setting = this.#settingFor(held);
    for (const authorities of setting.meets) {
      const given = judge(setting, authorities, args);
      if (given !== undefined && held.every((one) => !isLacking(one, given, held)))
        return { given: namesIn(given, held) };
    }
    return undefined;
  }

  /** What one argument leaves unsaid another one may say. */
  #elsewhere(held: readonly Held[], args: JsonObject): Tried | undefined {
    const loose = held.map(({ argument, choice }) => ({
      argument: { ...argument, elsewhere: argument.grouped },
      choice,
    }));
    if (held.every(({ argument }) => argument.elsewhere === argument.grouped)) return undefined;
    return this.#judged(loose, args) && { given: new Set() };
  }

  #settingFor(held: readonly Held[]): Setting {
    const text = held
      .map((one) => `${one.choice.kind === 'list' ? 'list' : ''}${isOpen(one)}${isClosed(one)}`)
      .join();
    const known = this.#settings.get(text) ?? this.#makeSetting(held);
    this.#settings.set(text, known);
    return known;
  }

  #makeSetting(held: readonly Held[]): Setting {
    const { frame, plan } = this.#policy;
    const closed = new Set(held.filter(isClosed).map(({ argument }) => argument.name));
    const fields = closedFields(this.#demands, closed);
    const rows = this.#demands.rows.flatMap(({ row, certain, whole }): readonly AccessRow[] => {
      const names = Object.keys(row.fields).filter((name) => fields(row.verb, name));
      const left = {
        ...row,
        fields: Object.fromEntries(names.map((name) => [name, row.fields[name] ?? []])),
      };
      return certain || (whole && names.length === Object.keys(row.fields).length) ? [left] : [];
    });
    const { verb, payload } = frame.table;
    const all = rows.length === this.#demands.rows.length && frame.table.commands === undefined;
    return {
      frame: { ...frame, table: { verb, payload, accesses: rows } },
      plan: { ...plan, raw: plan.raw.filter(({ path }) => closed.has(argumentName(path))) },
      meets: this.#makeMeets(held, { fields, all }),
    };
  }

  /** One meet for each way to choose, in every demand, the rules of one kind or all of them. */
  #makeMeets(held: readonly Held[], { fields, all }: Closing): readonly Meet[] {
    const { must, may, some } = this.#demands;
    const base = may.filter(({ verb }) => !some || all || verb !== this.#policy.frame.table.verb);
    const demands = [...(some && all ? [] : must), ...base];
    let ways: readonly (readonly Placed[])[] = [[]];
    for (const demand of demands) {
      const part = (one: Part, list: 'allow' | 'deny'): Box | undefined =>
        boxOf(one, { held, list, fields: (name) => fields(demand.verb, name) });
      const groups = this.#groups(demand.allow, held, part);
      if (groups.length === 0 && must.includes(demand)) return [];
      const options = groups.length < 2 ? [groups.flat()] : [groups.flat(), ...groups];
      if (ways.length * options.length > mostWays) return [meet()];
      const deny = demand.deny.flatMap((one) => part(one, 'deny') ?? []);
      const buckets = options.map((boxes): Placed => ({ demand, bucket: bucketFrom(boxes, deny) }));
      ways = ways.flatMap((way) => buckets.map((bucket) => [...way, bucket]));
    }
    return ways.map((way) => this.#meet(way));
  }

  #meet(way: readonly Placed[]): Meet {
    const { authorities, frame } = this.#policy;
    const factors = authorities.factors.map((_, factor): Authority => {
      const own = way.filter(({ demand }) => demand.factor === factor);
      const buckets = new Map<Verb, Bucket>(own.map(({ demand, bucket }) => [demand.verb, bucket]));
      return authorityOf('policy', new Map([[frame.tool, buckets]]));
    });
    return meet(...factors);
  }

  /** The boxes of a demand that can hold, those together that ask the same of what is not tried. */
  #groups(
    allow: readonly Part[],
    held: readonly Held[],
    boxFor: (part: Part, list: 'allow') => Box | undefined,
  ): readonly (readonly Box[])[] {
    const groups = new Map<string, Box[]>();
    const seen = new Set<string>();
    for (const part of allow) {
      const box = boxFor(part, 'allow');
      if (box === undefined) continue;
      const kind = this.#apart ? besideOf(part, held) : '';
      if (seen.has(`${kind} ${box.print}`)) continue;
      seen.add(`${kind} ${box.print}`);
      groups.set(kind, [...(groups.get(kind) ?? []), box]);
    }
    return [...groups.values()];
  }
}

interface Placed {
  readonly demand: Demand;
  readonly bucket: Bucket;
}

interface Closing {
  /** Whether a trial shows all that a field holds in accesses of a verb. */
  readonly fields: (verb: Verb, name: string) => boolean;
  /** Whether it shows all accesses. */
  readonly all: boolean;
}

function judge({ frame, plan }: Setting, authorities: Meet, sent: JsonObject): JsonObject | undefined {
  for (let args = sent; ; ) {
    const reading = readCall(frame, plan, args);
    if (reading.kind === 'unreadable') return undefined;
    const { accesses, open } = reading;
    const answer = admitsAll(authorities, accesses);
    if (answer.level !== undefined)
      return open.some(({ needed }) => needed) ? undefined : withEdits(args, reading.edits);
    if (answer.denial !== undefined) return undefined;
    const filling = fillStep(frame, plan, authorities, { accesses, open, args });
    if (filling.kind !== 'filled') return undefined;
    args = filling.args;
  }
}

function bucketFrom(allow: readonly Box[], deny: readonly Box[]): Bucket {
  const rule = (box: Box): Rule => ({ rule: '', level: 'permit', box });
  return bucketOf(allow.map(rule), [], deny.map(rule));
}

function closedFields({ rows }: Demands, closed: ReadonlySet<string>): Closing['fields'] {
  return (verb, name) =>
    rows
      .filter(({ row }) => row.verb === verb && Object.hasOwn(row.fields, name))
      .every(({ row }) => row.fields[name]?.every(({ argument }) => closed.has(argumentName(argument))));
}

/** The part, of what is tried; undefined where it says nothing of such calls or cannot hold. */
function boxOf(
  { said, cover }: Part,
  {
    held,
    list,
    fields,
  }: {
    readonly held: readonly Held[];
    readonly list: 'allow' | 'deny';
    readonly fields: (name: string) => boolean;
  },
): Box | undefined {
  const told = new Set<FieldSet>();
  for (const { field, path } of said) {
    const at = held.find(({ argument }) => argument.name === argumentName(path));
    const isTold = field.path === undefined ? fields(field.key) : at !== undefined && isClosed(at);
    if (isTold) told.add(field);
    else if (list === 'deny') return undefined;
  }
  if (list === 'allow' && held.filter(isOpen).some((one) => !mayHold({ said, cover }, one))) return undefined;
  return new Box({ fields: [...told], ...(cover === undefined ? {} : { cover }) });
}

/** Whether a rule can hold for calls that give an argument which a trial leaves open. */
function mayHold({ said, cover }: Pick<Part, 'said' | 'cover'>, { argument, choice }: Held): boolean {
  if (!isCovered(cover, argument.path)) return false;
  const own = said.filter(({ path }) => argumentName(path) === argument.name);
  return own.every(({ set }) =>
    choice.kind === 'list' ? set.arrays.length > 0 : !isEmpty(minus(set, missingSet)),
  );
}

/** Whether a trial leaves the argument open: then it is not told, and rules that could hold do. */
function isOpen({ choice: { kind } }: Held): boolean {
  return kind === 'any' || kind === 'list';
}

/** Whether a trial tells all that the argument is; not where another one may say what it leaves unsaid. */
function isClosed(held: Held): boolean {
  const { argument, choice } = held;
  if (isOpen(held)) return false;
  if (!argument.elsewhere) return true;
  return choice.kind === 'value' && !argument.wildcards.some((one) => one === choice.sample);
}

/** Whether choices for arguments and for those inside them can go together. */
function isConsistent(held: readonly Held[]): boolean {
  return held.every(({ argument, choice }) => {
    if (choice.kind === 'missing') return true;
    const around = held.filter((other) => isWithin(argument.path, other.argument.path));
    return around.every(
      (outer) => isOpen(outer) || (outer.choice.kind === 'value' && isJsonObject(outer.choice.sample)),
    );
  });
}

/** Whether the tool requires what is not there in the end. */
function isLacking({ argument, choice }: Held, args: JsonObject, held: readonly Held[]): boolean {
  const { path, required } = argument;
  if (choice.kind !== 'missing' || !required || argument.elsewhere || stands(args, path)) return false;
  const around = argumentName(path.slice(0, -1));
  const isOpenAround = held.some((other) => isOpen(other) && other.argument.name === around);
  return path.length === 1 || isOpenAround || stands(args, path.slice(0, -1));
}

function namesIn(args: JsonObject, held: readonly Held[]): ReadonlySet<string> {
  const absent = held.filter(({ choice }) => choice.kind === 'missing');
  return new Set(
    absent.filter(({ argument }) => stands(args, argument.path)).map(({ argument }) => argument.name),
  );
}

/** What a part asks of arguments that are not told, or not in full, and beside. */
function besideOf({ said, beside }: Part, held: readonly Held[]): string {
  const closed = held.filter((one) => isClosed(one) && !one.argument.grouped);
  const told = new Set(closed.map(({ argument }) => argument.name));
  const others = said.filter(({ path }) => !told.has(argumentName(path)));
  return [beside, ...others.map(({ key, set }: Said) => `${key}=${fingerprint(set)}`)].sort().join(';');
}

function stands(args: JsonObject, path: readonly string[]): boolean {
  let at: JsonObject | undefined = args;
  for (const [depth, name] of path.entries()) {
    const value: Json | undefined = at === undefined ? undefined : own(at, name);
    if (value === undefined) return false;
    if (depth + 1 < path.length) at = isJsonObject(value) ? value : undefined;
  }
  return true;
}
