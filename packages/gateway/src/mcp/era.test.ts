import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '@pawl/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimsModern, envelopeError } from './era.js';

const version = 'io.modelcontextprotocol/protocolVersion';
const info = 'io.modelcontextprotocol/clientInfo';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';

const some = fc.constantFrom<Json>(
  '2026-07-28',
  '2025-11-25',
  '',
  7,
  null,
  {},
  [],
  { name: 'a', version: '1' },
  { name: 'a' },
);
const meta = fc
  .record({ [version]: some, [info]: some, [capabilities]: some, other: some }, { requiredKeys: [] })
  .map((members): JsonObject => ({ ...members }));

test('tells the eras and judges envelopes as the official SDK does', () => {
  fc.assert(
    fc.property(fc.option(meta), (_meta) => {
      const params: JsonObject = _meta === null ? {} : { _meta };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const theirs = classifyInboundRequest({ httpMethod: 'POST', body });
      expect(claimsModern(params)).toBe(theirs.kind !== 'legacy');
      if (theirs.kind === 'legacy') return;
      const ours = envelopeError(params);
      if (theirs.kind === 'reject') expect(ours?.code).toBe(theirs.code);
      else if (theirs.classification.revision === '2026-07-28') expect(ours).toBeUndefined();
      else expect(ours?.code).toBe(-32022);
    }),
    { numRuns: 2000 },
  );
});
