/** What stands around a decision: reading the call, and the whole of admission for a call of a file tool. */
import { type Admission, admit } from '../../packages/core/src/dispatch/index.js';
import {
  type ReadPlan,
  type ToolFrame,
  compileSchema,
  decodeArguments,
  parseJson,
  readCall,
} from '../../packages/core/src/connector/index.js';
import {
  type Json,
  type JsonObject,
  parseServerName,
  toolName,
} from '../../packages/core/src/ground/index.js';
import { executorOf } from '../../packages/core/src/policy/index.js';
import { compileRead, readPolicyText } from '../../packages/gateway/src/config/index.js';
import { type Effort, type Seen, measure } from '../measure/rounds.js';
import { loadWorkload } from '../workload/load.js';

/** Measures, in microseconds of CPU a call. */
export function reading(effort: Effort): readonly Seen[] {
  const { calls } = loadWorkload(200, 25);
  const workload = calls.map(({ resource, args }): JsonObject => ({ resource, ...args }));
  const texts = workload.map((args) => JSON.stringify(args));
  const frame = workloadFrame();
  const files = fileCalls();
  return measure(
    [
      over('parse strictly (the arguments alone)', texts, (text) => (parseJson(text).ok ? 1 : 0)),
      over('decode and read, 5 arguments', workload, (args) => decodeAndRead(frame, args)),
      over('whole admission, permitted', files.permitted, (args) => files.judge(args, 'admitted')),
      over('whole admission, refused in words', files.refused, (args) => files.judge(args, 'refused')),
    ],
    effort,
  );
}

function over<T>(
  name: string,
  list: readonly T[],
  one: (item: T) => number,
): Parameters<typeof measure>[0][0] {
  const run = (): number => list.reduce((sum, item) => sum + one(item), 0);
  return { name, units: list.length, run };
}

interface Workframe {
  readonly frame: ToolFrame;
  readonly plan: ReadPlan;
}

const properties = {
  resource: { type: 'string' },
  mode: { type: 'string' },
  size: { type: 'integer' },
  host: { type: 'string' },
  ref: { type: 'string' },
};

function workloadFrame(): Workframe {
  const schema = compileSchema({ type: 'object', properties, required: ['resource'] });
  if ('problem' in schema) throw new Error(schema.problem);
  const names = Object.keys(properties).filter((name) => name !== 'resource');
  const frame: ToolFrame = {
    tool: toolName(parseServerName('bench')!, 'tool'),
    schema,
    table: {
      verb: 'read',
      accesses: [
        {
          verb: 'read',
          extent: 'exact',
          namedOnly: false,
          omitted: {},
          needed: true,
          fields: { path: [{ argument: ['resource'] }] },
        },
      ],
      payload: [],
    },
    fields: { path: { kind: 'path' } },
    paths: { case: 'sensitive', platform: 'posix' },
  };
  const raw = names.map(
    (name) => ({ key: `args.${name}`, path: [name], view: 'raw', constrained: true, defaults: [] }) as const,
  );
  return { frame, plan: { raw, fields: new Set(['path']) } };
}

function decodeAndRead({ frame, plan }: Workframe, args: JsonObject): number {
  const decoded = decodeArguments(frame.schema!, args);
  if (!decoded.ok) throw new Error(decoded.message);
  const read = readCall(frame, plan, decoded.args);
  if (read.kind !== 'read') throw new Error(read.why);
  return read.accesses.length;
}

const policy = `
pawl: 1
servers:
  files: { command: server, connector: filesystem, root: /srv/work }
agents:
  worker:
    allow:
      - tools: [files/read_text_file, files/list_directory]
        where: { path: [docs/**, src/**, /tmp/shared/*.txt] }
      - tools: [files/write_file]
        where: { path: out/** }
    deny:
      - where: { path: "**/.env" }
`;

const definition: JsonObject = {
  name: 'read_text_file',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, head: { type: 'number' }, tail: { type: 'number' } },
    required: ['path'],
  },
};

interface FileCalls {
  readonly permitted: readonly Json[];
  readonly refused: readonly Json[];
  /** Judges one call, which has to come out as wanted. */
  readonly judge: (args: Json, wanted: Admission['kind']) => number;
}

function fileCalls(): FileCalls {
  const read = readPolicyText('/srv/pawl.yaml', policy);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const files = parseServerName('files')!;
  const tools = new Map([[files, ['read_text_file', 'list_directory', 'write_file'].map(toolCalled)]]);
  const compiled = compileRead(read.policy, { tools, vanishedTool: 'problem' });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const executor = executorOf(compiled.policy, 'worker', undefined);
  if ('kind' in executor) throw new Error(executor.message);
  const tool = toolName(files, 'read_text_file');
  const names = Array.from({ length: 500 }, (_, i) => `part-${i % 17}/chapter-${i}.md`);
  return {
    permitted: names.map((name) => ({ path: `docs/${name}` })),
    refused: names.map((name) => ({ path: `private/${name}` })),
    judge: (args, wanted) => {
      const { kind } = admit({ executor, tool, shown: 'files__read_text_file', args, disclosure: undefined });
      if (kind !== wanted) throw new Error(`${JSON.stringify(args)} is ${kind}`);
      return 1;
    },
  };
}

function toolCalled(name: string): { readonly name: string; readonly definition: JsonObject } {
  return { name, definition: { ...definition, name } };
}
