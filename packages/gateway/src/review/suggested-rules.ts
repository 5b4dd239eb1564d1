/** From the recorded calls of one tool to allow rules. */
import {
  type CompiledPolicy,
  type Json,
  type JsonObject,
  type MountedTool,
  type ToolName,
  argumentName,
  argumentPaths,
  canonicalJson,
  classedPaths,
  propertyAt,
  splitToolName,
} from '@pawl/core';
import { groupBy } from './group.js';
import { fieldConstraintOf } from './field-values.js';
import { boundOf, leavesOf } from './raw-values.js';
import type { RecordedAccess, RecordedCall } from './recorded.js';

/** One suggested allow rule. */
export interface SuggestedRule {
  readonly tools: readonly string[];
  readonly verbs?: readonly string[];
  readonly where?: JsonObject;
  readonly ask?: 'once' | 'session';
  /** Arguments for which it holds far more than what was seen, each with why. */
  readonly wide: readonly string[];
}

type Frame = MountedTool['frame'];

/** Rules that hold the calls, all of one tool; none where the tool is not there now, or holds calls of other tools. */
export function rulesFor(
  policy: CompiledPolicy,
  calls: readonly RecordedCall[],
  most: number,
): readonly SuggestedRule[] {
  const [first] = calls;
  const frame = first && frameOf(policy, first.tool);
  if (frame === undefined || frame.table.calls !== undefined) return [];
  const byLevel = groupBy(calls, ({ level }) => level);
  return [...byLevel].flatMap(([level, some]) =>
    rulesOfLevel(frame, some, most).map((rule) => (level === 'permit' ? rule : { ...rule, ask: level })),
  );
}

function frameOf(policy: CompiledPolicy, name: ToolName): Frame | undefined {
  const { server, tool } = splitToolName(name);
  return policy.servers.get(server)?.tools?.get(tool)?.frame;
}

function rulesOfLevel(frame: Frame, calls: readonly RecordedCall[], most: number): readonly SuggestedRule[] {
  const raw = rawBounds(frame, calls, most);
  const groups = groupBy(
    calls.flatMap(({ accesses }) => (accesses.length === 0 ? [{}] : accesses.filter(isOwn))),
    (access: RecordedAccess) => JSON.stringify([namedFields(frame, access), verbIn(access)]),
  );
  const rules = [...groups.values()].map((accesses): SuggestedRule | undefined => {
    const fields = namedFields(frame, accesses[0] ?? {});
    const named: Record<string, Json> = {};
    for (const field of fields) {
      const values = accesses.map((access) => ({
        path: access[field] ?? '',
        extent: access['extent'] ?? 'exact',
      }));
      const constraint = fieldConstraintOf(frame.fields[field]?.kind ?? '', values, most);
      if (constraint === undefined) return undefined;
      named[field] = constraint;
    }
    const where = whereOf(frame, { named, raw, calls });
    const verb = verbIn(accesses[0] ?? {});
    return {
      tools: [frame.tool],
      ...(verb === undefined ? {} : { verbs: [verb] }),
      ...(where === undefined ? {} : { where }),
      wide: raw.wide,
    };
  });
  return joinedVerbs(rules.filter((rule) => rule !== undefined));
}

/** What words of a command may touch goes with the command. */
function isOwn(access: RecordedAccess): boolean {
  return !('command' in access) || verbIn(access) === 'execute';
}

function verbIn({ verb }: RecordedAccess): string | undefined {
  return verb;
}

/** Fields that a rule has to name: those that arguments feed, without a host that is in the url; else those that a tool has by itself. */
function namedFields({ table, fields }: Frame, access: RecordedAccess): readonly string[] {
  const carried = Object.keys(access).filter((key) => Object.hasOwn(fields, key));
  const sources = (field: string): readonly { readonly ofUrl?: boolean }[] =>
    table.accesses.flatMap((row) => row.fields[field] ?? []);
  const commands = carried.some((field) => fields[field]?.kind === 'command');
  const fed = carried.filter((field) => {
    const own = sources(field);
    return own.length > 0 && !own.every(({ ofUrl }) => ofUrl === true);
  });
  const chosen = fed.length > 0 ? fed : carried;
  return (commands ? chosen.filter((field) => fields[field]?.kind === 'command') : chosen).sort();
}

interface RawBounds {
  readonly bounds: Readonly<Record<string, Json>>;
  readonly wide: readonly string[];
}

/** Constraints on the arguments that the connector does not class; of a tool without connector, on all. */
function rawBounds(frame: Frame, calls: readonly RecordedCall[], most: number): RawBounds {
  const classed = classedPaths(frame.table);
  const isClassed = (path: readonly string[]): boolean =>
    classed.some((own) => own.every((name, at) => path[at] === name));
  const leaves = leavesOf(calls.map(({ args }) => args)).filter(({ path }) => !isClassed(path));
  const bounds: Record<string, Json> = {};
  const wide: string[] = [];
  for (const leaf of leaves) {
    const bound = boundOf(leaf, most);
    bounds[argumentName(leaf.path)] = bound.constraint;
    if (bound.wide !== undefined) wide.push(`${argumentName(leaf.path)}: ${bound.wide}`);
  }
  return { bounds, wide };
}

/** Fields and arguments together. A rule that names an argument has to free what else the tool may be given. */
function whereOf(
  frame: Frame,
  {
    named,
    raw,
    calls,
  }: {
    readonly named: Readonly<Record<string, Json>>;
    readonly raw: RawBounds;
    readonly calls: readonly RecordedCall[];
  },
): JsonObject | undefined {
  const hasRaw = Object.keys(raw.bounds).length > 0;
  if (!hasRaw && Object.keys(named).length > 0) return named;
  if (!hasRaw) return closing(frame, calls);
  const fed = new Set(
    frame.table.accesses.flatMap((row) =>
      Object.entries(row.fields).flatMap(([field, sources]) =>
        Object.hasOwn(named, field) ? sources.map(({ argument }) => argumentName(argument)) : [],
      ),
    ),
  );
  const used = classedPaths(frame.table).filter((path) => mayStand(frame, path, calls));
  const free = used.map(argumentName).filter((name) => !fed.has(name));
  return { ...named, ...raw.bounds, ...Object.fromEntries(free.map((name) => [name, 'any'])) };
}

/** A classed argument that calls may have: payload is not in what was kept of them. */
function mayStand(frame: Frame, path: readonly string[], calls: readonly RecordedCall[]): boolean {
  if (frame.schema === undefined || propertyAt(frame.schema, path).known === 'no') return false;
  const name = path.join('.');
  return (
    frame.table.payload.some((each) => each === name || each === argumentName(path)) ||
    calls.some(({ args }) => Object.hasOwn(args, path[0] ?? ''))
  );
}

/** For calls that name nothing: every argument but payload left out; undefined where the tool has no other. */
function closing(frame: Frame, calls: readonly RecordedCall[]): JsonObject | undefined {
  const classed = new Set(classedPaths(frame.table).map(([name]) => name));
  const names = frame.schema === undefined ? [] : argumentPaths(frame.schema).map(([name]) => name);
  const name = names.find((each) => each !== undefined && !classed.has(each));
  if (name === undefined) return undefined;
  const payload = classedPaths(frame.table).filter((path) => mayStand(frame, path, calls));
  return {
    [argumentName([name])]: 'absent',
    ...Object.fromEntries(payload.map((path) => [argumentName(path), 'any'])),
  };
}

/** Rules that differ in their verb alone become one; a verb is told only where others of the tool need another rule. */
function joinedVerbs(rules: readonly SuggestedRule[]): readonly SuggestedRule[] {
  const byWhere = groupBy(rules, ({ where }) => canonicalJson(where ?? null));
  const fieldsOf = ({ where = {} }: SuggestedRule): string => Object.keys(where).sort().join(' ');
  return [...byWhere.values()].flatMap((same): readonly SuggestedRule[] => {
    const [rule] = same;
    if (rule === undefined) return [];
    const rivals = rules.some((other) => !same.includes(other) && fieldsOf(other) === fieldsOf(rule));
    const { verbs: _, ...rest } = rule;
    const verbs = [...new Set(same.flatMap((each) => each.verbs ?? []))].sort();
    return [rivals && verbs.length > 0 ? { ...rest, verbs } : rest];
  });
}

/** Rules that say the same of several tools become one. */
export function mergedRules(rules: readonly SuggestedRule[]): readonly SuggestedRule[] {
  const key = ({ verbs, where, ask }: SuggestedRule): string =>
    canonicalJson([verbs === undefined ? null : [...verbs], where ?? null, ask ?? null]);
  return [...groupBy(rules, key).values()].flatMap((same) => {
    const [rule] = same;
    if (rule === undefined) return [];
    const tools = [...new Set(same.flatMap(({ tools: some }) => some))].sort();
    return [{ ...rule, tools, wide: [...new Set(same.flatMap(({ wide }) => wide))] }];
  });
}
