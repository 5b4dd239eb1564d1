/** Where no policy could be read, nothing is in force, and nothing is admitted: neither by sessions nor by a tool that is found all the same. */
import {
  type DispatchPorts,
  Registry,
  Revocations,
  Sessions,
  canonicalJson,
  currentCell,
  dispatcher,
  locatorOf,
  noConsent,
  noExclusion,
  noLimits,
  parseServerName,
  parseToolName,
  sha256,
  spawn,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import { expect, test } from 'vitest';
import { World, refusalOf } from '../dispatch/world.js';
import { documentOf, tools } from './documents.js';

test('[P.race.hand-over] an unreadable policy admits nothing, even to a capability that was made under a good one', async () => {
  const reached: unknown[] = [];
  const [server, tool] = [parseServerName('s'), parseToolName('s/t')];
  if (server === undefined || tool === undefined) throw new Error('no name');
  const registry = new Registry();
  const definition = { name: 't', inputSchema: tools.s.t };
  const ref = spawn({ parallel: Infinity, turn: (_method, message) => reached.push(message) });
  registry.refresh(server, [{ tool, definition, digest: sha256(canonicalJson(definition)), ref }]);
  const good = new World({ policy: documentOf('wide', 'recheck'), tools });
  const session = good.open('a');
  const empty = currentCell().current;
  const audit = good.audit;
  const around = { clock: systemClock, entropy: systemEntropy, revocations: new Revocations(), registry };
  const made = (current: DispatchPorts['current']): Sessions =>
    new Sessions({ ...around, ttl: 1e6, current });
  const opened = made(good.cell.current);
  const living = opened.open(session);
  const locator = locatorOf(opened);
  const handle = living && locator.find(living.id, 's__t');
  if (living === undefined || handle === undefined) throw new Error('no handle');
  const located = locator.locate(living.id, handle);
  expect(located).toMatchObject({ mount: { tool } });

  const without = made(empty);
  const nobody = without.open(session);
  expect(nobody && without.mountsOf(nobody.id)?.list()).toEqual([]);
  const mediation = dispatcher({
    ...around,
    current: empty,
    locator: { ...locator, locate: () => located, remembered: () => undefined },
    sessions: opened,
    audit,
    consent: noConsent,
    limits: noLimits,
    exclusion: noExclusion,
    argumentsDigest: sha256,
  });
  const { signal } = new AbortController();
  const outcome = await mediation.call({ session: living.id, handle, args: { x: 'red' }, signal });
  expect(refusalOf(outcome)).toMatchObject({ kind: 'fault', code: 'internal' });
  expect([reached, audit.of('intent')]).toEqual([[], []]);
  expect(audit.of('refusal')).toMatchObject([{ call: outcome.call, verdict: 'fault' }]);
});
