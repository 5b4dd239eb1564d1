/** Reading what the document says beside servers and agents. */
import { type DocMap, type Expect, type KeyTable, type Spot, entryOf, nodeInWords } from '../ground/index.js';
import type { Approver, Settings } from './document.js';
import { readSkillSettings } from './read-skills.js';
import { auditKeys, consentKeys, documentKeys, reloadKeys, resultsKeys, sessionsKeys } from './keys.js';

/** Defaults of DESIGN sections 5, 7 and 8. */
export const defaultSettings: Settings = Object.freeze({
  sessionTtl: 12 * 60 * 60 * 1000,
  exposure: 'readable',
  disclose: undefined,
  auditArguments: 'authority',
  resultsMaxBytes: 262_144,
  posture: 'recheck',
  consentExpires: 10 * 60 * 1000,
  approvers: Object.freeze(['operator', 'approver'] as const),
  skillNames: Object.freeze({}),
  unsignedSkills: 'refuse',
  skillTrust: undefined,
});

/** Reads every setting; what is not there has its default. */
export function readSettings(
  expect: Expect,
  at: (key: keyof typeof documentKeys) => Spot | undefined,
): Settings {
  const [exposure, disclose] = [at('exposure'), at('disclose')];
  const ttl = inside(expect, at('sessions'), sessionsKeys, 'ttl');
  const args = inside(expect, at('audit'), auditKeys, 'arguments');
  const bytes = inside(expect, at('results'), resultsKeys, 'maxBytes');
  const posture = inside(expect, at('reload'), reloadKeys, 'posture');
  const { expires, approver } = consentSpots(expect, at('consent'));
  const read = {
    sessionTtl: ttl && duration(expect, ttl),
    exposure: exposure && expect.oneOf(exposure, documentKeys.exposure.words),
    auditArguments: args && expect.oneOf(args, auditKeys.arguments.words),
    resultsMaxBytes: bytes && expect.count(bytes, 1, 'a whole number of bytes, at least 1'),
    posture: posture && expect.oneOf(posture, reloadKeys.posture.words),
    consentExpires: expires && duration(expect, expires),
    approvers: approver && approversIn(expect, approver),
    ...readSkillSettings(expect, at('skills')),
  };
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return Object.freeze({
    ...defaultSettings,
    ...given,
    disclose: disclose && expect.oneOf(disclose, documentKeys.disclose.words),
  });
}

function inside<T extends KeyTable>(
  expect: Expect,
  spot: Spot | undefined,
  table: T,
  key: keyof T & string,
): Spot | undefined {
  const map: DocMap | undefined = spot && expect.mapping(spot, table);
  const entry = map && entryOf(map, key);
  return spot && entry && { node: entry.value, path: `${spot.path}.${key}` };
}

function approversIn(expect: Expect, spot: Spot): readonly Approver[] | undefined {
  const words = consentKeys.approver.words;
  const items = expect.list(spot, words.join(', '));
  if (items?.length === 0) expect.problem(spot.node.at, spot.path, 'an empty list', 'at least one approver');
  const read = items?.flatMap((item) => expect.oneOf(item, words) ?? []);
  return read && Object.freeze([...new Set(read)]);
}

function consentSpots(
  expect: Expect,
  spot: Spot | undefined,
): { readonly expires: Spot | undefined; readonly approver: Spot | undefined } {
  const map = spot && expect.mapping(spot, consentKeys);
  const at = (key: keyof typeof consentKeys): Spot | undefined => {
    const entry = map && entryOf(map, key);
    return entry && { node: entry.value, path: `consent.${key}` };
  };
  return { expires: at('expires'), approver: at('approver') };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `10m`, `12h`: a whole number and ms, s, m, h or d; at least one millisecond. */
export function milliseconds(text: string): number | undefined {
  const found = /^(?<count>[1-9][0-9]{0,8})(?<unit>ms|s|m|h|d)$/u.exec(text)?.groups;
  const unit = units[found?.['unit'] ?? ''];
  return found === undefined || unit === undefined ? undefined : Number(found['count']) * unit;
}

function duration(expect: Expect, spot: Spot): number | undefined {
  const read = milliseconds(spot.node.kind === 'scalar' ? String(spot.node.value) : '');
  return (
    read ??
    expect.problem(spot.node.at, spot.path, nodeInWords(spot.node), 'a duration as 30s, 10m, 12h or 7d')
  );
}
