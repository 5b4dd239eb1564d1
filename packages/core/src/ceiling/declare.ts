/** Ceilings and narrowings as declared: for a connector or a server, fields that have to hold where a call carries them. */
import { type Field, readFields } from '../connector/index.js';
import { type Expect, type Position, type Spot, nodeInWords } from '../ground/index.js';

/** What is declared for one connector or one server. */
export interface Limit {
  /** Name of the connector or server. */
  readonly on: string;
  readonly at: Position;
  readonly path: string;
  readonly fields: readonly Field[];
}

/** Reads a ceiling or a narrowing. */
export function readLimits(expect: Expect, spot: Spot): readonly Limit[] {
  return expect.members(spot).map(({ key, keyAt, spot: inner }) => {
    const members = expect.members(inner);
    if (inner.node.kind === 'map' && members.length === 0) {
      expect.problem(inner.node.at, inner.path, nodeInWords(inner.node), 'at least one field');
    }
    return {
      on: key,
      at: keyAt,
      path: inner.path,
      fields: readFields(expect, members),
    };
  });
}
