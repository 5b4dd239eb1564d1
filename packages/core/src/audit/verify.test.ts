/** What verification finds, and what it lets pass. */
import { describe, expect, test } from 'vitest';
import { type Digest, type Json, mintId, sha256 } from '../ground/index.js';
import {
  type AuditRecord,
  type Evidence,
  type RowChange,
  type SignedHead,
  type StoredRecord,
  envelopeText,
  genesis,
  link,
  recordText,
  verify,
} from './index.js';

const store = mintId.store('s');
const digest = (text: string): Digest => sha256(`key ${text}`);

interface Line {
  readonly record: AuditRecord;
  readonly body?: string;
  readonly rows?: readonly RowChange[];
}

function intent(call: string): AuditRecord {
  return { type: 'intent', verdict: 'permit', level: 'permit', rules: [], call: mintId.call(call) };
}

function settlement(call: string): AuditRecord {
  return { type: 'settlement', call: mintId.call(call), outcome: 'ok', milliseconds: 1 };
}

function event(name: 'body_erased' | 'key_issued', data: Json = null): AuditRecord {
  return { type: 'event', event: name, data };
}

function chain(lines: readonly Line[]): StoredRecord[] {
  let hash = genesis(store);
  return lines.map(({ record, body, rows }, seq) => {
    const facts = {
      seq,
      at: 1,
      ...(body === undefined ? {} : { body: digest(body) }),
      ...(rows === undefined ? {} : { rows }),
    };
    const text = envelopeText(facts, recordText(record));
    hash = link(hash, text);
    return { seq, text, hash, call: record.type === 'event' ? null : record.call };
  });
}

function evidence(lines: readonly Line[], more: Partial<Evidence> = {}): Evidence {
  const records = chain(lines);
  const last = records.at(-1);
  return {
    store,
    records,
    head: last === undefined ? { seq: -1, hash: genesis(store) } : { seq: last.seq, hash: last.hash },
    signedHeads: [],
    isSigned: ({ signature }) => signature === 'good',
    bodies: {
      stored: lines.flatMap(({ body }, seq) => (body === undefined ? [] : [{ seq, text: body }])),
      digest,
    },
    rows: [],
    ...more,
  };
}

const calls = [{ record: intent('a') }, { record: settlement('a') }, { record: intent('b') }];

function headAt(seq: number, signature = 'good'): SignedHead {
  return { seq, hash: chain(calls)[seq]?.hash ?? 'none', at: 1, signature };
}

describe('verification', () => {
  test('is green for an empty store', () => {
    expect(verify(evidence([]))).toEqual({ ok: true, records: 0, unsettled: [] });
  });

  test('lists calls that were about to be handed over and have no end, in their order', () => {
    const lines = [...calls, { record: intent('c') }, { record: settlement('c') }, { record: intent('d') }];
    expect(verify(evidence(lines))).toEqual({ ok: true, records: 6, unsettled: ['b', 'd'] });
  });

  test('finds any other text, hash, place or filing of any record, at that record', () => {
    const intact = chain(calls);
    for (const [at, record] of intact.entries()) {
      const wrong: StoredRecord[] = [
        { ...record, text: record.text.replace('"at":1', '"at":2') },
        { ...record, hash: `${record.hash.slice(0, -1)}x` },
        { ...record, seq: record.seq + 1 },
        { ...record, call: 'other' },
        { ...record, call: null },
      ];
      for (const changed of wrong) {
        const report = verify(evidence(calls, { records: intact.with(at, changed) }));
        expect(report).toMatchObject({ ok: false, brokenAt: at });
      }
    }
  });

  test('finds a record that was taken out, put in or moved', () => {
    const [a, b, c] = chain(calls) as [StoredRecord, StoredRecord, StoredRecord];
    for (const records of [
      [b, c],
      [a, c],
      [a, b, b, c],
      [b, a, c],
    ])
      expect(verify(evidence(calls, { records })).ok).toBe(false);
  });

  test('finds a cut tail by the last record that the store noted', () => {
    expect(verify(evidence(calls, { records: chain(calls).slice(0, 2) }))).toMatchObject({
      ok: false,
      brokenAt: 2,
    });
  });

  test('finds a cut tail by a signed head, also when the noted head was cut with it', () => {
    const records = chain(calls).slice(0, 2);
    const head = { seq: 1, hash: records[1]?.hash ?? '' };
    const report = verify(evidence(calls, { records, head, signedHeads: [headAt(2)] }));
    expect(report).toMatchObject({ ok: false, why: 'records up to the signed head at 2 are missing' });
  });

  test('refuses a signed head of another hash or with another signature', () => {
    const wrong = [
      [headAt(0), headAt(1, 'bad')],
      [{ ...headAt(1), hash: headAt(0).hash }],
      [headAt(1), headAt(1)],
    ];
    for (const signedHeads of wrong) expect(verify(evidence(calls, { signedHeads })).ok).toBe(false);
    expect(verify(evidence(calls, { signedHeads: [headAt(0), headAt(2)] })).ok).toBe(true);
  });

  test('refuses the chain of another store', () => {
    expect(verify(evidence(calls, { store: mintId.store('t') }))).toMatchObject({ ok: false, brokenAt: 0 });
  });

  const kept = [{ record: intent('a'), body: '{}' }];

  test('finds a body that was changed, removed or added', () => {
    const wrong = [
      [{ seq: 0, text: '{ }' }],
      [],
      [
        { seq: 0, text: '{}' },
        { seq: 5, text: '{}' },
      ],
    ];
    expect(verify(evidence(kept)).ok).toBe(true);
    for (const stored of wrong) expect(verify(evidence(kept, { bodies: { stored, digest } })).ok).toBe(false);
    expect(verify(evidence(calls, { bodies: { stored: [{ seq: 1, text: '{}' }], digest } })).ok).toBe(false);
  });

  test('[P.audit.erasable] is green without a body whose erasure is recorded', () => {
    const lines = [...kept, { record: event('body_erased', { seq: 0 }) }];
    expect(verify(evidence(lines, { bodies: { stored: [], digest } }))).toMatchObject({ ok: true });
  });

  test('is green without bodies where bodies do not travel', () => {
    const { bodies: _, ...rest } = evidence(kept);
    expect(verify(rest).ok).toBe(true);
  });

  const put = { record: event('key_issued'), rows: [{ kind: 'key', id: 'k', digest: sha256('1') }] };
  const replaced = { ...put, rows: [{ kind: 'key', id: 'k', digest: sha256('2') }] };
  const removed = { ...put, rows: [{ kind: 'key', id: 'k', digest: null }] };
  const row = (text: string): Partial<Evidence> => ({ rows: [{ kind: 'key', id: 'k', text }] });

  test.each([
    ['as put', [put], row('1')],
    ['as replaced', [put, replaced], row('2')],
    ['gone as removed', [put, removed], { rows: [] }],
    ['as put again', [put, removed, put], row('1')],
  ])('is green for a row %s', (_, lines, more) => {
    expect(verify(evidence(lines, more)).ok).toBe(true);
  });

  test.each([
    ['changed', [put], row('3')],
    ['as it was before it was replaced', [put, replaced], row('1')],
    ['missing', [put], { rows: [] }],
    ['there although removed', [put, removed], row('1')],
    ['that no record put', [], row('1')],
    ['under another id', [put], { rows: [{ kind: 'key', id: 'l', text: '1' }] }],
  ])('is red for a row %s', (_, lines, more) => {
    expect(verify(evidence(lines, more)).ok).toBe(false);
  });

  test('lets an error of the storage through', () => {
    function* failing(): Generator<StoredRecord> {
      yield* chain(calls);
      throw new Error('disk');
    }
    expect(() => verify(evidence(calls, { records: failing() }))).toThrow('disk');
  });
});
