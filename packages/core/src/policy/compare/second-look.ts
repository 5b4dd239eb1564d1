/**
 * A path in a raw argument is forwarded in its canonical form, and judged in that form again. What a rule that judges the path lets
 * through at first counts only as far as some rule lets the canonical form through, and no denial takes that away.
 */
import {
  type Box,
  type Bucket,
  type FieldSet,
  type Level,
  type Rule,
  type ValueSet,
  TooManyStates,
  and,
  bucketOf,
  everythingSet,
  includes,
  isByElement,
  levels,
  lower,
  minus,
  nothingSet,
  or,
  textSet,
  textsAnywhere,
} from '../../authority/index.js';
import { argumentName } from '../../connector/index.js';

/** The bucket of an executor's own rules with nothing that the second look refuses, as far as single arguments tell. */
export function afterSecondLook(bucket: Bucket): Bucket {
  const known = looked.get(bucket);
  if (known !== undefined) return known;
  const made = narrowed(bucket);
  looked.set(bucket, made);
  return made;
}

const looked = new WeakMap<Bucket, Bucket>();

/** Whether a rule judges an argument as a path, so that the path is forwarded canonical where the rule admits a call. */
export function judgesPath({ fields }: Box, name: string): boolean {
  return fields.some(
    ({ path, view }) => view === 'path' && path !== undefined && argumentName(path) === name,
  );
}

/** Whether a rule judges an argument as it is sent. */
export function judgesSent({ fields }: Box, name: string): boolean {
  return fields.some(({ key }) => key === name);
}

function narrowed(bucket: Bucket): Bucket {
  const { allow, ask, deny } = bucket;
  const names = mixedNames([...allow, ...ask, ...deny]);
  if (names.length === 0) return bucket;
  const passes = new Map(names.map((name) => [name, passing(bucket, name)]));
  const less = allow.flatMap((rule) => afterBoth(rule, passes));
  return less.every((rule, at) => rule === allow[at]) ? bucket : bucketOf(less, ask, deny);
}

/** By level: values of an argument whose texts the second look may let through at that level; undefined where that cannot be told. */
type Passing = ReadonlyMap<Level, ValueSet> | undefined;

/** The rule as it stands after the second look: less at its own level, and what asks take from that at lower ones. */
function afterBoth(rule: Rule, passes: ReadonlyMap<string, Passing>): readonly Rule[] {
  const found: Rule[] = [];
  let before = rule.box;
  for (const level of levels.slice(levels.indexOf(rule.level))) {
    const box = within(rule.box, (name) => passes.get(name)?.get(level));
    const sets = (of: Box): readonly ValueSet[] => of.fields.map(({ set }) => set);
    const others = sets(before);
    if (found.length > 0 && sets(box).every((set, at) => includes(others[at] ?? nothingSet, set))) continue;
    found.push(box === rule.box && level === rule.level ? rule : { ...rule, level, box });
    before = box;
  }
  return found;
}

/** The box with less of what is judged as a path; the very same where nothing is less. */
function within(box: Box, passing: (name: string) => ValueSet | undefined): Box {
  let changed = false;
  const less = box.within((field) => {
    const passes =
      field.view === 'path' && field.path !== undefined ? passing(argumentName(field.path)) : undefined;
    if (passes === undefined || includes(passes, field.set)) return field;
    changed = true;
    return { ...field, set: and(field.set, passes) };
  });
  return changed ? less : box;
}

/**
 * What a bucket surely holds of calls whose argument of this name is sent in some other form: a rule that judges both the path and
 * the text sent holds what it holds of the canonical form too, and what takes away by the text sent takes away by that form as
 * well. Undefined where a rule says something of lists as such.
 */
export function surelyHeld({ allow, ask, deny }: Bucket, name: string): Bucket | undefined {
  const rules = [...allow, ...ask, ...deny];
  const own = rules.flatMap(({ box }) => box.fields.filter((field) => isOf(field, name)));
  if (!own.every(({ set }) => isByElement(set))) return undefined;
  const both = allow.filter(({ box }) => judgesPath(box, name) && judgesSent(box, name));
  const sentAlone = allow.some(({ box }) => judgesSent(box, name) && !judgesPath(box, name));
  const asSent = (list: readonly Rule[]): readonly Rule[] => [
    ...list,
    ...list.flatMap((rule) => inPath(rule, name)),
  ];
  const lost = sentAlone ? both.map((rule) => withPath(rule, name, minus)) : [];
  const kept = allow.map((rule) => (both.includes(rule) ? withPath(rule, name, and) : rule));
  return bucketOf(kept, asSent(ask), [...asSent(deny), ...lost]);
}

/** The rule with what of its path it also holds as a text, or what it does not. */
function withPath(rule: Rule, name: string, how: (path: ValueSet, texts: ValueSet) => ValueSet): Rule {
  const texts = textsAnywhere((ownTexts(rule.box, name) ?? nothingSet).text);
  const box = rule.box.within((field) =>
    field.key !== name && isOf(field, name) ? { ...field, set: how(field.set, texts) } : field,
  );
  return { ...rule, box };
}

/** A rule that judges what is sent, asked about the canonical form. */
function inPath(rule: Rule, name: string): readonly Rule[] {
  if (!judgesSent(rule.box, name)) return [];
  const box = rule.box.within((field) =>
    field.key === name ? { ...field, key: `${name}|path`, view: 'path' as const } : field,
  );
  return [{ ...rule, box }];
}

/** Arguments that the rules judge both as they are sent and as paths. */
function mixedNames(rules: readonly Rule[]): readonly string[] {
  const paths = new Set<string>();
  const sent = new Set<string>();
  for (const { box } of rules)
    for (const { key, path, view } of box.fields) {
      if (path === undefined) continue;
      if (view === 'path') paths.add(argumentName(path));
      else sent.add(key);
    }
  return [...paths].filter((name) => sent.has(name));
}

function passing({ allow, ask, deny }: Bucket, name: string): Passing {
  const own = (rules: readonly Rule[]): ValueSet | undefined =>
    joined(rules.map(({ box }) => ownTexts(box, name)));
  const alone = (rules: readonly Rule[]): readonly Rule[] =>
    rules.filter(({ box }) => speaksOnlyOf(box, name));
  try {
    const found = new Map<Level, ValueSet>();
    const admitted = own(allow);
    for (const level of levels) {
      const taken = own([...alone(deny), ...alone(ask).filter((rule) => lower(rule.level, level) !== level)]);
      if (admitted === undefined || taken === undefined) return undefined;
      found.set(level, textsAnywhere(minus(admitted, taken).text));
    }
    return found;
  } catch (error) {
    if (error instanceof TooManyStates) return undefined;
    throw error;
  }
}

function joined(sets: readonly (ValueSet | undefined)[]): ValueSet | undefined {
  return sets.reduce<ValueSet | undefined>((all, set) => all && set && or(all, set), nothingSet);
}

/** Texts that a box holds of an argument that is sent in canonical form; undefined where it says something of lists as such. */
function ownTexts(box: Box, name: string): ValueSet | undefined {
  const own = box.fields.filter((field) => isOf(field, name));
  if (!own.every(({ set }) => isByElement(set))) return undefined;
  return own.reduce((texts, { set }) => and(texts, textSet(set.text)), allTexts);
}

const allTexts = textSet(everythingSet.text);

function speaksOnlyOf({ fields, cover }: Box, name: string): boolean {
  return cover === undefined && fields.length > 0 && fields.every((field) => isOf(field, name));
}

/** Whether a field is of the argument, as sent or as a path. */
function isOf({ key, path, view }: FieldSet, name: string): boolean {
  return key === name || (view === 'path' && path !== undefined && argumentName(path) === name);
}
