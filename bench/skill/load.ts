/** Loading a signed skill of 200 files from disk: read, verified, parsed, intersected. Milliseconds that pass, and of CPU. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Snapshot,
  executorId,
  isRefusal,
  loadSkill,
  makeSigningKey,
  mintId,
  parseAgentName,
  readFolder,
  readSigningKey,
  sha256,
  signContents,
  trustFact,
} from '@pawl/core';
import { compileRead, readPolicyText, readYaml } from '../../packages/gateway/src/config/index.js';
import { skillFolder } from '../../packages/gateway/src/power/index.js';
import { type Seen, summary } from '../measure/rounds.js';

const files = 200;
const manifest = {
  'pawl-skill': 1,
  capabilities: { scratch: { tools: ['files/write_file'], where: { path: '/scratch/**' } } },
  tools: { note: { description: 'Notes.', needs: ['scratch'], run: 'f0.sh' } },
};
const policy = `pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow: [ { tools: [files/write_file], where: { path: /scratch/** } } ]
    skills: { k: { grant: [ { tools: [files/write_file], where: { path: /scratch/** } } ] } }
`;

/** Rounds after warm-up. */
export async function measureSkillLoads(
  rounds: number,
): Promise<{ readonly wall: Omit<Seen, 'name'>; readonly cpu: Omit<Seen, 'name'> }> {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-skill-'));
  try {
    const { snapshot } = await prepare(folder);
    const [wall, cpu]: [number[], number[]] = [[], []];
    for (let round = -5; round < rounds; round += 1) {
      const [began, used] = [performance.now(), process.cpuUsage()];
      const answer = await load(folder, snapshot);
      const { user, system } = process.cpuUsage(used);
      if (isRefusal(answer)) throw new Error(answer.message);
      if (round < 0) continue;
      wall.push(performance.now() - began);
      cpu.push((user + system) / 1000);
    }
    return { wall: summary(wall), cpu: summary(cpu) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function load(folder: string, snapshot: Snapshot): ReturnType<typeof loadSkill> {
  const ports = {
    current: { peek: () => snapshot },
    clock: { wall: () => Date.now() },
    readYaml,
    overReached: () => undefined,
    publish: () => undefined,
  };
  const executor = executorId(parseAgentName('a')!);
  return loadSkill(ports, { folder: skillFolder(folder), executor });
}

async function prepare(folder: string): Promise<{ readonly snapshot: Snapshot }> {
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: k\ndescription: K.\n---\n');
  writeFileSync(join(folder, 'pawl-skill.json'), JSON.stringify(manifest));
  for (let at = 0; at < files - 2; at += 1) {
    const below = join(folder, at < 50 ? '' : `folder-${at % 10}`);
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `f${at}.sh`), `echo ${at}\n`.repeat(400));
  }
  const key = readSigningKey(makeSigningKey().privatePem);
  const contents = await readFolder(skillFolder(folder));
  if (typeof key === 'string' || isRefusal(contents)) throw new Error('the skill cannot be signed');
  const signed = signContents(contents, 'k', key);
  if (isRefusal(signed)) throw new Error(signed.message);
  writeFileSync(join(folder, 'skill.oms.sig'), signed.bundle);
  const { id, pem } = key.publicKey;
  const read = readPolicyText('policy.yaml', policy);
  if (!read.ok) throw new Error('the policy cannot be read');
  const facts = new Map([[trustFact, { keys: { [id]: { publicKey: pem, skills: ['k'] } } }]]);
  const compiled = compileRead({ ...read.policy, facts }, { tools: undefined, vanishedTool: 'problem' });
  if (!compiled.ok) throw new Error('the policy cannot be compiled');
  const generation = { number: 1, hash: sha256(''), store: mintId.store('bench') };
  return { snapshot: { generation, policy: compiled.policy, epochs: new Map(), lineage: new Map() } };
}
