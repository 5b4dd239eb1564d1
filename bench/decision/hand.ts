/**
 * The peer: what a careful engineer writes by hand for exactly these rules. Tool and verb are looked up in maps, each rule is
 * one closure over what it needs, and paths are compared as texts wherever a glob allows it. It knows no denial, no region, no
 * unknown argument and no second opinion by a prover.
 */
import type { BareCall } from '../workload/generate.js';
import type { RuleArguments, WorkloadRule } from '../workload/workload.js';

/** The answer names its reason: the rule, or a code. */
export type HandAnswer =
  | { readonly allow: true; readonly rule: string }
  | { readonly allow: false; readonly code: 'no_such_tool' | 'no_rule' };

/** Judges calls by the rules. */
export type HandIndex = (call: BareCall) => HandAnswer;

interface HandRule {
  readonly answer: HandAnswer;
  readonly holds: (call: BareCall) => boolean;
}

const noSuchTool: HandAnswer = Object.freeze({ allow: false, code: 'no_such_tool' });
const noRule: HandAnswer = Object.freeze({ allow: false, code: 'no_rule' });

/** Compiles the rules. */
export function handIndex(rules: readonly WorkloadRule[]): HandIndex {
  const index = new Map<string, Map<string, HandRule[]>>();
  for (const rule of rules) {
    const verbs = index.get(rule.tool) ?? new Map<string, HandRule[]>();
    index.set(rule.tool, verbs);
    const list = verbs.get(rule.verb) ?? [];
    verbs.set(rule.verb, list);
    list.push({ answer: Object.freeze({ allow: true, rule: rule.id }), holds: ruleTest(rule) });
  }
  return (call) => {
    const list = index.get(call.tool)?.get(call.verb);
    if (list === undefined) return noSuchTool;
    for (const rule of list) if (rule.holds(call)) return rule.answer;
    return noRule;
  };
}

/** Cheap tests first. */
function ruleTest(rule: WorkloadRule): (call: BareCall) => boolean {
  const path = pathTest(rule.resource);
  const args = argumentTests(rule.args);
  return ({ resource, args: given }) => {
    if (!path(resource)) return false;
    for (const test of args) if (!test(given)) return false;
    return true;
  };
}

function argumentTests({
  mode,
  size,
  host,
  ref,
}: RuleArguments): readonly ((args: BareCall['args']) => boolean)[] {
  const tests: ((args: BareCall['args']) => boolean)[] = [];
  if (size !== undefined) {
    const { min, max } = size;
    tests.push(
      ({ size: value }) => value !== undefined && value >= min && value <= max && Number.isInteger(value),
    );
  }
  if (mode !== undefined) {
    const known = new Set(mode.enum);
    tests.push(({ mode: value }) => value !== undefined && known.has(value));
  }
  if (host !== undefined) tests.push(({ host: value }) => value?.endsWith(host.suffix) === true);
  if (ref !== undefined) tests.push(({ ref: value }) => value?.startsWith(ref.prefix) === true);
  return tests;
}

/** Paths are canonical: they begin with `/`, and no segment is empty. */
function pathTest(glob: string): (path: string) => boolean {
  const segments = glob.split('/').slice(1);
  const wild = segments.findIndex((segment) => segment.includes('*'));
  const literal = `/${segments.slice(0, wild).join('/')}/`;
  const rest = segments.slice(wild).join('/');
  const from = literal.length;
  if (rest === '**') return (path) => path.length > from && path.startsWith(literal);
  if (rest === '*')
    return (path) => path.length > from && path.startsWith(literal) && !path.includes('/', from);
  if (rest.startsWith('*.')) {
    const ending = rest.slice(1);
    return (path) => path.startsWith(literal) && path.endsWith(ending) && !path.includes('/', from);
  }
  if (rest.startsWith('**/*.')) {
    const ending = rest.slice('**/*'.length);
    return (path) => path.startsWith(literal) && path.endsWith(ending);
  }
  return folderBelowAny(literal, rest);
}

/** `/root/` and then one segment, a literal one, and whatever stands beneath. */
function folderBelowAny(literal: string, rest: string): (path: string) => boolean {
  const [star, folder, deep] = rest.split('/');
  if (star !== '*' || folder === undefined || deep !== '**')
    throw new Error(`a glob of another kind: ${rest}`);
  const middle = `/${folder}/`;
  const from = literal.length;
  return (path) => {
    if (!path.startsWith(literal)) return false;
    const cut = path.indexOf('/', from);
    return cut > from && path.startsWith(middle, cut) && path.length > cut + middle.length;
  };
}
