/** Names that every object has, as arguments, as tools and as members of a message: plain text everywhere. */
import type { JsonObject } from '@pawl/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Gateway,
  recorded,
  recordedCalls,
  serverProgram,
  startGateway,
  temporaryFolder,
} from '../e2e/gateway.js';
import { type Endpoint, call, envelope, postText, refusalOf, textOf, toolNames } from '../e2e/post.js';

const inherited = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'toJSON',
];

let gateway: Gateway;
let to: Endpoint;
let log = '';

beforeAll(async () => {
  const folder = temporaryFolder(afterAll);
  log = `${folder}/calls`;
  gateway = await startGateway({
    folder,
    policy: {
      pawl: 1,
      servers: { every: { command: process.execPath, args: recorded(log, serverProgram('everything')) } },
      agents: { worker: { allow: [{ tools: ['every/echo', 'every/get-sum'] }] } },
    },
  });
  to = { url: gateway.url, authorization: (await gateway.issueKey('worker')).authorization };
});
afterAll(async () => {
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});

/** Sends arguments as text, as JSON.stringify cannot write them; gives the status and the answer. */
async function callText(args: string): Promise<{ readonly status: number; readonly answer: JsonObject }> {
  const params = `{"name":"every__echo","arguments":${args},"_meta":${JSON.stringify(envelope)}}`;
  const body = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":${params}}`;
  const response = await postText(to, 'tools/call', body, 'every__echo');
  return { status: response.status, answer: (await response.json()) as JsonObject };
}

describe('names that every object has', () => {
  test.each(inherited.slice(1))(
    '[P.decode.unknown-argument] %s as an argument is refused before the server',
    async (name) => {
      const before = recordedCalls(log).length;
      const answer = await call(to, 'every__echo', { message: 'x', [name]: { message: 'poison' } });
      expect(refusalOf(answer)).toBe('malformed_arguments');
      expect(recordedCalls(log)).toHaveLength(before);
    },
  );

  test.each([
    '{"message":"x","__proto__":{"message":"poison"}}',
    '{"__proto__":{"message":"poison"}}',
    '{"message":{"__proto__":{"polluted":true}}}',
    '{"message":"x","\\u005f_proto__":1}',
    '{"message":"x","message":"poison"}',
  ])('[P.decode.proto] [P.decode.duplicate-keys] %s is no valid request', async (args) => {
    const before = recordedCalls(log).length;
    const { status, answer } = await callText(args);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ id: 9, error: { code: -32600, data: { code: 'malformed_arguments' } } });
    expect(recordedCalls(log)).toHaveLength(before);
  });

  test.each(inherited)(
    '[S001.no-name-folding] %s as a tool, with or without its server, names nothing',
    async (name) => {
      for (const tool of [name, `every__${name}`, `every/${name}`])
        expect(refusalOf(await call(to, tool, { message: 'x' })), tool).toBe('no_such_cap');
    },
  );

  test('[P.decode.types] a value of another type than the schema says reaches no server', async () => {
    const before = recordedCalls(log).length;
    for (const message of [{ toString: 'x' }, ['x'], null, true, 7])
      expect(refusalOf(await call(to, 'every__echo', { message }))).toBe('malformed_arguments');
    expect(recordedCalls(log)).toHaveLength(before);
  });

  test('as text they pass like any other, and afterwards everything is as before', async () => {
    for (const message of inherited)
      expect(textOf(await call(to, 'every__echo', { message }))).toBe(`Echo: ${message}`);
    expect(textOf(await call(to, 'every__get-sum', { a: 1, b: 2 }))).toBe('The sum of 1 and 2 is 3.');
    expect(await toolNames(to)).toEqual(['every__echo', 'every__get-sum']);
    expect(await gateway.ask('audit', 'verify')).toMatchObject({ code: 0 });
  });
});
