/** From a field of a connector to the arguments that feed it, where an argument alone says what the field holds. */
import { type FieldSet, type Scalar, type ValueSet, type ViewName, missingSet, or, viewAt } from '../../authority/index.js';
import {
  type AccessRow,
  type PlannedArgument,
  argumentName,
  defaultsOn,
  propertyAt,
} from '../../connector/index.js';
import type { ArgumentPath } from '../../authority/index.js';
import type { ToolPolicy } from '../tool-policy.js';

/** What a rule says of one argument, in one view. */
export interface Said {
  /** Key in the accesses of a trial: `args.x`, `args.x|path`. */
  readonly key: string;
  readonly path: ArgumentPath;
  readonly view: ViewName;
  readonly set: ValueSet;
  /** Another argument may give the field its value. */
  readonly elsewhere: boolean;
}

/** What leaving out an argument means that feeds a field. */
export interface Omitted {
  /** Taken in its stead. */
  readonly defaults: PlannedArgument['defaults'];
  /** Value that stands for whatever the field may hold; it is filled as if it were left out. */
  readonly wildcard: Scalar | undefined;
  /** It may not be left out. */
  readonly never: boolean;
}

type Source = AccessRow['fields'][string][number];

const free: Omitted = { defaults: [], wildcard: undefined, never: false };

/** Translates the fields of one tool's rules. */
export class Translation {
  readonly #policy: ToolPolicy;
  readonly #omitted = new Map<string, Omitted>();

  constructor(policy: ToolPolicy) {
    this.#policy = policy;
  }

  /** By argument name, of the arguments that were translated to so far. */
  get omitted(): ReadonlyMap<string, Omitted> {
    return this.#omitted;
  }

  /** Of a row that each call makes. Undefined where arguments do not show what the field holds. */
  field(row: AccessRow | undefined, field: FieldSet): readonly Said[] | undefined {
    const { key, path, view = 'raw', set } = field;
    if (path !== undefined) return [{ key, path, view, set, elsewhere: false }];
    const sources = row?.fields[key] ?? [];
    const plain = sources.filter(isPlain);
    const [only, second] = plain;
    if (row === undefined || only === undefined) return undefined;
    if (second === undefined) {
      const omitted = this.#omission(row, key, only);
      return omitted && this.#said(field, [only], omitted, sources.length > 1);
    }
    const omitted = { ...free, wildcard: this.#wildcard(key) };
    return this.#said(field, plain, omitted, false)?.map(orMissing);
  }

  /** Of a row of one field that only those calls make which give its one argument. */
  optional(row: AccessRow, field: FieldSet): readonly Said[] | undefined {
    const [source, second] = row.fields[field.key] ?? [];
    if (source === undefined || second !== undefined || !isPlain(source)) return undefined;
    const said = Object.hasOwn(row.omitted, field.key) ? row.omitted[field.key] : undefined;
    const none = said === 'none' || said === 'bare' || (said === undefined && !this.#isNeeded(row, source));
    if (!none || this.#wildcard(field.key) !== undefined) return undefined;
    if (said === undefined && defaultsOn(this.#policy.frame, source.argument).length > 0) return undefined;
    return this.#said(field, [source], free, false)?.map(orMissing);
  }

  #said(
    field: FieldSet,
    sources: readonly Source[],
    omitted: Omitted,
    elsewhere: boolean,
  ): readonly Said[] | undefined {
    const { plan, frame } = this.#policy;
    const names = sources.map(({ argument }) => argumentName(argument));
    const rawNames = new Set(plan.raw.map((planned) => argumentName(planned.path)));
    const text = JSON.stringify(omitted);
    if (names.some((name) => rawNames.has(name) || JSON.stringify(this.#omitted.get(name) ?? omitted) !== text))
      return undefined;
    for (const name of names) this.#omitted.set(name, omitted);
    const view = viewAt(frame.fields[field.key]?.kind ?? 'oneOf');
    return sources.map(({ argument }) => {
      const name = argumentName(argument);
      return { key: view === 'raw' ? name : `${name}|${view}`, path: argument, view, set: field.set, elsewhere };
    });
  }

  /** Undefined where it depends on other arguments. */
  #omission(row: AccessRow, key: string, source: Source): Omitted | undefined {
    const { argument, base } = source;
    const wildcard = this.#wildcard(key);
    const said = Object.hasOwn(row.omitted, key) ? row.omitted[key] : undefined;
    if (said === 'none' || said === 'bare') return undefined;
    const open = { defaults: [], wildcard, never: said === 'refuse' };
    const defaults = this.#defaults(said, argument);
    const [only, second] = defaults;
    if (only === undefined) return said !== undefined || this.#isNeeded(row, source) ? open : undefined;
    if (second !== undefined || base !== undefined || only.path.length < argument.length) return undefined;
    return only.value === wildcard ? open : { defaults, wildcard, never: false };
  }

  #defaults(said: AccessRow['omitted'][string] | undefined, path: ArgumentPath): Omitted['defaults'] {
    if (typeof said === 'object') return [{ path, value: said.value }];
    return said === undefined ? defaultsOn(this.#policy.frame, path) : [];
  }

  #isNeeded(row: AccessRow, { argument }: Source): boolean {
    const { schema } = this.#policy.frame;
    return row.needed || (schema !== undefined && !propertyAt(schema, argument).optional);
  }

  #wildcard(key: string): Scalar | undefined {
    return this.#policy.frame.fields[key]?.vocabulary?.wildcard;
  }
}

/** Whether the argument holds the field's value as it is. */
function isPlain({ prefix, ofUrl, joined }: Source): boolean {
  return prefix === undefined && ofUrl !== true && joined === undefined;
}

/** The same, or left out. */
export function orMissing(said: Said): Said {
  return { ...said, set: or(said.set, missingSet) };
}
