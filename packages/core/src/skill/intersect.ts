/** Manifest and live grant meet: which capabilities lie wholly inside, and what the skill may do with them. */
import { Steps, usualSteps } from '../authority/index.js';
import { type JsonObject, Expect, isJsonArray, nodeOf, own, toolName } from '../ground/index.js';
import {
  type CompiledPolicy,
  type ExecutorPolicy,
  type OverReachMode,
  type RuleFactor,
  type RuleSource,
  readRules,
} from '../policy/index.js';
import { type NameContext, resolveName, ruleOfAllowed } from './allowed-tools.js';
import type { Capability, SkillManifest, SkillTool } from './manifest.js';

/** A capability that is not granted, and why. */
export interface Ungranted {
  readonly capability: string;
  readonly why: string;
}

/** What came of it. */
export interface Intersection {
  readonly mode: OverReachMode;
  readonly granted: readonly string[];
  readonly ungranted: readonly Ungranted[];
  /** Tools of the skill that need something that is not granted. */
  readonly masked: readonly string[];
  /** Items of `allowed-tools` that mean nothing here: they grant nothing. */
  readonly unresolved: readonly string[];
  /** The executor as it may act for the skill: inside its own authority, the grant, and what the skill asked for and got. */
  readonly acting: ExecutorPolicy;
  /** The same for one tool of the skill: of what the skill got, no more than the capabilities that the tool needs. */
  readonly actingFor: (tool: Pick<SkillTool, 'needs'>) => ExecutorPolicy;
}

/** Where a manifest meets authority. */
export interface IntersectRequest {
  readonly manifest: SkillManifest;
  readonly executor: ExecutorPolicy;
  readonly settings: Pick<CompiledPolicy['settings'], 'skillNames'>;
  /** Capabilities that count at most: what was granted when the skill was loaded. All unless told. */
  readonly atMost?: ReadonlySet<string>;
  /** Nobody signed it: nothing is granted. */
  readonly unsigned?: boolean;
}

const place = { line: 1, column: 1 } as const;

/**
 * INVARIANT(S003.manifest-meets-grant): a capability is granted iff it is proved to lie wholly inside the executor's authority, the grant for
 * the skill, and the skill's own ceiling; what cannot be proved is not granted. Pure, and never throws.
 */
export function intersect(request: IntersectRequest): Intersection {
  const { manifest, executor, settings, unsigned = false } = request;
  const atMost = unsigned ? undefined : request.atMost;
  const { skills } = executor;
  const { name, allowedTools } = manifest.frontmatter;
  const names: NameContext = { names: settings.skillNames, fieldsOf: (tool) => skills.fieldsOf(tool) };
  const grant = skills.grants.get(name);
  const allowed = (allowedTools ?? []).map((item) => ({
    item,
    rule: said(ruleOfAllowed(item, names), executor),
  }));
  const ceiling = allowedTools && factorOf(allowed.flatMap(({ rule }) => (rule === undefined ? [] : [rule])));
  const bounds = [
    ...(unsigned ? [nothing] : grantFactor(manifest, grant?.grant)),
    ...(ceiling === undefined ? [] : [ceiling]),
  ];
  const asked = manifest.capabilities.map((capability) => askedFor(capability, names));
  const around: Around = { executor, bounds, atMost, steps: new Steps(usualSteps) };
  const judged = asked.map((one) => ({
    ...one,
    why: unsigned ? nobodySigned : (one.why ?? whyNot(one, around)),
  }));
  const ungranted = judged.flatMap(({ capability, why }) => (why === undefined ? [] : [{ capability, why }]));
  const granted = judged.filter(({ why }) => why === undefined);
  const got = new Set(granted.map(({ capability }) => capability));
  const ceilingOf = (some: readonly Asked[]): RuleFactor => ({
    rules: some.flatMap(({ rules }) => rules),
    by: 'skill',
  });
  const own: readonly RuleFactor[] = declaresNothing(manifest) ? [] : [ceilingOf(granted)];
  return Object.freeze({
    mode: grant?.mode ?? 'fail_closed',
    granted: [...got],
    ungranted,
    masked: manifest.tools
      .filter(({ needs }) => needs.some((need) => !got.has(need)))
      .map((tool) => tool.name),
    unresolved: allowed.flatMap(({ item, rule }) => (rule === undefined ? [item.text] : [])),
    acting: skills.acting([...bounds, ...own]),
    actingFor: ({ needs }: Pick<SkillTool, 'needs'>) =>
      skills.acting([...bounds, ceilingOf(granted.filter(({ capability }) => needs.includes(capability)))]),
  });
}

/** An item of `allowed-tools` as a rule, if it says something of its tool that can be read. */
function said(rule: JsonObject | undefined, { skills }: ExecutorPolicy): JsonObject | undefined {
  if (rule === undefined) return undefined;
  const factor = factorOf([rule]);
  const tools = factor.rules.flatMap((source) => source.tools ?? []);
  const reads = tools.some(
    ({ server, tool }) => skills.alone(factor, toolName(server, tool))?.reachable === true,
  );
  return reads ? rule : undefined;
}

const nothing: RuleFactor = Object.freeze({ rules: [], by: 'skill' });
const nobodySigned = 'nobody signed the skill: it gets the sandbox and nothing else';

/** A skill that asks for nothing has no ceiling of its own: the executor's authority and the grant bound it alone. */
function declaresNothing({ capabilities, tools }: SkillManifest): boolean {
  return capabilities.length === 0 && tools.length === 0;
}

/** Without a grant in the policy a skill that asks for anything is granted nothing. */
function grantFactor(
  manifest: SkillManifest,
  grant: readonly RuleSource[] | undefined,
): readonly RuleFactor[] {
  if (grant !== undefined) return [{ rules: grant, by: 'document' }];
  return declaresNothing(manifest) ? [] : [{ rules: [], by: 'document' }];
}

interface Asked {
  readonly capability: string;
  readonly rules: readonly RuleSource[];
  readonly why: string | undefined;
}

/** The capability as a rule, its names resolved. */
function askedFor({ name, rule }: Capability, names: NameContext): Asked {
  const unknown = unresolvedIn(rule, names);
  if (unknown !== undefined)
    return { capability: name, rules: [], why: `skills.names does not say what ${unknown} is` };
  const expect = new Expect();
  const rules = rulesOf(expect, [resolved(rule, names)], name);
  const [problem] = expect.problems;
  const why = problem === undefined ? undefined : `found ${problem.found}; allowed: ${problem.allowed}`;
  return { capability: name, rules, why };
}

/** What capabilities are held against. */
interface Around {
  readonly executor: ExecutorPolicy;
  readonly bounds: readonly RuleFactor[];
  readonly atMost: ReadonlySet<string> | undefined;
  readonly steps: Steps;
}

function whyNot(
  { capability, rules }: Asked,
  { executor, bounds, atMost, steps }: Around,
): string | undefined {
  if (atMost?.has(capability) === false) return 'it was not granted when the skill was loaded';
  for (const rule of rules) {
    const holding = executor.skills.holds(rule, bounds, steps);
    if (holding.kind === 'outside') return holding.why;
  }
  return undefined;
}

function unresolvedIn(rule: JsonObject, names: NameContext): string | undefined {
  return bareNames(rule).find((tool) => resolveName(tool, names) === undefined);
}

/** Tools that go by another name than `server/tool`. */
function bareNames(rule: JsonObject): readonly string[] {
  const tools = own(rule, 'tools');
  return (isJsonArray(tools) ? tools : [])
    .filter((tool) => typeof tool === 'string')
    .filter((tool) => !tool.includes('/'));
}

function resolved(rule: JsonObject, names: NameContext): JsonObject {
  const tools = own(rule, 'tools');
  if (!isJsonArray(tools)) return rule;
  const named = tools.map((tool) =>
    typeof tool === 'string' && !tool.includes('/') ? (resolveName(tool, names) ?? tool) : tool,
  );
  return { ...rule, tools: named };
}

function factorOf(rules: readonly JsonObject[]): RuleFactor {
  return { rules: rulesOf(new Expect(), rules, 'allowed-tools'), by: 'skill' };
}

function rulesOf(expect: Expect, rules: readonly JsonObject[], path: string): readonly RuleSource[] {
  return readRules(expect, 'grant', { node: nodeOf([...rules], place), path });
}
