import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentName, parseAgentName, systemEntropy } from '@pawl/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticate, issueKey, keyIdOf } from './key.js';
import { parseKeyFile, printKeyFile, readKeyFile, writeKeyFile } from './key-file.js';

const agent: AgentName = parseAgentName('reporter') ?? ('' as AgentName);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a key stands for the agent and instance that it was issued for', () => {
  const { record, key } = issueKey({ agent, instance: 'alice' }, systemEntropy, 7);
  expect(key).toMatch(/^pk_[a-z2-7]{16}_[A-Za-z0-9_-]{43}$/u);
  expect(record).toMatchObject({ agent, instance: 'alice', issuedAt: 7 });
  expect(JSON.stringify(record)).not.toContain(key.split('_').slice(2).join('_'));
  expect(keyIdOf(key)).toBe(record.id);
  expect(authenticate(() => record, key)).toEqual({ key: record.id, agent, instance: 'alice' });
});

test('a wrong, unknown, revoked or malformed key stands for nobody [P.session.unknown-key]', () => {
  const { record, key } = issueKey({ agent }, systemEntropy, 7);
  const last = key.at(-1) === 'A' ? 'E' : 'A';
  expect(authenticate(() => record, `${key.slice(0, -1)}${last}`)).toBeUndefined();
  expect(authenticate(() => undefined, key)).toBeUndefined();
  expect(authenticate(() => ({ ...record, revokedAt: 8 }), key)).toBeUndefined();
  for (const text of ['', 'pk_', key.toUpperCase(), ` ${key}`, `${key} `, `${key}A`]) {
    expect(
      authenticate(() => record, text),
      text,
    ).toBeUndefined();
  }
});

test('a key file prints and parses back, and nothing else is one', () => {
  const { key } = issueKey({ agent }, systemEntropy, 7);
  const file = { key, agents: '/tmp/agents.sock', url: 'http://127.0.0.1:7295/mcp' };
  expect(parseKeyFile(printKeyFile(file))).toEqual({ ok: true, file });
  const bare = { key, agents: '/tmp/agents.sock' };
  expect(parseKeyFile(printKeyFile(bare))).toEqual({ ok: true, file: bare });
  const wrong = [
    '',
    '{}',
    '[]',
    printKeyFile({ key: 'x', agents: '/a' }),
    printKeyFile({ key, agents: 'a' }),
  ];
  for (const text of wrong) {
    const read = parseKeyFile(text);
    expect(read.ok, text).toBe(false);
    expect(JSON.stringify(read)).not.toContain(key);
  }
});

test.skipIf(process.platform === 'win32')(
  'key files are written 0600, and one that others can read is refused [P.session.key-file-mode]',
  () => {
    const path = join(folder, 'key.json');
    writeFileSync(path, '', { mode: 0o644 });
    const { key } = issueKey({ agent }, systemEntropy, 7);
    writeKeyFile(path, { key, agents: '/tmp/agents.sock' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readKeyFile(path)).toMatchObject({ ok: true });
    for (const mode of [0o640, 0o604, 0o620, 0o601]) {
      chmodSync(path, mode);
      expect(readKeyFile(path)).toMatchObject({
        ok: false,
        why: `others can read it; run: chmod 600 ${path}`,
      });
    }
    expect(readKeyFile(join(folder, 'absent'))).toEqual({ ok: false, why: 'there is no such file' });
  },
);
