/** Findings about granted commands: launchers whose words are free, and path denials beside what runs programs. */
import { freeLaunchers } from '../authority/index.js';
import { type ToolFrame, propertyAt, readsCommands, verbsOf, wordField } from '../connector/index.js';
import type { ToolName } from '../ground/index.js';
import type { ToolRule } from './boxes.js';
import type { AgentInput } from './compile-input.js';
import type { RuleSource } from './document.js';
import type { ToolRules } from './tool-policy.js';
import type { Work } from './work.js';

/** Most names that one finding lists. */
const mostNamed = 8;

/** Notes what is worth knowing about the rules of an agent, tool by tool. */
export function* checkCommands(context: AgentInput, rules: Iterable<ToolRules>): Work<void> {
  const running = new Set<ToolName>();
  const denials = new Set<string>();
  for (const { frame, allow, deny } of rules) {
    for (const rule of allow) {
      noteLaunchers(context, rule, frame);
      yield;
    }
    if (allow.length > 0 && runsPrograms(frame)) running.add(frame.tool);
    for (const rule of deny) if (judgesPaths(rule)) denials.add(rule.path);
  }
  if (running.size === 0) return;
  for (const { path, at } of sourcesOf(context, 'deny').filter((source) => denials.has(source.path))) {
    const names = named([...running]);
    context.expect.finding(
      at,
      path,
      `denies paths beside ${names}: what programs open themselves is not judged, only a sandbox contains it`,
    );
  }
}

function sourcesOf({ agent }: AgentInput, list: 'allow' | 'deny'): readonly RuleSource[] {
  return agent[list];
}

function named(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${names.slice(0, mostNamed).join(', ')}${more}`;
}

/** A rule that constrains a command, and lets a launcher run with whatever words. */
function noteLaunchers(context: AgentInput, rule: ToolRule, frame: ToolFrame): void {
  const commands = new Set(
    rule.keys.filter(({ view, constrained }) => view === 'command' && constrained).map(({ key }) => key),
  );
  if (commands.size === 0) return;
  const fields = rule.boxes.flatMap((box) => box.fields.filter(({ key }) => commands.has(key)));
  const found = [...new Set(fields.flatMap(({ set }) => freeLaunchers(set)))];
  const source =
    found.length === 0 ? undefined : sourcesOf(context, 'allow').find(({ path }) => path === rule.path);
  if (source === undefined) return;
  const message = `grants ${named(found)} on ${frame.tool} with free arguments: they run any other program`;
  context.expect.finding(source.at, rule.path, message);
}

function judgesPaths({ path, keys }: ToolRule): boolean {
  return path !== 'protected' && keys.some(({ key, view }) => view === 'path' || key === wordField);
}

/** Names of tools that say that they run what they are given, or type it where it runs. */
const runningName =
  /(?:^|[^a-z])(?:bash|cmd|code|command|eval|evaluate|exec|execute|python|run|script|send_keys|send_text|shell)(?:$|[^a-z])/u;

/** Whether calls of the tool run programs, code, or other tools. */
function runsPrograms({ table, tool, schema }: ToolFrame): boolean {
  if (readsCommands(table) || table.calls !== undefined) return true;
  const name = tool.slice(tool.indexOf('/') + 1).toLowerCase();
  if (verbsOf(table).includes('execute')) return runningName.test(name);
  const raw = table.accesses.length === 0 && table.payload.length === 0;
  return raw && (runningName.test(name) || (schema !== undefined && takesCommand(schema)));
}

function takesCommand(schema: NonNullable<ToolFrame['schema']>): boolean {
  return ['command', 'cmd', 'code', 'script'].some((name) => propertyAt(schema, [name]).known === 'yes');
}
