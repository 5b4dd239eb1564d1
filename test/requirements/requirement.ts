/** What a promise is. */

/** `built`: some test title holds `[id]`. `planned`: named so that the section is not forgotten; no test may cite it yet. */
export type RequirementStatus = 'built' | 'planned';

/** One promise. `source` names the page and section of the design that makes it; `text` is one sentence. */
export type Requirement = Readonly<{
  id: string;
  source: string;
  text: string;
  status: RequirementStatus;
}>;

type Row = readonly [id: string, text: string];

/** The promises of one section: each row is an id and one sentence. */
export function section(
  source: string,
  status: RequirementStatus,
  rows: readonly Row[],
): readonly Requirement[] {
  return rows.map(([id, text]) => ({ id, source, text, status }));
}
