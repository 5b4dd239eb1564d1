/** The audit of a session: whole as it is, and broken by any changed byte. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, isJsonObject, own } from '@pawl/core';
import { expect, test } from 'vitest';
import { connectOld } from './clients.js';
import { type Gateway, pawl, pawlHere, serverProgram, startGateway, temporaryFolder } from './gateway.js';

async function recordsOf(gateway: Gateway): Promise<readonly string[]> {
  const { code, out } = await gateway.ask('audit', 'show', '--limit', '1000', '--json');
  expect(code).toBe(0);
  return out.split('\n').filter((line) => line !== '');
}

function typeOf(line: string): string {
  const found = /"type":"(?<type>[a-z]+)"/u.exec(line)?.groups?.['type'];
  return found ?? line;
}

/** Changes one byte of the text, wherever SQLite keeps it; gives back what undoes the change. */
function changeByte(store: string, text: string): () => void {
  for (const name of ['pawl.db', 'pawl.db-wal']) {
    const path = join(store, name);
    if (!existsSync(path)) continue;
    const bytes = readFileSync(path);
    const at = bytes.indexOf(text.slice(0, 64));
    if (at < 0) continue;
    const changed = Buffer.from(bytes);
    const place = at + Math.floor(Math.random() * 64);
    changed[place] = (changed[place] ?? 0) ^ 1;
    writeFileSync(path, changed);
    return () => writeFileSync(path, bytes);
  }
  throw new Error('the record is not in the store');
}

async function session(gateway: Gateway, data: string): Promise<void> {
  const { authorization } = await gateway.issueKey('reader');
  const client = await connectOld({ url: gateway.url, authorization });
  await client.callTool({ name: 'files__read_text_file', arguments: { path: join(data, 'a.txt') } });
  await client.callTool({ name: 'files__read_text_file', arguments: { path: join(data, 'absent.txt') } });
  await client.callTool({ name: 'files__read_text_file', arguments: { path: '/etc/hostname' } });
  await client.callTool({ name: 'files__nothing', arguments: {} });
  await client.close();
}

test('[P.audit.tamper-evident] [P.audit.intent-first] verify is green for a session, live and offline, and red after any byte of a record is changed', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'a.txt'), 'a secret sentence of the file');
  const args = [serverProgram('filesystem'), data];
  const gateway = await startGateway({
    folder,
    policy: {
      pawl: 1,
      servers: { files: { command: process.execPath, args, connector: 'filesystem', root: data } },
      agents: {
        reader: { allow: [{ tools: ['files/read_text_file'], where: { path: join(data, '**') } }] },
      },
    },
  });
  await session(gateway, data);
  expect(await gateway.ask('audit', 'verify')).toMatchObject({ code: 0 });
  expect(await gateway.stop()).toMatchObject({ code: 0, signal: null });
  expect(await pawl('audit', 'verify', '--store', gateway.store)).toMatchObject({ code: 0 });
  const records = await recordsOf(gateway);
  expect(records.map(typeOf).filter((type) => type !== 'event')).toEqual([
    'intent',
    'settlement',
    'intent',
    'settlement',
    'refusal',
    'refusal',
  ]);
  expect(records.join('\n')).not.toContain('a secret sentence');
  const copy = join(folder, 'copy');
  cpSync(gateway.store, copy, { recursive: true, filter: (source) => !source.endsWith('.sock') });
  for (const record of records) {
    const undo = changeByte(copy, record);
    const { code, out } = await pawlHere('audit', 'verify', '--json', '--store', copy);
    expect(code, record).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false });
    undo();
  }
  expect(await pawlHere('audit', 'verify', '--store', copy)).toMatchObject({ code: 0 });
  changeByte(copy, records.at(-1)!);
  const red = await pawl('audit', 'verify', '--store', copy);
  expect(red).toMatchObject({ code: 1, err: '' });
  expect(red.out).toContain('BROKEN');
}, 60_000);

test('[P.audit.fields] records say who called what under which generation, and how it ended', async () => {
  const folder = temporaryFolder();
  const gateway = await startGateway({
    folder,
    policy: {
      pawl: 1,
      servers: { every: { command: process.execPath, args: [serverProgram('everything')] } },
      agents: { reader: { allow: [{ tools: ['every/echo'], where: { 'args.message': 'hello' } }] } },
    },
  });
  const key = await gateway.issueKey('reader');
  const client = await connectOld({ url: gateway.url, authorization: key.authorization });
  const call = async (message: string): Promise<unknown> =>
    client.callTool({ name: 'every__echo', arguments: { message } });
  await call('hello');
  const refused = (await call('bye')) as { _meta: { 'pawl/refusal': { id: string } } };
  await client.close();
  await gateway.stop();
  const records = (await recordsOf(gateway)).map((line) => JSON.parse(line) as JsonObject);
  const found = (type: string): JsonObject =>
    records.map(recordIn).find((each) => own(each, 'type') === type)!;
  const common = { executor: 'reader', tool: 'every/echo', policyGeneration: { number: 1 }, epoch: 0 };
  expect(found('intent')).toMatchObject({ ...common, verdict: 'permit', rules: ['agents.reader.allow[0]'] });
  expect(found('settlement')).toMatchObject({ outcome: 'ok', call: own(found('intent'), 'call')! });
  const refusal = { code: 'not_permitted', layer: 'policy', call: refused._meta['pawl/refusal'].id };
  expect(found('refusal')).toMatchObject({ ...common, verdict: 'deny', ...refusal });
}, 60_000);

function recordIn(envelope: JsonObject): JsonObject {
  const record = own(envelope, 'record');
  return isJsonObject(record) ? record : envelope;
}
