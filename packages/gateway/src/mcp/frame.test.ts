import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, maxFrameBytes } from './frame.js';

test('reads a request, a notification, and missing params as none', () => {
  expect(decodeFrame('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toEqual({
    kind: 'request',
    id: 1,
    method: 'ping',
    params: {},
  });
  expect(decodeFrame(' {"params":{"a":1},"method":"m","jsonrpc":"2.0","id":"x"} ')).toMatchObject({
    id: 'x',
    params: { a: 1 },
  });
  expect(decodeFrame(Buffer.from('{"jsonrpc":"2.0","method":"n"}'))).toMatchObject({ kind: 'notification' });
});

const invalid: [string, string, number, string | number | null][] = [
  ['no JSON', '{"jsonrpc":"2.0","id":1,', -32700, null],
  ['nothing', '', -32700, null],
  ['a number', '7', -32600, null],
  ['null', 'null', -32600, null],
  ['a batch', '[]', -32600, null],
  ['no version', '{"id":1,"method":"ping"}', -32600, 1],
  ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
  ['no method', '{"jsonrpc":"2.0","id":1}', -32600, 1],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":5}', -32600, 1],
  ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
  ['an object id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
  ['an id no double holds', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', -32600, null],
  ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', -32600, 1],
  ['params that are null', '{"jsonrpc":"2.0","id":1,"method":"m","params":null}', -32600, 1],
  ['a result', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600, null],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}', -32600, null],
  ['both', '{"jsonrpc":"2.0","id":1,"method":"m","result":{}}', -32600, null],
];
test.each(invalid)('refuses %s [P.decode.not-a-request]', (_what, text, code, id) => {
  expect(decodeFrame(text)).toMatchObject({ kind: 'invalid', code, id });
});

test('refuses a duplicate key at any depth and names the request it stands in [P.decode.duplicate-keys]', () => {
  for (const inner of ['{"a":1,"a":1}', '{"b":[{"a":1,"\\u0061":2}]}']) {
    const text = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"arguments":${inner}}}`;
    expect(decodeFrame(text)).toMatchObject({ kind: 'invalid', code: -32600, id: 9 });
  }
  expect(decodeFrame('{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}')).toMatchObject({
    kind: 'invalid',
    id: null,
  });
});

test('refuses __proto__ at any depth and pollutes nothing [P.decode.proto]', () => {
  const text = '{"jsonrpc":"2.0","id":9,"method":"m","params":{"x":{"__proto__":{"polluted":1}}}}';
  expect(decodeFrame(text)).toMatchObject({ kind: 'invalid', id: 9 });
  expect('polluted' in {}).toBe(false);
});

test('refuses a frame past 1 MiB, 64 levels or 4,096 elements [P.decode.limits]', () => {
  const request = (x: string): string => `{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":${x}}}`;
  const filled = (bytes: number): string => request(`"${'a'.repeat(bytes - request('""').length)}"`);
  expect(decodeFrame(filled(maxFrameBytes)).kind).toBe('request');
  expect(decodeFrame(filled(maxFrameBytes + 1))).toMatchObject({ kind: 'invalid', code: -32600, id: null });
  expect(decodeFrame(request(`${'['.repeat(62)}${']'.repeat(62)}`)).kind).toBe('request');
  expect(decodeFrame(request(`${'['.repeat(63)}${']'.repeat(63)}`))).toMatchObject({
    kind: 'invalid',
    id: 1,
  });
  expect(decodeFrame(request(`[${'1,'.repeat(4095)}1]`)).kind).toBe('request');
  expect(decodeFrame(request(`[${'1,'.repeat(4096)}1]`))).toMatchObject({ kind: 'invalid', id: 1 });
  expect(decodeFrame('['.repeat(1_000_000))).toMatchObject({ kind: 'invalid', code: -32700 });
});

test('refuses a number that does not survive the round trip [P.decode.numbers]', () => {
  const text = '{"jsonrpc":"2.0","id":4,"method":"m","params":{"n":9007199254740993}}';
  expect(decodeFrame(text)).toMatchObject({ kind: 'invalid', id: 4 });
});

test('refuses bytes that are no UTF-8 [P.decode.not-a-request]', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  expect(decodeFrame(bytes)).toMatchObject({ kind: 'invalid' });
});

const twins = ['Method', 'METHOD', 'Id', 'ID', 'JSONRPC', 'Params', 'paramſ', 'Result'];
test.each(twins)('refuses the member %s beside or in place of the known one [P.decode.case-twin]', (twin) => {
  const text = `{"jsonrpc":"2.0","id":3,"method":"m","params":{},"${twin}":"x"}`;
  expect(decodeFrame(text)).toMatchObject({ kind: 'invalid', code: -32600 });
});

const paramTwins = ['Name', 'NAME', 'Arguments', 'argumentſ', '_META', '_Meta', 'requestID', 'Cursor'];
test.each(paramTwins)('refuses the parameter %s [P.decode.case-twin]', (twin) => {
  const text = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","${twin}":"x"}}`;
  expect(decodeFrame(text)).toMatchObject({ kind: 'invalid', code: -32600, id: 3 });
});

test('leaves unknown members aside', () => {
  expect(decodeFrame('{"jsonrpc":"2.0","id":1,"method":"m","extra":1}')).toEqual({
    kind: 'request',
    id: 1,
    method: 'm',
    params: {},
  });
});

test('never throws, and reads every text as the JSON it is or not at all', () => {
  const soup = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(
        fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'id', 'method', '"jsonrpc":"2.0"', '1', 'é'),
      )
      .map((parts) => parts.join('')),
    fc.jsonValue().map((params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', params })),
  );
  fc.assert(
    fc.property(soup, (text) => {
      const frame = decodeFrame(text);
      const bytes = Buffer.from(text, 'utf8');
      if (bytes.toString('utf8') === text) expect(decodeFrame(bytes).kind).toBe(frame.kind);
      if (frame.kind === 'invalid') return;
      const value = JSON.parse(text) as { method: string; params?: object };
      expect(frame.method).toBe(value.method);
      expect(JSON.stringify(frame.params)).toBe(JSON.stringify(value.params ?? {}));
    }),
    { numRuns: 2000 },
  );
});

test('never throws on bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(['request', 'notification', 'invalid']).toContain(decodeFrame(bytes).kind);
    }),
  );
});
