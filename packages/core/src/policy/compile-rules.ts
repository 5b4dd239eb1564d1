/** The rules of one agent for one tool: compiled once a compile, and taken over where they say what they said before. */
import type { FieldContext, References, ToolFrame } from '../connector/index.js';
import { type NotApplying, type ToolRule, protectedRules, ruleForTool } from './boxes.js';
import type { ListName } from './boxes.js';
import type { AgentInput } from './compile-input.js';
import type { AgentParts } from './made.js';
import type { RuleIndex, RuleUse } from './rule-index.js';
import { mentionsReferences, rulePrint } from './rule-print.js';
import type { ToolRules } from './tool-policy.js';
import type { Work } from './work.js';

/** What compiling the rules of an agent needs. */
export interface RulesInput {
  readonly input: AgentInput;
  readonly index: RuleIndex;
  readonly parts: AgentParts;
}

/** Compiles the rules of one agent. */
export class RuleCompiler {
  readonly #in: AgentInput;
  readonly #index: RuleIndex;
  readonly #parts: AgentParts;
  readonly #applied = new Map<RuleUse, Map<ToolFrame, ToolRule | NotApplying>>();
  readonly #prints = new Map<RuleUse, string>();
  readonly #elsewhere = new Map<ToolFrame, ReadonlyMap<string, Kept>>();
  readonly #protected: string;

  constructor({ input, index, parts }: RulesInput) {
    this.#in = input;
    this.#index = index;
    this.#parts = parts;
    this.#protected = JSON.stringify(input.input.protectedPaths);
  }

  /** A rule as it applies to a tool; the very same each time. */
  apply(use: RuleUse, frame: ToolFrame): ToolRule | NotApplying {
    const byFrame = this.#applied.get(use) ?? new Map<ToolFrame, ToolRule | NotApplying>();
    this.#applied.set(use, byFrame);
    const known = byFrame.get(frame);
    if (known !== undefined) return known;
    const fresh = this.#compiled(use, frame);
    byFrame.set(frame, fresh);
    return fresh;
  }

  /** Everything that is said of a tool; undefined where no allow rule and no denial mentions it. */
  *rulesOf(frame: ToolFrame): Work<ToolRules | undefined> {
    const found: Record<ListName, ToolRule[]> = { allow: [], ask: [], deny: [], limit: [], grant: [] };
    for (const use of this.#index.for(frame.tool)) {
      const applied = this.apply(use, frame);
      if ('boxes' in applied) found[use.list].push(applied);
      // Without schemas this may come after the load: what takes away and cannot be read takes everything away.
      else if ('broken' in applied && !admits(use.list)) return undefined;
      yield;
    }
    const { allow, ask, deny } = found;
    if (allow.length + ask.length + deny.length === 0) return undefined;
    const limits = this.#limitsOf(found.limit);
    const counted = limits.flatMap(({ name, uses, per, region }) => [name, uses, per, region]);
    const lists = [allow, ask, deny].flatMap((list) => [list.length, ...list]);
    return this.#parts.lists.take(frame, '', [this.#protected, ...lists, ...counted], () => {
      const judged = allow.flatMap((rule) => rule.keys);
      const guards = protectedRules(this.#in.input.protectedPaths, frame, judged);
      return { allow, ask, deny: [...deny, ...guards], limits, frame };
    });
  }

  #limitsOf(regions: readonly ToolRule[]): ToolRules['limits'] {
    return this.#in.agent.limits.flatMap(({ name, uses, per, region: { path } }) => {
      const region = regions.find((each) => each.path === path);
      return region === undefined ? [] : [{ name, uses, per, region }];
    });
  }

  /** Taken over from before, from another place of the document too; otherwise made. What was told of a rule is told again. */
  #compiled(use: RuleUse, frame: ToolFrame): ToolRule | NotApplying {
    const { list, source } = use;
    const given = this.#given(use);
    const { rules } = this.#parts;
    const known = rules.find(frame, source.path, given);
    if (known !== undefined) return known.made;
    const moved = this.#movedHere(frame, given);
    if (moved !== undefined)
      return rules.keep(frame, source.path, given, { ...moved.made, path: source.path });
    const { problems, findings } = this.#in.expect;
    const told = problems.length + findings.length;
    const meant = list === 'grant' ? 'allow' : list;
    const made = ruleForTool(this.#context(list), meant, source, frame);
    const silent = problems.length + findings.length === told;
    return 'boxes' in made && silent ? rules.keep(frame, source.path, given, made) : made;
  }

  /** What a rule is made of: what it says, and what its references stand for. */
  #given(use: RuleUse): Given {
    const print = this.#prints.get(use) ?? rulePrint(use.list, use.source);
    this.#prints.set(use, print);
    return [print, mentionsReferences(print) ? this.#in.references : undefined];
  }

  /** A rule of before that said the same in another place. */
  #movedHere(frame: ToolFrame, [print, references]: Given): Kept | undefined {
    const known = this.#elsewhere.get(frame) ?? byPrint(this.#parts.rules.before(frame).values());
    this.#elsewhere.set(frame, known);
    const found = known.get(print);
    return found?.given[1] === references ? found : undefined;
  }

  #context(list: ListName): FieldContext {
    const { expect, references } = this.#in;
    return { expect, references, polarity: admits(list) ? 'admit' : 'refuse' };
  }
}

/** Whether rules of the list say what is allowed: those of a skill's grant do. */
function admits(list: ListName): boolean {
  return list === 'allow' || list === 'grant';
}

type Given = readonly [print: string, references: References | undefined];

interface Kept {
  readonly given: readonly unknown[];
  readonly made: ToolRule;
}

function byPrint(kept: Iterable<Kept>): ReadonlyMap<string, Kept> {
  return new Map([...kept].map((each) => [String(each.given[0]), each]));
}
