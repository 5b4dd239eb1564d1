/** A box: a product of field sets, the shape to which every rule compiles. */
import type { Access } from './access.js';
import type { ArgumentPath, Cover } from './cover.js';
import { ReadySet, type ValueSet, type ViewName, and, fingerprint, member, missing } from './kind/index.js';
import { type Held, Region } from './region.js';

/** One field of a box. */
export interface FieldSet {
  /** Key in the access: `path`, `args.x`, `args.x|path`. */
  readonly key: string;
  /** Of a raw argument: where it stands. Undefined for a field of the connector. */
  readonly path: ArgumentPath | undefined;
  /** Of a raw argument: how it is seen; as sent unless told. */
  readonly view?: ViewName;
  /** The field's name in messages: `path`, `args.x`; in a ceiling `filesystem.path`. */
  readonly name: string;
  readonly set: ValueSet;
  /** The constraint as the document says it, for people. */
  readonly text: string;
  /** Holds too for an access that does not carry the field: ceilings and narrowings judge only what is there. */
  readonly ifCarried: boolean;
  /** Frees the field, or is a ceiling that lists all that the field can hold: holds a wildcard too. */
  readonly whole?: boolean;
}

/** What a box is made from. */
export interface BoxInit {
  readonly fields: readonly FieldSet[];
  readonly cover?: Cover;
  /** Of a denial: whether it judges only the path that a call names (`reach: named`). */
  readonly reachNamed?: boolean;
  /** Of a denial: whether its pattern follows the name at any depth, so that a move is judged by what it names only. */
  readonly followsName?: boolean;
}

/** A field made ready to be judged, and the next one of its box: a chain, so that a refusal at the first looks at no more. */
class ReadyField extends ReadySet {
  readonly #key: string;
  readonly #ifCarried: boolean;
  readonly next: ReadyField | undefined;

  constructor({ key, set, ifCarried }: FieldSet, next: ReadyField | undefined) {
    super(set);
    this.#key = key;
    this.#ifCarried = ifCarried;
    this.next = next;
  }

  /** Whether the access, which must hold no region here, holds the field. */
  holds(access: Access): boolean {
    const held = access.fields[this.#key];
    if (held === undefined) return this.#ifCarried;
    return !(held instanceof Region) && this.has(held);
  }
}

/** A conjunction of field sets, and perhaps a closed world. Immutable. */
export class Box {
  readonly fields: readonly FieldSet[];
  readonly cover: Cover | undefined;
  readonly #reachNamed: boolean;
  readonly #followsName: boolean;
  readonly #sets: ReadonlyMap<string, ValueSet>;
  /** Made for the first question, so that what is asked together lies together in memory. */
  #ready: ReadyField | undefined;
  #print: string | undefined;

  constructor(init: BoxInit) {
    this.fields = Object.freeze([...init.fields]);
    this.cover = init.cover;
    this.#sets = joined(this.fields);
    this.#reachNamed = init.reachNamed ?? false;
    this.#followsName = init.followsName ?? false;
  }

  /** The same box with less in some fields. */
  within(narrowed: (field: FieldSet) => FieldSet): Box {
    const { cover } = this;
    const flags = { reachNamed: this.#reachNamed, followsName: this.#followsName };
    return new Box({
      fields: this.fields.map(narrowed),
      ...flags,
      ...(cover === undefined ? {} : { cover }),
    });
  }

  /** Whether the access, which must hold no region, lies in the box. */
  holdsPoint(access: Access): boolean {
    this.#ready ??= chain(this.fields);
    for (let field = this.#ready; field !== undefined; field = field.next)
      if (!field.holds(access)) return false;
    return this.cover === undefined || this.cover.holds(access.args);
  }

  /** The same text for boxes that hold the same accesses for the same reasons. */
  get print(): string {
    this.#print ??= printOf(this);
    return this.#print;
  }

  /** What all fields with this key leave together; undefined means unconstrained. */
  setOf(key: string): ValueSet | undefined {
    return this.#sets.get(key);
  }

  /** Whether it takes whatever a wildcard stands for in this key. */
  takesAll(key: string): boolean {
    return this.fields.every((field) => field.key !== key || field.whole === true);
  }

  /** Whether all fields but those in `except` hold, regions inside this one box included. */
  holdsBut(access: Access, except: ReadonlySet<string>): boolean {
    if (this.cover !== undefined && !this.cover.holds(access.args)) return false;
    return this.fields.every((field) => except.has(field.key) || fieldHolds(field, access));
  }

  /** Whether all fields but those in `except` meet some part of the access. */
  meetsBut(access: Access, except: ReadonlySet<string>): boolean {
    const named = this.judgesNamed(access.namedOnly);
    return this.fields.every((field) => except.has(field.key) || fieldMeets(field, access, named));
  }

  /** The fields that do not hold, the first `most` of them. */
  failing(access: Access, most: number = Infinity): readonly FieldSet[] {
    const found: FieldSet[] = [];
    for (const field of this.fields) {
      if (fieldHolds(field, access)) continue;
      found.push(field);
      if (found.length >= most) break;
    }
    return found;
  }

  /** Of a denial: whether of a region it judges only the value named. */
  judgesNamed(namedOnly: boolean): boolean {
    return this.#reachNamed || (this.#followsName && namedOnly);
  }

  /** Whether any part of the access lies in the box: what denials and asks look for. */
  meets(access: Access): boolean {
    if (access.regions.length === 0) return this.holdsPoint(access);
    const named = this.judgesNamed(access.namedOnly);
    return this.fields.every((field) => fieldMeets(field, access, named));
  }
}

function joined(fields: readonly FieldSet[]): ReadonlyMap<string, ValueSet> {
  const sets = new Map<string, ValueSet>();
  for (const { key, set } of fields) sets.set(key, and(sets.get(key) ?? set, set));
  return sets;
}

function printOf(box: Box): string {
  const flags = `${Number(box.judgesNamed(false))}${Number(box.judgesNamed(true))}`;
  const fields = box.fields.map(fieldPrint);
  return `${flags}${box.cover?.text ?? ''}${(fields.length < 2 ? fields : fields.sort()).join(';')}`;
}

function fieldPrint({ key, set, ifCarried, whole }: FieldSet): string {
  return `${key}=${fingerprint(set)}${Number(ifCarried)}${Number(whole === true)}`;
}

function fieldHolds(field: FieldSet, access: Access): boolean {
  const held = heldIn(field, access);
  if (held === undefined) return field.ifCarried;
  if (!(held instanceof Region)) return member(field.set, held);
  return (field.whole === true && held.extent === 'all') || held.inside([field.set]);
}

function fieldMeets(field: FieldSet, access: Access, named: boolean): boolean {
  const held = heldIn(field, access);
  if (held === undefined) return false;
  if (!(held instanceof Region)) return member(field.set, held);
  return named && held.extent !== 'all' ? member(field.set, held.named) : held.meets(field.set);
}

function heldIn(field: FieldSet, access: Access): Held | undefined {
  return Object.hasOwn(access.fields, field.key) ? access.fields[field.key] : undefined;
}

function chain(fields: readonly FieldSet[]): ReadyField | undefined {
  return fields.reduceRight<ReadyField | undefined>((next, field) => new ReadyField(field, next), undefined);
}

/** Whether a held value is the absence of an argument. */
export function isMissing(held: Held | undefined): boolean {
  return held === missing;
}
