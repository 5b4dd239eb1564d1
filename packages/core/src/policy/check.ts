/** Where a rule points: servers, tools, verbs and fields that are there, and some call that it could match. */
import type { Box } from '../authority/index.js';
import { type ToolFrame, possible, verbsOf } from '../connector/index.js';
import type { NotApplying, ToolRule } from './boxes.js';
import type { AgentInput } from './compile-input.js';
import type { ToolPattern } from './document.js';
import { delegateTool, ownServer } from './own-tools.js';
import { type RuleUse, matchesTool } from './rule-index.js';
import { type ServerFrame, schemalessTool } from './tool.js';

/** A rule that is being checked. */
export interface RuleCheck {
  readonly context: AgentInput;
  readonly use: RuleUse;
  /** What the rule is for one tool. */
  readonly apply: (frame: ToolFrame) => ToolRule | NotApplying;
}

/** Notes what is wrong with where a rule points, pattern by pattern. */
export function checkRule(check: RuleCheck): void {
  const { context, use } = check;
  if (use.source.tools === undefined) {
    const frames = [...context.servers.values()].flatMap(framesOf);
    if (context.input.tools !== undefined) checkSpread(check, frames);
    return;
  }
  for (const pattern of use.source.tools) {
    const server = context.servers.get(pattern.server);
    if (server === undefined) {
      const known =
        pattern.server === ownServer
          ? `${delegateTool} of an agent with the key delegate`
          : [...context.servers.keys()].join(', ') || 'no server is declared';
      context.expect.problem(pattern.at, use.source.path, `server ${pattern.server}`, known);
    } else if (pattern.glob) {
      const frames = framesOf(server).filter((frame) => matchesTool(pattern, server.name, toolPart(frame)));
      if (server.tools !== undefined) checkSpread(check, frames, pattern);
    } else checkExact(check, server, pattern);
  }
}

/** Every tool of a server whose schema is known. */
export function framesOf(server: ServerFrame): readonly ToolFrame[] {
  return [...(server.tools?.values() ?? [])].map((tool) => tool.frame);
}

function toolPart(frame: ToolFrame): string {
  return frame.tool.slice(frame.tool.indexOf('/') + 1);
}

function checkExact(check: RuleCheck, server: ServerFrame, pattern: ToolPattern): void {
  const known = server.tools?.get(pattern.tool)?.frame;
  const frame = server.tools === undefined ? schemalessTool(server, pattern.tool) : known;
  if (frame !== undefined) {
    checkTool(check, frame);
    return;
  }
  const some = [...(server.tools?.keys() ?? [])].slice(0, 20).join(', ');
  const allowed = `a tool of this server${some === '' ? '' : `: ${some}`}`;
  noteVanished(check, pattern, `tool ${pattern.server}/${pattern.tool}`, allowed);
}

/** An exactly named tool has every verb and field of the rule, and some call of it can match. */
function checkTool(check: RuleCheck, frame: ToolFrame): void {
  const { source } = check.use;
  const { expect } = check.context;
  const applied = check.apply(frame);
  if (hasForeignVerb(check, frame)) return;
  if ('missing' in applied) {
    const { at, name } = applied.missing;
    const allowed = 'a field of the tool, or args.NAME of its schema';
    expect.problem(at, source.path, `field ${name}, which ${frame.tool} does not have`, allowed);
  } else if ('noVerb' in applied) {
    const found = `verbs that no access of ${frame.tool} with these fields has`;
    expect.problem(source.at, source.path, found, 'verbs of the accesses that carry the fields');
  } else if ('boxes' in applied && !couldMatch(frame, applied)) {
    const found = `a rule that no call of ${frame.tool} can match`;
    expect.problem(source.at, source.path, found, 'constraints that some call can meet');
  }
}

/** Notes the verbs of a rule that an exactly named tool does not have. */
function hasForeignVerb({ context, use }: RuleCheck, frame: ToolFrame): boolean {
  const own = verbsOf(frame.table);
  const foreign = (use.source.verbs ?? []).filter(({ verb }) => !own.includes(verb));
  for (const { verb, at } of foreign) {
    context.expect.problem(
      at,
      use.source.path,
      `verb ${verb}, which ${frame.tool} does not have`,
      own.join(', '),
    );
  }
  return foreign.length > 0;
}

function couldMatch(frame: ToolFrame, { boxes }: ToolRule): boolean {
  return boxes.some((box) => couldMeet(frame, box));
}

/** Whether the types and listed values of the schema let some call into the box. */
function couldMeet({ schema }: ToolFrame, box: Box): boolean {
  if (schema === undefined) return true;
  return box.fields.every(({ path, set }) => {
    const [name, deeper] = path ?? [];
    return name === undefined || deeper !== undefined || possible(schema, name, set);
  });
}

function noteVanished(
  check: RuleCheck,
  { at }: Pick<ToolPattern, 'at'>,
  found: string,
  allowed: string,
): void {
  const { context, use } = check;
  if (context.input.vanishedTool === 'problem') context.expect.problem(at, use.source.path, found, allowed);
  else
    context.expect.finding(
      at,
      use.source.path,
      `${found} is ${found.startsWith('no ') ? '' : 'not '}there now`,
    );
}

/** A rule over several tools: an error if no tool takes it, a finding for each that does not. */
function checkSpread(check: RuleCheck, frames: readonly ToolFrame[], pattern?: ToolPattern): void {
  const { source, list } = check.use;
  const { expect } = check.context;
  const at = pattern?.at ?? source.at;
  if (frames.length === 0) {
    const which = pattern === undefined ? 'at all' : `that matches ${pattern.server}/${pattern.tool}`;
    if (list === 'allow' || list === 'grant')
      noteVanished(check, { at }, `no tool ${which}`, 'a pattern that some tool matches');
    else expect.finding(at, source.path, `no tool ${which}: it waits for later ones`);
    return;
  }
  const applied = frames.map((frame) => ({ frame, result: check.apply(frame) }));
  if (!applied.some(({ result }) => 'boxes' in result || 'broken' in result)) {
    noteNone(
      check,
      applied.flatMap(({ result }) => ('missing' in result ? [result.missing] : [])),
    );
    return;
  }
  const matching = applied.some(
    ({ frame, result }) => 'broken' in result || ('boxes' in result && couldMatch(frame, result)),
  );
  if (!matching) {
    expect.problem(
      source.at,
      source.path,
      'a rule that no call of any tool can match',
      'constraints that some call can meet',
    );
  }
  const without = applied.filter(({ result }) => 'missing' in result).map(({ frame }) => frame.tool);
  if (pattern !== undefined && without.length > 0) {
    const names = without.slice(0, 8).join(', ');
    expect.finding(at, source.path, `does not concern ${names}: the tool does not have the field`);
  }
}

/** No tool takes the rule: for want of a field, or of a verb. */
function noteNone(
  { context, use }: RuleCheck,
  missing: readonly { at: ToolPattern['at']; name: string }[],
): void {
  const [field] = missing;
  const { at, path } = use.source;
  if (field === undefined) {
    context.expect.problem(at, path, 'verbs that no tool here has', 'verbs of the tools');
    return;
  }
  const allowed = 'a field of some tool, or args.NAME of some schema';
  context.expect.problem(field.at, path, `field ${field.name}, which no tool here has`, allowed);
}
