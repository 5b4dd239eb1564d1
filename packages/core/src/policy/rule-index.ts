/** Which rules of an agent concern a tool. */
import { type ServerName, type ToolName, splitToolName } from '../ground/index.js';
import type { ListName } from './boxes.js';
import type { AgentSource, RuleSource, ToolPattern } from './document.js';
import { type Work, finish, withEach } from './work.js';

/** A rule and the list that it stands in. */
export interface RuleUse {
  readonly list: ListName;
  readonly source: RuleSource;
}

/** Finds rules by exact tool name first; patterns and rules without tools are tried one by one. */
export class RuleIndex {
  /** Every rule: allow, ask, deny, the regions of limits, and the grants of skills. */
  readonly uses: readonly RuleUse[];
  readonly #exact = new Map<string, RuleUse[]>();
  readonly #open: readonly RuleUse[];

  private constructor(agent: AgentSource) {
    const of = (list: ListName, rules: readonly RuleSource[]): readonly RuleUse[] =>
      rules.map((source) => ({ list, source }));
    const regions = agent.limits.map(({ region }) => region);
    this.uses = [
      ...of('allow', agent.allow),
      ...of('ask', agent.ask),
      ...of('deny', agent.deny),
      ...of('limit', regions),
      ...agent.skills.flatMap(({ grant }) => of('grant', grant)),
    ];
    this.#open = this.uses.filter(({ source }) => source.tools?.some((tool) => tool.glob) ?? true);
  }

  /** The index of an agent's rules. */
  static of(agent: AgentSource): RuleIndex {
    return finish(RuleIndex.inSteps(agent));
  }

  /** As {@link of}, with rests in between. */
  static *inSteps(agent: AgentSource): Work<RuleIndex> {
    const index = new RuleIndex(agent);
    yield* withEach(index.uses, (use) => {
      for (const { server, tool, glob } of use.source.tools ?? []) {
        if (!glob) index.#note(`${server}/${tool}`, use);
      }
    });
    return index;
  }

  #note(tool: string, use: RuleUse): void {
    const known = this.#exact.get(tool);
    if (known === undefined) this.#exact.set(tool, [use]);
    else known.push(use);
  }

  /** The rules that name the tool, exactly, by pattern, or by naming none. */
  for(tool: ToolName): readonly RuleUse[] {
    const exact = this.#exact.get(tool) ?? [];
    if (this.#open.length === 0) return exact;
    const named = new Set(exact);
    const { server, tool: name } = splitToolName(tool);
    const matching = this.#open.filter(
      (use) =>
        !named.has(use) && (use.source.tools?.some((pattern) => matchesTool(pattern, server, name)) ?? true),
    );
    return [...exact, ...matching];
  }
}

/** Whether a pattern names a tool: `*` stands for any characters. */
export function matchesTool(pattern: ToolPattern, server: ServerName, tool: string): boolean {
  if (pattern.server !== server) return false;
  if (!pattern.glob) return pattern.tool === tool;
  if (tool.startsWith('@')) return false;
  const parts = pattern.tool.split('*');
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!tool.startsWith(first) || tool.length < first.length + last.length || !tool.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = tool.indexOf(part, at);
    if (found < 0 || found + part.length > tool.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
