/** An explanation as people read it. */
import { type AllowedValues, type RuleView, canonicalJson, isJsonArray } from '@pawl/core';
import type { Explanation, RulePlace } from '../review/index.js';
import { columns, timeText, visible } from './layout.js';
import { accessText } from './record-line.js';

/** Most rules that are told of a refusal. */
const mostConsidered = 12;

/** Several lines, newline included. */
export function explanationText(explanation: Explanation): string {
  const { rules, considered, change } = explanation;
  const shown = rules.flatMap((place) => [ruleLine(place, considered), ...(place.text ?? []).map(quoted)]);
  const others = considered.filter(({ rule }) => !rules.some((place) => place.rule === rule));
  return `${[
    ...columns(facts(explanation)),
    ...(shown.length === 0
      ? []
      : ['', explanation.verdict === 'permit' ? 'admitted by' : 'refused by', ...shown]),
    ...(others.length === 0 ? [] : ['', 'said of this tool besides', ...consideredLines(others)]),
    ...(change === undefined ? [] : ['', `to change: ${lineText(change)}${change.path}: ${change.what}`]),
  ].join('\n')}\n`;
}

function facts(explanation: Explanation): readonly (readonly string[])[] {
  const {
    id,
    at,
    seq,
    executor,
    session,
    parentSession,
    onBehalfOf,
    tool,
    verdict,
    level,
    message,
    repeated,
  } = explanation;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['call', `${id}, record ${seq}, ${timeText(at)}`],
    [
      'executor',
      executor && `${visible(executor)}${session === undefined ? '' : `, session ${visible(session)}`}`,
    ],
    [
      'delegated',
      parentSession && `by session ${visible(parentSession)}: its own rules stand in the record "delegated"`,
    ],
    ['on behalf of', onBehalfOf && visible(onBehalfOf)],
    ['tool', tool && visible(tool)],
    ['accesses', accessesIn(explanation)],
    ['arguments', argumentsIn(explanation)],
    ['filled', isJsonArray(explanation.filled) ? explanation.filled.map(String).join(', ') : undefined],
    ['generation', generationText(explanation)],
    [
      'verdict',
      verdict === 'permit' && level !== 'permit'
        ? `permit, once approved (${level})`
        : refusalText(explanation),
    ],
    ['told', message && visible(message, 300)],
    [
      '',
      repeated === undefined
        ? undefined
        : `answered from memory: refused so for the ${ordinal(repeated)} time`,
    ],
    ['allowed there', allowedText(explanation.allowed)],
    ['end', endText(explanation)],
  ];
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));
}

function accessesIn({ accesses }: Explanation): string | undefined {
  return isJsonArray(accesses) ? visible(accesses.map(accessText).join('; '), 500) : undefined;
}

function argumentsIn({ arguments: args }: Explanation): string {
  return args === undefined ? 'not kept' : visible(canonicalJson(args), 500);
}

function generationText({ generation, epoch }: Explanation): string | undefined {
  if (generation === undefined) return undefined;
  const { number, capability, inForce } = generation;
  const parts = [
    `${number}`,
    ...(capability === undefined || capability === number ? [] : [`capability of generation ${capability}`]),
    ...(epoch === undefined ? [] : [`epoch ${epoch}`]),
    ...(inForce === undefined ? [] : [inForce === number ? 'still in force' : `in force now: ${inForce}`]),
  ];
  return parts.join(', ');
}

function refusalText({ verdict, code, layer, constraint, reason, detail }: Explanation): string {
  const parts = [
    code,
    layer === undefined ? undefined : `layer ${layer}`,
    constraint && `constraint ${constraint}`,
  ];
  const more = [reason, detail].filter((each) => each !== undefined);
  const told = parts.filter((each) => each !== undefined).join(', ');
  return visible(
    `${verdict}${told === '' ? '' : ` ${told}`}${more.length === 0 ? '' : ` (${more.join('; ')})`}`,
    500,
  );
}

function allowedText(allowed: readonly AllowedValues[]): string | undefined {
  const texts = allowed.flatMap(({ field, values }) =>
    values === undefined ? [] : [`${field}: ${values.map((value) => JSON.stringify(value)).join(', ')}`],
  );
  return texts.length === 0 ? undefined : visible(texts.join('; '), 500);
}

function endText({ end }: Explanation): string | undefined {
  if (end === undefined) return undefined;
  const { outcome, code, milliseconds } = end;
  return `${outcome}${code === undefined ? '' : ` ${code}`}${milliseconds === undefined ? '' : `, after ${milliseconds} ms`}`;
}

function consideredLines(views: readonly (RuleView & RulePlace)[]): readonly string[] {
  const rows = views.map((view) => `  ${ruleText(view)}: ${visible(stands(view), 300)}`);
  const lines = [...new Set(rows)];
  const rest = lines.length - mostConsidered;
  return rest > 0 ? [...lines.slice(0, mostConsidered), `  and ${rest} more`] : lines;
}

/** How a call stands to a rule, and what the rule says. */
function stands({ list, layer, fields, holds, failing, surplus, level }: RuleView): string {
  const says = fields.map(({ name, text }) => `${name} ${text}`).join(', ') || 'any arguments';
  const kind = layer === 'policy' ? list : layer;
  const asked = list === 'allow' && level !== 'permit' ? `, ask ${level}` : '';
  if (holds === undefined) return `${kind} ${says}${asked}`;
  if (list !== 'allow') return `${kind} ${says}: ${holds ? 'meets this call' : 'does not meet this call'}`;
  const why = [
    ...(failing === undefined ? [] : [`fails in ${failing.join(', ')}`]),
    ...(surplus === undefined ? [] : [`${surplus} would have to be left out`]),
  ];
  return `${kind} ${says}${asked}: ${holds ? 'holds' : why.join(', ')}`;
}

function ruleLine(place: RulePlace, considered: Explanation['considered']): string {
  const view = considered.find(({ rule }) => rule === place.rule);
  return `  ${ruleText(place)}${view === undefined ? '' : `: ${visible(stands(view), 300)}`}`;
}

function ruleText({ rule, line }: RulePlace): string {
  return line === undefined ? rule : `${rule} (line ${line})`;
}

function quoted(line: string): string {
  return `    | ${visible(line, 220)}`;
}

function lineText({ line }: { readonly line?: number }): string {
  return line === undefined ? '' : `line ${line}, `;
}

function ordinal(count: number): string {
  const tens = count % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${suffix}`;
}
