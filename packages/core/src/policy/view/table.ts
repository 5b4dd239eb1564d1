/** Which choices are admitted together: a product of choices where arguments do not hang together, else several. */
import { fingerprint, member } from '../../authority/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { type Argument, isAbsence, isCovered, isWithin } from './argument.js';
import { type Choice, choicesAt } from './choice.js';
import type { Demand, Demands, Part } from './demand.js';
import { Trial } from './trial.js';

/** What one argument may be. */
export interface Allowed {
  readonly argument: Argument;
  readonly choices: readonly Choice[];
  /** Where it may be left out: whether it is there in the end all the same. */
  readonly filled: boolean;
  /** Whether it may be left out wherever it may be given. */
  readonly spare: boolean;
}

/** Choices by argument name that are admitted with each other, whichever is taken of each. */
export type Product = ReadonlyMap<string, readonly Choice[]>;

/** What the arguments of a tool may be. */
export interface Table {
  /** Each by itself. */
  readonly allowed: readonly Allowed[];
  /** Where arguments hang together: a call is in one of these products. Undefined: they do not, or in too many ways to list. */
  readonly products: readonly Product[] | undefined;
  /** False where arguments hang together in too many ways to list: then more is left than is admitted. */
  readonly complete: boolean;
}

/** Most combinations that are tried, and most products that are told. */
const mostTrials = 1024;
const mostProducts = 64;

/** Tries every choice of each judged argument, alone where rules agree on it and together where they do not. */
export function tableOf(policy: ToolPolicy, demands: Demands, args: readonly Argument[]): Table {
  const judged = args.filter(({ kind }) => kind === 'judged');
  const alone = judged.filter(
    (argument) => !isTangled(argument, judged) && all(demands).every((demand) => agrees(demand, argument)),
  );
  const bound = judged.filter((argument) => !alone.includes(argument));
  const single = alone.map((argument) => tried(policy, demands, argument));
  const { allowed, products, complete } = combined(policy, demands, gathered(demands, bound, judged));
  return { allowed: [...single, ...allowed, ...allowed.flatMap(spread)], products, complete };
}

/** What a group may be holds for each of its members. */
function spread({ argument: { group }, choices }: Allowed): readonly Allowed[] {
  const given: readonly Choice[] = choices.some((choice) => !isMissing(choice)) ? [{ kind: 'any' }] : [];
  const all: readonly Choice[] = [...choices.filter(isMissing), ...given];
  return (group?.members ?? []).map((argument) => ({ argument, choices: all, filled: false, spare: false }));
}

/** Arguments of which rules say no more than whether they may be there, and that for the same reasons, as one. */
function gathered(
  demands: Demands,
  bound: readonly Argument[],
  judged: readonly Argument[],
): readonly Argument[] {
  const groups = new Map<string, Argument[]>();
  const others: Argument[] = [];
  for (const argument of bound) {
    const group =
      isAlike(argument, demands) && !isTangled(argument, judged) ? roomFor(argument, demands) : undefined;
    if (group === undefined) others.push(argument);
    else groups.set(group, [...(groups.get(group) ?? []), argument]);
  }
  const together = [...groups.values()].flatMap((members): readonly Argument[] => {
    const [first, second] = members;
    if (first === undefined || second === undefined) return members;
    const named = members.find(({ group }) => group !== undefined)?.group?.named;
    return [
      {
        ...first,
        name: `any of ${members.map(({ name }) => name).join()}`,
        group: { members: members.filter(({ group }) => group === undefined), named },
      },
    ];
  });
  return [...others, ...together];
}

function isAlike(argument: Argument, demands: Demands): boolean {
  const { keys, required, path, info } = argument;
  if (required || path.length > 1 || (info.nullable && isAbsence(info) && argument.group === undefined))
    return false;
  return all(demands).every(({ allow, deny }) =>
    [...allow, ...deny].every(({ said }) => said.every(({ key }) => keys.every((each) => each.key !== key))),
  );
}

function roomFor(argument: Argument, demands: Demands): string {
  return all(demands)
    .map(({ allow }) => allow.map(({ cover }) => Number(isCovered(cover, argument.path))).join(''))
    .join(' ');
}

function all({ must, may }: Demands): readonly Demand[] {
  return [...must, ...may];
}

/** Whether it stands in another one, or another one in it, or both feed one field. */
function isTangled(argument: Argument, others: readonly Argument[]): boolean {
  const { path } = argument;
  const fields = fieldsOf(argument);
  return others.some(
    (other) =>
      isWithin(path, other.path) ||
      isWithin(other.path, path) ||
      (other !== argument && fieldsOf(other).some((field) => fields.includes(field))),
  );
}

/** Fields of the connector that it feeds. */
function fieldsOf({ keys }: Argument): readonly string[] {
  return keys.flatMap(({ key }) => (key.includes('<') ? [key.slice(key.lastIndexOf('<'))] : []));
}

/** Whether all rules say the same of the argument, and no denial hangs it together with another one. */
function agrees({ allow, deny }: Demand, argument: Argument): boolean {
  const said = new Set(allow.map((part) => saidOf(part, argument)));
  return (
    said.size <= 1 &&
    deny.every((part) => part.said.length < 2 || saidOf(part, argument) === saidOf(none, argument))
  );
}

const none: Part = { said: [], cover: undefined, beside: '' };

function saidOf({ said, cover }: Part, argument: Argument): string {
  const own = said.filter((one) => argument.keys.some(({ key }) => key === one.key));
  const texts = own.map(({ key, set }) => `${key}=${fingerprint(set)}`).sort();
  return `${texts.join(';')} ${String(isCovered(cover, argument.path))}`;
}

function tried(policy: ToolPolicy, demands: Demands, argument: Argument): Allowed {
  const trial = new Trial(policy, demands, { args: [argument], apart: false });
  let filled = true;
  const choices = choicesAt(argument, all(demands)).filter((choice) => {
    const outcome = trial.admits([choice]);
    if (choice.kind === 'missing' && outcome !== undefined) filled = outcome.given.has(argument.name);
    return outcome !== undefined;
  });
  return { argument, choices, filled, spare: choices.some(isMissing) };
}

function isMissing({ kind }: Choice): boolean {
  return kind === 'missing';
}

interface Axis {
  readonly argument: Argument;
  readonly choices: readonly Choice[];
}

function combined(policy: ToolPolicy, demands: Demands, args: readonly Argument[]): Table {
  if (args.length === 0) return { allowed: [], products: undefined, complete: true };
  const axes = args.map((argument) => ({ argument, choices: choicesOf(argument, demands) }));
  const size = axes.reduce((product, { choices }) => product * choices.length, 1);
  if (size > mostTrials) return byRule(policy, demands, axes);
  const grid = new Grid(policy, demands, axes);
  const products = grid.products();
  const allowed = axes.map(({ argument, choices }): Allowed => {
    const found = new Set(products.flatMap((product) => product.get(argument.name) ?? []));
    const name = argument.name;
    return {
      argument,
      choices: choices.filter((choice) => found.has(choice)),
      filled: grid.filled.has(name),
      spare: products.every((product) => product.get(name)?.some(isMissing) === true),
    };
  });
  const told = products.length > 1 && products.length <= mostProducts;
  return { allowed, products: told ? products : undefined, complete: products.length <= mostProducts };
}

/** Of a group one value of one of its members stands for all. */
function choicesOf(argument: Argument, demands: Demands): readonly Choice[] {
  const choices = choicesAt(argument, all(demands));
  if (argument.group === undefined) return choices;
  const given = choices.find((choice) => !isMissing(choice));
  return [...choices.filter(isMissing), ...(given === undefined ? [] : [given])];
}

/** Too much to try together: one product for each choice of one rule a demand; what only several rules give is not told. */
function byRule(policy: ToolPolicy, demands: Demands, axes: readonly Axis[]): Table {
  const list = all(demands);
  const count = list.reduce((product, { allow }) => product * Math.max(1, allow.length), 1);
  if (count > mostProducts)
    return { allowed: axes.map((axis) => loosely(demands, axis)), products: undefined, complete: false };
  let ways: readonly Demands[] = [{ ...demands, must: [], may: [] }];
  for (const demand of list) {
    const deny = demand.deny.filter(({ said }) => said.length === 1);
    const parts = demand.allow.length === 0 ? [[]] : demand.allow.map((part) => [part]);
    const of = demands.must.includes(demand) ? 'must' : 'may';
    ways = ways.flatMap((way) =>
      parts.map((allow) => ({ ...way, [of]: [...way[of], { ...demand, allow, deny }] })),
    );
  }
  const products = ways.flatMap((way): readonly Product[] => {
    const each = axes.map(({ argument, choices }) => {
      const trial = new Trial(policy, way, { args: [argument], apart: false });
      return [argument.name, choices.filter((choice) => trial.admits([choice]) !== undefined)] as const;
    });
    return each.some(([, choices]) => choices.length === 0) ? [] : [new Map(each)];
  });
  const allowed = axes.map(({ argument, choices }): Allowed => {
    const found = new Set(products.flatMap((product) => product.get(argument.name) ?? []));
    return { argument, choices: choices.filter((choice) => found.has(choice)), filled: false, spare: false };
  });
  return { allowed, products: products.length > 1 ? products : undefined, complete: false };
}

/** Everything that each demand has some rule for. */
function loosely(demands: Demands, { argument, choices }: Axis): Allowed {
  const possible = choices.filter((choice) =>
    all(demands).every(({ allow }) => allow.some((part) => takes(part, argument, choice))),
  );
  return { argument, choices: possible, filled: false, spare: false };
}

function takes({ said, cover }: Part, argument: Argument, choice: Choice): boolean {
  if (choice.kind === 'missing') return true;
  if (!isCovered(cover, argument.path)) return false;
  if (choice.kind !== 'value') return true;
  return said.every(
    ({ key, set }) => argument.keys.every((each) => each.key !== key) || member(set, choice.sample),
  );
}

/** All combinations of the choices of a few arguments, and which of them are admitted. */
class Grid {
  readonly #axes: readonly Axis[];
  readonly #trial: Trial;
  readonly #nodes = new Map<string, Node>();
  /** Arguments that are there in the end whenever they may be left out. */
  readonly filled: Set<string>;

  constructor(policy: ToolPolicy, demands: Demands, axes: readonly Axis[]) {
    this.#axes = axes;
    const args = axes.map(({ argument }) => argument);
    this.filled = new Set(args.map(({ name }) => name));
    this.#trial = new Trial(policy, demands, { args, apart: true });
  }

  /** As few products as the order of arguments gives; none: nothing is admitted. */
  products(): readonly Product[] {
    const root = this.#node([]);
    return this.#paths(root, 0).map((path) => new Map(path));
  }

  #node(taken: readonly Choice[]): Node {
    const axis = this.#axes[taken.length];
    if (axis === undefined) return this.#try(taken) ? end : dead;
    const groups = new Map<Node, Choice[]>();
    for (const choice of axis.choices) {
      const next = this.#node([...taken, choice]);
      if (next !== dead) groups.set(next, [...(groups.get(next) ?? []), choice]);
    }
    if (groups.size === 0) return dead;
    const branches = [...groups].map(([next, choices]) => ({ next, choices }));
    const text = `${taken.length}:${branches.map(({ next, choices }) => `${next.id}=${choices.map((one) => axis.choices.indexOf(one)).join('.')}`).join(';')}`;
    const known = this.#nodes.get(text) ?? { id: this.#nodes.size + 2, branches };
    this.#nodes.set(text, known);
    return known;
  }

  #try(choices: readonly Choice[]): boolean {
    const outcome = this.#trial.admits(choices);
    if (outcome === undefined) return false;
    for (const [at, { argument }] of this.#axes.entries())
      if (choices[at]?.kind === 'missing' && !outcome.given.has(argument.name))
        this.filled.delete(argument.name);
    return true;
  }

  #paths(node: Node, depth: number): readonly (readonly (readonly [string, readonly Choice[]])[])[] {
    const axis = this.#axes[depth];
    if (axis === undefined) return node === end ? [[]] : [];
    const name = axis.argument.name;
    const found: (readonly (readonly [string, readonly Choice[]])[])[] = [];
    for (const { next, choices } of node.branches) {
      for (const rest of this.#paths(next, depth + 1)) {
        found.push([[name, choices] as const, ...rest]);
        if (found.length > mostTrials) return found;
      }
    }
    return found;
  }
}

/** What may follow after some choices; equal ones are the same object. */
interface Node {
  readonly id: number;
  readonly branches: readonly { readonly next: Node; readonly choices: readonly Choice[] }[];
}

const dead: Node = { id: 0, branches: [] };
const end: Node = { id: 1, branches: [] };
