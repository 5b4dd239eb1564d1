/** What is hashed, byte for byte. */
import { describe, expect, test } from 'vitest';
import { mintId, sha256 } from '../ground/index.js';
import {
  type AuditRecord,
  envelopeText,
  genesis,
  headText,
  link,
  readEnvelope,
  recordText,
} from './index.js';

const store = mintId.store('s1');
const record: AuditRecord = { type: 'settlement', call: mintId.call('c'), outcome: 'ok', milliseconds: 2 };

describe('the chain', () => {
  test('begins differently for every store', () => {
    expect(genesis(store)).not.toBe(genesis(mintId.store('s2')));
  });

  test('makes a hash from the previous one and the text, and from nothing else', () => {
    const hash = link(genesis(store), 'text');
    expect(hash).toBe(sha256(`${genesis(store)}\ntext`));
    expect(link(genesis(store), 'texu')).not.toBe(hash);
    expect(link(hash, 'text')).not.toBe(hash);
  });

  test('writes equal records alike, in whatever order their members were given', () => {
    const turned: AuditRecord = {
      milliseconds: 2,
      outcome: 'ok',
      call: mintId.call('c'),
      type: 'settlement',
    };
    expect(recordText(turned)).toBe(recordText(record));
  });

  test('writes an envelope as canonical JSON and reads it back', () => {
    const rows = [
      { kind: 'key', id: 'k "1"', digest: sha256('row') },
      { kind: 'pin', id: 'p', digest: null },
    ];
    const facts = { seq: 7, at: 1_700_000_000_000, body: sha256('body'), rows };
    const text = envelopeText(facts, recordText(record));
    expect(readEnvelope(text)).toEqual({ ...facts, record });
    expect(text).toBe(
      `{"at":1700000000000,"body":"${sha256('body')}","record":${recordText(record)},"rows":[{"digest":"${sha256('row')}","id":"k \\"1\\"","kind":"key"},{"digest":null,"id":"p","kind":"pin"}],"seq":7}`,
    );
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no sequence number', '{"at":1,"record":{"type":"event"}}'],
    ['a record without a type', '{"at":1,"record":{},"seq":0}'],
    ['rows that are none', '{"at":1,"record":{"type":"event"},"rows":[1],"seq":0}'],
    [
      'a row whose digest is a number',
      '{"at":1,"record":{"type":"event"},"rows":[{"kind":"a","id":"b","digest":1}],"seq":0}',
    ],
  ])('reads %s as no envelope', (_, text) => {
    expect(readEnvelope(text)).toBeUndefined();
  });

  test('signs store, place, hash and time of a head', () => {
    const head = { seq: 1, hash: 'h', at: 2 };
    const texts = [
      headText(store, head),
      headText(mintId.store('s2'), head),
      headText(store, { ...head, seq: 2 }),
      headText(store, { ...head, hash: 'i' }),
      headText(store, { ...head, at: 3 }),
    ];
    expect(new Set(texts).size).toBe(5);
  });
});
