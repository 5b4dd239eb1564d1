/** Reports of other projects' subagents: what a child could do that its parent, or its own rules, did not allow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallOutcome, type DelegatedSession, type Json, parseToolName } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from '../dispatch/world.js';

interface Report {
  readonly id: string;
  readonly kind: string;
  readonly input: { readonly tool: string; readonly args: Record<string, Json> };
}

const reports: ReadonlyMap<string, Report> = new Map(
  readFileSync(join(import.meta.dirname, 'reports.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Report)
    .filter(({ kind }) => kind === 'subagent')
    .map((report) => [report.id, report]),
);

/** Reports whose right answer is another one here, with the reason. */
const otherwise: Readonly<Record<string, string>> = {
  R132:
    'What is delegated is the meet: nobody hands on what it does not hold, and the policy has no authority that is delegable and not usable. ' +
    'The worker gets its tool as an agent of its own, with its own key.',
};

const text = { type: 'string' };
const takes = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  additionalProperties: false,
});
const tools = {
  files: { read_file: takes('path'), edit_file: takes('path', 'old', 'new'), write_file: takes('path') },
  sh: { run_command: takes('command') },
};
const table = `connectors:
  project:
    fields: { path: { kind: path } }
    tools:
      read_file: { verb: read, reads: { path: path } }
      edit_file: { verb: write, reads: { path: path }, payload: [old, new] }
      write_file: { verb: write, reads: { path: path } }`;

function world(agents: string): World {
  const policy = `pawl: 1
servers: { files: { command: f, connector: project, root: /w }, sh: { command: s } }
${table}
agents:
${agents}`;
  return new World({ policy, tools, ttl: 60_000 });
}

async function child(w: World, parent: string, tool: string, as?: string): Promise<DelegatedSession> {
  const made = await w.delegate(w.open(parent).id, { allow: [{ tools: [tool] }], as });
  if (made.kind !== 'delegated') throw new Error(made.message);
  return made;
}

/** The report's own call, in a child's session or an agent's own. */
function reported(w: World, id: string, server: string, by: DelegatedSession | string): Promise<CallOutcome> {
  const { tool, args } = reports.get(id)!.input;
  const name = `${server}__${tool}`;
  return typeof by === 'string' ? w.call(by, name, args) : w.callIn(by.session.id, name, args);
}

describe('[P.delegate.meet] reports about subagents', () => {
  test('R129: a child of a parent whose commands need approval needs it too', async () => {
    const w = world(`  main:
    allow: [ { tools: [sh/run_command], ask: once } ]
    delegate: { depth: 1 }`);
    const made = await child(w, 'main', 'sh/run_command');
    expect(refusalOf(await reported(w, 'R129', 'sh', made))?.code).toBe('consent_required');
    expect(w.arrivals).toEqual([]);
  });

  test('R130: denials written for the child itself hold', async () => {
    const w = world(`  main: { allow: [ { tools: [files/read_file] } ], delegate: { depth: 1 } }
  child: { allow: [ { tools: [files/read_file] } ], deny: [ { where: { path: private/** } } ] }`);
    const made = await child(w, 'main', 'files/read_file', 'child');
    expect(refusalOf(await reported(w, 'R130', 'files', made))?.code).toBe('denied');
    const open = await w.callIn(made.session.id, 'files__read_file', { path: 'public.md' });
    expect(refusalOf(open)).toBeUndefined();
  });

  test('R131: denials of the caller by path reach the child whole', async () => {
    const w = world(`  planner:
    allow: [ { tools: [files/edit_file] } ]
    deny: [ { where: { path: infra/prod.tf } } ]
    delegate: { depth: 1 }
  child: { allow: [ { tools: [files/edit_file] } ] }`);
    const made = await child(w, 'planner', 'files/edit_file', 'child');
    expect(refusalOf(await reported(w, 'R131', 'files', made))?.code).toBe('denied');
    const other = await w.callIn(made.session.id, 'files__edit_file', {
      path: 'infra/dev.tf',
      old: 'a',
      new: 'b',
    });
    expect(refusalOf(other)).toBeUndefined();
  });

  test('R132, otherwise: a coordinator hands on nothing that it does not hold, and the worker acts in its own right', async () => {
    const w = world(`  coordinator: { allow: [ { tools: [files/read_file] } ], delegate: { depth: 1 } }
  worker: { allow: [ { tools: [sh/run_command] } ] }`);
    const asked = { allow: [{ tools: ['sh/run_command'] }], as: 'worker' };
    expect(await w.delegate(w.open('coordinator').id, asked)).toMatchObject({ code: 'not_permitted' });
    expect(refusalOf(await reported(w, 'R132', 'sh', 'worker'))).toBeUndefined();
    expect(refusalOf(await reported(w, 'R132', 'sh', 'coordinator'))?.code).toBe('no_such_cap');
  });

  test('R133: an agent without the right to delegate cannot ask another, and gains nothing with it', async () => {
    const agents = (key: string): string => `  reader: { allow: [ { tools: [files/read_file] } ]${key} }
  writer: { allow: [ { tools: [files/write_file] } ] }`;
    const asked = { allow: [{ tools: ['files/write_file'] }], as: 'writer' };
    for (const key of ['', ', delegate: { depth: 1 }']) {
      const w = world(agents(key));
      expect(refusalOf(await reported(w, 'R133', 'pawl', 'reader'))?.code).toBe('no_such_cap');
      expect(await w.delegate(w.open('reader').id, asked), key).toMatchObject({ code: 'not_permitted' });
    }
  });

  test('each is told here, or listed with the reason, and their tools are the reports’ own', () => {
    expect([...reports.keys()]).toEqual(['R129', 'R130', 'R131', 'R132', 'R133']);
    expect(Object.keys(otherwise)).toEqual(['R132']);
    expect(parseToolName('pawl/delegate')).toBeDefined();
  });
});
