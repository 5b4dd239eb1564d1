/** The operator's act that lets a change widen. */
import type { OperatorAct } from '@pawl/core';
import type { ReloadAsked } from '../control/index.js';

/** The operator's act in what was asked for. */
export function actOf({
  bumpEpoch,
  all,
  reissue,
  expect,
}: Pick<ReloadAsked, 'bumpEpoch' | 'all' | 'reissue' | 'expect'>): OperatorAct | undefined {
  if (bumpEpoch !== true) return undefined;
  return { all: all === true, reissue: reissue === true, ...(expect === undefined ? {} : { expect }) };
}
