/** Which line of a policy to change so that a refused call would be admitted. */
import { type DocNode, type Envelope, type RuleView, own } from '@pawl/core';
import { placeOf } from './place.js';

/** A place in the document that judged, and what to do there. */
export interface Change {
  /** Path in the document. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  /** An imperative sentence. */
  readonly what: string;
}

/** What is known of a refusal. */
export interface Refused {
  readonly record: Envelope['record'];
  readonly considered: readonly RuleView[];
  readonly root: DocNode;
}

/** The change that would admit the call; undefined for what no policy changes: a malformed call, a fault, a dead capability. */
export function changeFor(refused: Refused): Change | undefined {
  const { root } = refused;
  const wanted = proposal(refused);
  if (wanted === undefined) return undefined;
  const [path, what] = wanted;
  const head = nearest(root, path);
  const place = head === '' ? undefined : placeOf(root, head);
  return { path, what, ...place?.at };
}

type Proposal = readonly [path: string, what: string];

/** What a proposal is made from. */
interface Facts extends Refused {
  readonly code: string | undefined;
  readonly rule: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
  readonly agent: string;
}

function proposal(refused: Refused): Proposal | undefined {
  const { record } = refused;
  const [code, rule, constraint, detail, executor] = ['code', 'rule', 'constraint', 'detail', 'executor'].map(
    (name) => textOf(record, name),
  );
  const [agent = ''] = (executor ?? '').split('/');
  const make = code !== undefined && Object.hasOwn(proposals, code) ? proposals[code] : undefined;
  return make?.({ ...refused, code, rule, constraint, detail, agent });
}

const proposals: Readonly<Record<string, (facts: Facts) => Proposal | undefined>> = {
  not_permitted: allowing,
  attenuated_away: allowing,
  denied: ({ rule }) =>
    rule === undefined || rule === 'protected'
      ? undefined
      : [rule, 'take this denial off, or narrow it: a denial wins over every allow rule'],
  out_of_scope: beyond,
  unreadable_ceiling: ({ constraint, agent }) => [
    `stored.${agent}`,
    `store what is for ${constraint ?? 'it'} anew: pawl ceiling show and pawl narrow show tell what is wrong with it`,
  ],
  several_values: severalAt,
  consent_required: asking,
  consent_expired: asking,
  consent_refused: asking,
  limit_used_up: ({ detail, agent }) =>
    detail === undefined
      ? undefined
      : [`${detail.includes('.allow[') ? detail : `agents.${agent}.limits.${detail}`}.uses`, 'raise it'],
  no_agent: () => ['agents', 'declare the agent, or use a key of one that is declared'],
  no_instance: () => ['instances', 'declare the instance, or use a key of one that is declared'],
};

/** A ceiling or narrowing: of the document, or stored beside it. */
function beyond({ rule, constraint }: Facts): Proposal | undefined {
  if (rule === undefined) return undefined;
  const what = 'no allow rule reaches beyond a ceiling or a narrowing';
  if (!rule.startsWith('stored.')) return [`${rule}${fieldOf(constraint)}`, `widen it: ${what}`];
  const command = rule.includes('.narrow.') ? 'narrow' : 'ceiling';
  return [rule, `widen what is stored, with pawl ${command} set and --bump-epoch: ${what}`];
}

/** The one rule that refused, the nearest one, or the list to which one has to be added. */
function allowing({ considered, rule, constraint, detail, agent }: Facts): Proposal | undefined {
  if (detail === 'frozen' || agent === '') return undefined;
  const allows = considered.filter(({ list, layer }) => list === 'allow' && layer === 'policy');
  const near = allows.filter(({ holds }) => holds === false).sort((a, b) => distance(a) - distance(b))[0];
  const at = rule ?? near?.rule;
  if (at === undefined) return [`agents.${agent}.allow`, 'add a rule for this tool: none names it'];
  const own = allows.find((view) => view.rule === at && view.holds === false);
  const field = own === undefined ? constraint : own.failing?.[0];
  if (field !== undefined)
    return [`${at}.where.${field}`, `let ${field} hold what the call names, or add a rule`];
  return own?.surplus === undefined
    ? [at, 'add a rule that holds the whole call']
    : [`${at}.where`, `free or constrain ${own.surplus}: what a rule does not name has to be left out`];
}

/** How far a rule is from holding: fields that fail, and an argument too much. */
function distance({ failing = [], surplus }: RuleView): number {
  return failing.length + (surplus === undefined ? 0 : 1);
}

function severalAt({ considered, constraint: argument }: Facts): Proposal | undefined {
  const rule = considered.find(
    ({ list, layer, fields }) =>
      list === 'allow' && layer === 'policy' && fields.some(({ name }) => name === argument),
  );
  return rule === undefined
    ? undefined
    : [
        `${rule.rule}.where.${argument ?? ''}`,
        'leave one value, or let the agent choose one: it left it out',
      ];
}

/** The entry that asks: of the list `ask` if one meets the call, else the allow rule with `ask`. */
function asking({ considered }: Facts): Proposal | undefined {
  const cap = considered.find(({ list, holds }) => list === 'ask' && holds !== false);
  if (cap !== undefined) return [cap.rule, 'take this entry off, so that the call goes without asking'];
  const rule = considered.find(
    ({ list, level, holds }) => list === 'allow' && level !== 'permit' && holds !== false,
  );
  return rule && [`${rule.rule}.ask`, 'take it off, so that the call goes without asking'];
}

/** `terminal.backends (tmux)` as the last part of a path; nothing where the constraint names no field. */
function fieldOf(constraint: string | undefined): string {
  const [, name] = /^[^.]*\.(?<name>[^ ]+)/u.exec(constraint ?? '') ?? [];
  return name === undefined ? '' : `.${name}`;
}

/** The longest beginning of a path that is in the document. */
function nearest(root: DocNode, path: string): string {
  for (
    let end = path.length;
    end > 0;
    end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))
  ) {
    const head = path.slice(0, end);
    if (placeOf(root, head) !== undefined) return head;
  }
  return '';
}

function textOf(record: Envelope['record'], name: string): string | undefined {
  const value = own(record, name);
  return typeof value === 'string' ? value : undefined;
}
