/** Starting again: what is in force depends on what was accepted, not on what a server happens to list today. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverProgram, startGateway, temporaryFolder } from '../e2e/gateway.js';
import { call, toolNames } from '../e2e/post.js';

test('a server that is down at the next start keeps nothing else from running, and serves again at the one after', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'server.mjs');
  const policy = {
    pawl: 1,
    servers: {
      memory: { command: process.execPath, args: [program] },
      every: { command: process.execPath, args: [serverProgram('everything')] },
    },
    agents: { worker: { allow: [{ tools: ['memory/read_graph', 'every/echo'] }] } },
  };
  const link = `import ${JSON.stringify(serverProgram('memory'))};\n`;
  writeFileSync(program, link);
  const first = await startGateway({ folder, policy });
  await first.stop();
  renameSync(program, `${program}.away`);
  const second = await startGateway({ folder, policy });
  const key = await second.issueKey('worker');
  const to = { url: second.url, authorization: key.authorization };
  expect(await toolNames(to)).toEqual(['every__echo']);
  await call(to, 'every__echo', { message: 'x' });
  await second.stop();
  renameSync(`${program}.away`, program);
  const third = await startGateway({ folder, policy });
  const again = { url: third.url, authorization: key.authorization };
  expect(await toolNames(again)).toEqual(['memory__read_graph', 'every__echo']);
  await third.stop();
}, 120_000);
