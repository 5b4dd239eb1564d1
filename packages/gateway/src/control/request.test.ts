import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from './answer.js';
import type { KeyIssue, Operations } from './operations.js';
import { type ControlHead, longestBody, readBody, readHead } from './request.js';
import { operationTable } from './table.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const good: ControlHead = {
  method: 'POST',
  url: '/v1/keysRevoke',
  host: ['pawl'],
  origin: [],
  contentType: ['application/json'],
};

const issue = {
  agent: 'reporter',
  instance: 'alice',
  id: 'abcdefghijklmnop',
  salt: '0'.repeat(32),
  hash: 'a'.repeat(64),
};

function codeOf(answer: Answer<unknown>): string {
  return answer.ok ? 'ok' : answer.error.code;
}

function messageOf(answer: Answer<unknown>): string {
  return answer.ok ? '' : answer.error.message;
}

describe('the head of a control request', () => {
  test('is taken for every operation of the table, with and without a charset', () => {
    for (const [name, operation] of Object.entries(operationTable)) {
      const url = `/v1/${name}`;
      expect(readHead({ ...good, url }, 'operator')).toEqual({ ok: true, value: operation });
      const contentType = ['application/json; charset=utf-8'];
      expect(codeOf(readHead({ ...good, url, contentType }, 'operator'))).toBe('ok');
    }
  });

  test.each([
    ['a foreign Host', { host: ['localhost'] }, 'forbidden'],
    ['no Host', { host: [] }, 'forbidden'],
    ['two Hosts', { host: ['pawl', 'pawl'] }, 'forbidden'],
    ['an Origin', { origin: ['null'] }, 'forbidden'],
    ['an Origin that names Pawl', { origin: ['http://pawl'] }, 'forbidden'],
    ['GET', { method: 'GET' }, 'wrong_method'],
    ['OPTIONS, as browsers ask before they send', { method: 'OPTIONS' }, 'wrong_method'],
    ['a form', { contentType: ['application/x-www-form-urlencoded'] }, 'malformed'],
    ['plain text', { contentType: ['text/plain'] }, 'malformed'],
    ['no content type', { contentType: [] }, 'malformed'],
    ['an unknown operation', { url: '/v1/reboot' }, 'unknown_operation'],
    ['an operation in other letters', { url: '/v1/KeysList' }, 'unknown_operation'],
    ['an operation with a query', { url: '/v1/keysList?x=1' }, 'unknown_operation'],
    ['an operation of another version', { url: '/v2/keysList' }, 'unknown_operation'],
    ['what every object inherits', { url: '/v1/constructor' }, 'unknown_operation'],
    ['the prototype', { url: '/v1/__proto__' }, 'unknown_operation'],
  ])('with %s is refused', (_, change, code) => {
    expect(codeOf(readHead({ ...good, ...change }, 'operator'))).toBe(code);
  });

  test('says which operations there are when there is no such one', () => {
    expect(messageOf(readHead({ ...good, url: '/v1/x' }, 'operator'))).toContain(
      'keysIssue, keysList, keysRevoke',
    );
  });

  test('lets a viewer look and keeps issuing and revoking for operators', () => {
    const asked = (name: string, role: 'viewer' | 'approver' | 'operator'): string =>
      codeOf(readHead({ ...good, url: `/v1/${name}` }, role));
    for (const name of ['status', 'keysList', 'auditVerify', 'auditShow'])
      expect(asked(name, 'viewer')).toBe('ok');
    expect(asked('declared', 'viewer')).toBe('ok');
    for (const name of ['keysIssue', 'keysRevoke', 'declare']) {
      expect(asked(name, 'viewer')).toBe('forbidden');
      expect(asked(name, 'approver')).toBe('forbidden');
      expect(asked(name, 'operator')).toBe('ok');
    }
  });
});

describe('the body of a control request', () => {
  const { keysIssue, keysList, keysRevoke, auditShow } = operationTable;

  test('becomes exactly one call of the port', async () => {
    const calls: KeyIssue[] = [];
    const port: Partial<Operations> = {
      keysIssue: async (given) => {
        calls.push(given);
        return { ok: true, value: { agents: '/a' } };
      },
    };
    const read = readBody(keysIssue, bytes(JSON.stringify(issue)));
    if (!read.ok) throw new Error(read.error.message);
    await read.value(port as Operations, 'operator');
    expect(calls).toEqual([issue]);
  });

  test('of an act on authority is read whole, or not at all', async () => {
    const { reload, revoke, freeze, thaw, declare } = operationTable;
    const asked: unknown[] = [];
    const note = async (given: unknown): Promise<never> => {
      asked.push(given);
      return Promise.reject(new Error('noted'));
    };
    const port = {
      reload: note,
      revoke: note,
      freeze: note,
      thaw: note,
      declare: note,
    } as unknown as Operations;
    const send = async (operation: typeof reload, given: object): Promise<string> => {
      const read = readBody(operation, bytes(JSON.stringify(given)));
      if (read.ok) await read.value(port, 'operator').catch(() => undefined);
      return codeOf(read);
    };
    const good = [
      [reload, {}],
      [reload, { bumpEpoch: true, all: true, reissue: true, to: 3 }],
      [revoke, { kind: 'session', id: 's_x' }],
      [freeze, { name: '*' }],
      [freeze, { name: 'reporter/alice' }],
      [thaw, { name: 'reporter', reissue: true }],
      [declare, { of: 'reporter', declaration: {} }],
      [declare, { of: 'a/b', declaration: { s: { x: [1] } }, on: 's', by: 'me', bumpEpoch: true, all: true }],
    ] as const;
    for (const [operation, given] of good) expect(await send(operation, given)).toBe('ok');
    expect(asked).toEqual(good.map(([, given]) => expect.objectContaining(given)));
    const wrong = [
      [reload, { all: true }],
      [reload, { reissue: true }],
      [reload, { bumpEpoch: 'yes' }],
      [reload, { to: 0 }],
      [reload, { to: 1.5 }],
      [reload, { trigger: 'watch' }],
      [revoke, { kind: 'agent', id: 'x' }],
      [revoke, { kind: 'key' }],
      [revoke, { kind: 'key', id: 'a b' }],
      [freeze, {}],
      [freeze, { name: 'a/b/c' }],
      [freeze, { name: '' }],
      [thaw, { name: 'a', reissue: 1 }],
      [declare, { of: 'a' }],
      [declare, { of: '*', declaration: {} }],
      [declare, { of: 'a/b/c', declaration: {} }],
      [declare, { of: 'a', declaration: [] }],
      [declare, { of: 'a', declaration: { t: {} }, on: 's' }],
      [declare, { of: 'a', declaration: {}, reissue: true }],
      [declare, { of: 'a', declaration: {}, by: 'a b' }],
    ] as const;
    for (const [operation, given] of wrong) expect(await send(operation, given)).toBe('invalid_parameters');
  });

  test.each([
    ['nothing', '', 'malformed'],
    ['no JSON', '{', 'malformed'],
    ['a list', '[]', 'malformed'],
    ['a text', '"x"', 'malformed'],
    [
      '[P.decode.duplicate-keys] a key twice',
      '{"id":"abcdefghijklmnop","id":"abcdefghijklmnop"}',
      'malformed',
    ],
    ['[P.decode.proto] a __proto__ key', '{"__proto__":{}}', 'malformed'],
    ['no id', '{}', 'invalid_parameters'],
    ['a number for an id', '{"id":1}', 'invalid_parameters'],
    ['a whole key for an id', '{"id":"pk_abcdefghijklmnop_x"}', 'invalid_parameters'],
    ['a parameter too much', '{"id":"abcdefghijklmnop","all":true}', 'invalid_parameters'],
  ])('that holds %s is refused', (_, text, code) => {
    expect(codeOf(readBody(keysRevoke, bytes(text)))).toBe(code);
  });

  test('longer than 1 MiB is refused', () => {
    expect(codeOf(readBody(keysList, new Uint8Array(longestBody + 1)))).toBe('too_large');
  });

  test('that is no UTF-8 is refused', () => {
    expect(codeOf(readBody(keysList, Uint8Array.of(0x22, 0xff, 0x22)))).toBe('malformed');
  });

  test('is told what is allowed, and never what it held', () => {
    const told = (given: object): string => messageOf(readBody(auditShow, bytes(JSON.stringify(given))));
    expect(told({})).toBe('parameter "limit": found nothing; allowed here: a whole number from 1 to 10000');
    expect(told({ limit: 0 })).toContain(
      'found another number; allowed here: a whole number from 1 to 10000',
    );
    expect(told({ limit: 1, x: 'pk_secret' })).toBe(
      'found the parameter "x"; allowed here: limit, call, executor',
    );
    const secret = messageOf(readBody(keysIssue, bytes(JSON.stringify({ ...issue, hash: 'hunter2' }))));
    expect(secret).toContain('32 bytes in hexadecimal');
    expect(secret).not.toContain('hunter2');
    expect(messageOf(readBody(keysList, bytes('{"x":1}')))).toContain('allowed here: nothing');
  });

  test('[P.decode.no-throw] never makes the reader throw, and only well-formed parameters come through', () => {
    const near = fc.record(
      {
        agent: fc.oneof(fc.constant('reporter'), fc.string(), fc.jsonValue()),
        instance: fc.oneof(fc.constant('alice'), fc.string()),
        id: fc.oneof(fc.constant(issue.id), fc.jsonValue()),
        salt: fc.oneof(fc.constant(issue.salt), fc.string()),
        hash: fc.oneof(fc.constant(issue.hash), fc.string()),
        limit: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
        call: fc.oneof(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary' }).map(bytes),
      fc.json().map(bytes),
      near.map((value) => bytes(JSON.stringify(value))),
    );
    const operation = fc.constantFrom(...Object.values(operationTable));
    fc.assert(
      fc.property(operation, body, (asked, given) => {
        const read = readBody(asked, given);
        if (read.ok) expect(typeof read.value).toBe('function');
        else expect(['malformed', 'invalid_parameters']).toContain(read.error.code);
      }),
      { numRuns: 2000 },
    );
  });

  test('[P.decode.no-throw] no head makes the reader throw or reach beyond the table', () => {
    const texts = fc.array(fc.oneof(fc.constant('pawl'), fc.string()), { maxLength: 2 });
    const head = fc.record({
      method: fc.oneof(fc.constant('POST'), fc.string()),
      url: fc.oneof(fc.constantFrom('/v1/status', '/v1/__proto__', '/v1/toString', '/v1/'), fc.string()),
      host: texts,
      origin: fc.oneof(fc.constant([]), texts),
      contentType: fc.oneof(fc.constant(['application/json']), texts),
    });
    fc.assert(
      fc.property(head, (given) => {
        const read = readHead(given, 'operator');
        if (read.ok) expect(Object.values(operationTable)).toContain(read.value);
      }),
      { numRuns: 2000 },
    );
  });
});
