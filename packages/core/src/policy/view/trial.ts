/** Trying calls that stand for many: the very functions that decide calls, over rules reduced to some arguments. */
import {
  type Authority,
  type Meet,
  type Rule,
  Box,
  Cover,
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
  type PlannedArgument,
  type ReadPlan,
  type ToolFrame,
  argumentName,
  decodeArguments,
  fillStep,
  rawTool,
  readCall,
  withEdits,
} from '../../connector/index.js';
import { type Json, type JsonObject, isJsonObject, own } from '../../ground/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { type Argument, type Choice, isCovered, isWithin } from './argument.js';
import type { Demand, Part } from './demand.js';
import type { Said } from './translation.js';

/** The outcome of a trial that was admitted. */
export interface Tried {
  /** Names of arguments that were left out and are there in the end. */
  readonly given: ReadonlySet<string>;
}

/** Most ways to choose among rules that differ in what cannot be tried. */
const mostWays = 64;

/** Tries choices for some arguments, as if rules spoke of no others. */
export class Trial {
  readonly #policy: ToolPolicy;
  readonly #demands: readonly Demand[];
  readonly #arguments: readonly Argument[];
  readonly #frame: ToolFrame;
  /** Whether what is left out makes rules differ: where it does, each kind of rule is tried alone, and all together. */
  readonly #apart: boolean;
  readonly #meets = new Map<string, readonly Meet[]>();

  constructor(
    policy: ToolPolicy,
    demands: readonly Demand[],
    { args, apart }: { readonly args: readonly Argument[]; readonly apart: boolean },
  ) {
    this.#policy = policy;
    this.#demands = demands;
    this.#arguments = args;
    this.#apart = apart;
    this.#frame = { ...policy.frame, table: rawTool, fields: {} };
  }

  /** One choice for each argument. Undefined: every such call is refused. May admit what is refused for other reasons. */
  admits(choices: readonly Choice[]): Tried | undefined {
    const held = this.#arguments.map((argument, at) => ({ argument, choice: choices[at] ?? missing }));
    if (!isConsistent(held)) return undefined;
    const edits = held.flatMap(({ argument, choice }) =>
      choice.kind === 'value' ? [{ place: argument.path, value: choice.sample }] : [],
    );
    const args = withEdits({}, [...edits].sort((a, b) => a.place.length - b.place.length));
    const plan = this.#planFor(held);
    const frame = this.#frameFor(args);
    for (const authorities of this.#meetsFor(held)) {
      const given = this.#judge(frame, { plan, authorities }, args);
      if (given !== undefined && held.every((one) => !isLacking(one, given, held)))
        return { given: this.#namesIn(given, held) };
    }
    return undefined;
  }

  /** Whether the schema takes a value that is filled in can be asked only beside what it takes. */
  #frameFor(args: JsonObject): ToolFrame {
    const { schema } = this.#frame;
    const decoded = schema && decodeArguments(schema, args);
    return decoded?.ok === true && !decoded.changed ? this.#frame : { ...this.#frame, schema: undefined };
  }

  #judge(
    frame: ToolFrame,
    { plan, authorities }: { readonly plan: ReadPlan; readonly authorities: Meet },
    sent: JsonObject,
  ): JsonObject | undefined {
    for (let args = sent; ; ) {
      const reading = readCall(frame, plan, args);
      if (reading.kind === 'unreadable') return args;
      const { accesses, open } = reading;
      const answer = admitsAll(authorities, accesses);
      if (answer.level !== undefined) return withEdits(args, reading.edits);
      if (answer.denial !== undefined) return undefined;
      const filling = fillStep(frame, plan, authorities, { accesses, open, args });
      if (filling.kind !== 'filled') return undefined;
      args = filling.args;
    }
  }

  #namesIn(args: JsonObject, held: readonly Held[]): ReadonlySet<string> {
    const absent = held.filter(({ choice }) => choice.kind === 'missing' || choice.kind === 'wildcard');
    return new Set(absent.filter(({ argument }) => stands(args, argument.path)).map(({ argument }) => argument.name));
  }

  #planFor(held: readonly Held[]): ReadPlan {
    const raw = held.flatMap(({ argument, choice }) => (isOpen(choice) ? [] : this.#planned(argument, choice)));
    return { raw, fields: new Set() };
  }

  #planned({ keys, omitted }: Argument, choice: Choice): readonly PlannedArgument[] {
    return keys.map(({ key, path, view }) => {
      const own = this.#policy.plan.raw.find((planned) => planned.key === key);
      const defaults = choice.kind === 'wildcard' ? [] : (omitted?.defaults ?? own?.defaults ?? []);
      return { key, path, view, constrained: omitted !== undefined || own?.constrained === true, defaults };
    });
  }

  #meetsFor(held: readonly Held[]): readonly Meet[] {
    const text = held.map(({ choice }) => (choice.kind === 'value' || choice.kind === 'missing' ? '' : choice.kind)).join();
    const known = this.#meets.get(text) ?? this.#makeMeets(held);
    this.#meets.set(text, known);
    return known;
  }

  /** One meet for each way to choose, in every demand, the rules of one kind or all of them. */
  #makeMeets(held: readonly Held[]): readonly Meet[] {
    let ways: readonly (readonly Authority[])[] = [[]];
    for (const demand of this.#demands) {
      const groups = this.#groups(demand, held);
      if (groups.length === 0) return [];
      const options = groups.length === 1 ? groups : [groups.flat(), ...groups];
      if (ways.length * options.length > mostWays) return [meet()];
      const deny = demand.deny.flatMap((part) => this.#boxOf(part, held, 'deny') ?? []);
      const authorities = options.map((boxes) => this.#authority(boxes, deny));
      ways = ways.flatMap((way) => authorities.map((one) => [...way, one]));
    }
    return ways.map((way) => meet(...way));
  }

  #authority(allow: readonly Box[], deny: readonly Box[]): Authority {
    const rule = (box: Box): Rule => ({ rule: '', level: 'permit', box });
    const bucket = bucketOf(allow.map(rule), [], deny.map(rule));
    return authorityOf('policy', new Map([[this.#frame.tool, new Map([[rawTool.verb, bucket]])]]));
  }

  /** The boxes of a demand that can hold, those together that ask the same of what is not tried. */
  #groups({ allow }: Demand, held: readonly Held[]): readonly (readonly Box[])[] {
    const groups = new Map<string, Box[]>();
    const seen = new Set<string>();
    for (const part of allow) {
      const box = this.#boxOf(part, held, 'allow');
      if (box === undefined) continue;
      const kind = this.#apart ? besideOf(part, held) : '';
      if (seen.has(`${kind} ${box.print}`)) continue;
      seen.add(`${kind} ${box.print}`);
      groups.set(kind, [...(groups.get(kind) ?? []), box]);
    }
    return [...groups.values()];
  }

  /** The part, of what is tried; undefined where it says nothing of such calls or cannot hold. */
  #boxOf(part: Part, held: readonly Held[], list: 'allow' | 'deny'): Box | undefined {
    const fields: Said[] = [];
    const inPlay = new Set(held.map(({ argument }) => argument.name));
    if (list === 'deny' && part.said.some((one) => !inPlay.has(nameIn(held, one)))) return undefined;
    for (const { argument, choice } of held) {
      const own = part.said.filter((one) => argument.keys.some(({ key }) => key === one.key));
      if (isOpen(choice)) {
        if (list === 'deny' && own.length > 0) return undefined;
        if (!isCovered(part.cover, argument.path) || own.some(({ set }) => !mayHold(set, choice))) return undefined;
      } else {
        for (const one of own)
          fields.push(choice.kind === 'wildcard' ? { ...one, set: minus(one.set, missingSet) } : one);
      }
    }
    const told = fields.map(({ key, path, view, set }) => ({ key, path, view, set, name: key, text: '', ifCarried: false }));
    const cover = part.cover && new Cover(held.flatMap(({ argument }) => (isCovered(part.cover, argument.path) ? [argument.path] : [])));
    return new Box({ fields: told, ...(cover === undefined ? {} : { cover }) });
  }
}

interface Held {
  readonly argument: Argument;
  readonly choice: Choice;
}

const missing: Choice = { kind: 'missing' };

/** Whether the tool requires what is not there in the end. */
function isLacking({ argument, choice }: Held, args: JsonObject, held: readonly Held[]): boolean {
  const { path, required } = argument;
  if (choice.kind !== 'missing' || !required || stands(args, path)) return false;
  const around = path.slice(0, -1);
  const isOpenAround = held.some(
    (other) => isOpen(other.choice) && argumentName(other.argument.path) === argumentName(around),
  );
  return path.length === 1 || isOpenAround || stands(args, around);
}

/** Whether a trial leaves the argument open: then it is not told, and rules that could hold do. */
function isOpen({ kind }: Choice): boolean {
  return kind === 'any' || kind === 'list';
}

function mayHold(set: Said['set'], { kind }: Choice): boolean {
  return kind === 'list' ? set.arrays.length > 0 : !isEmpty(minus(set, missingSet));
}

function nameIn(held: readonly Held[], { key }: Said): string {
  return held.find(({ argument }) => argument.keys.some((each) => each.key === key))?.argument.name ?? '';
}

/** Whether choices for arguments and for those inside them can go together. */
function isConsistent(held: readonly Held[]): boolean {
  return held.every(({ argument, choice }) => {
    if (choice.kind === 'missing' || choice.kind === 'wildcard') return true;
    const around = held.filter((other) => isWithin(argument.path, other.argument.path));
    return around.every(({ choice: outer }) => isOpen(outer) || (outer.kind === 'value' && isJsonObject(outer.sample)));
  });
}

/** What a part asks of arguments that are not told, and beside. */
function besideOf({ said, beside }: Part, held: readonly Held[]): string {
  const told = new Set(held.filter(({ choice }) => !isOpen(choice)).flatMap(({ argument }) => argument.keys.map(({ key }) => key)));
  const others = said.filter(({ key }) => !told.has(key)).map(({ key, set }) => `${key}=${fingerprint(set)}`);
  return [beside, ...others].sort().join(';');
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
