/** What a send costs over a bare await: the same method, called bare, by a send, by guarded sends, and by a stub of capnweb. */
import {
  type Access,
  type Ref,
  admits,
  checked,
  defineActor,
  denial,
  jsonArguments,
  judged,
  revocable,
  send,
  spawn,
} from '@pawl/core';
import { RpcStub, RpcTarget } from 'capnweb';
import { pawlAccess, pawlAuthority } from '../decision/pawl.js';
import { type Effort, type Seen, summary } from '../measure/rounds.js';
import { loadWorkload } from '../workload/load.js';
import type { WorkloadCall } from '../workload/workload.js';

/** What the method takes. */
interface Message {
  readonly path: string;
}

/** Microseconds of CPU a call. */
export interface SendFigures extends Seen {
  /** Over the bare await of the same run, by the least of each. */
  readonly ratio: number;
}

interface AsyncContender {
  readonly name: string;
  readonly call: (message: Message) => Promise<unknown>;
}

const schema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;

const regions: readonly string[] = [];
const no = denial({ code: 'not_permitted', layer: 'policy', message: 'no' });

type Protocol = { readonly read: (message: Message) => number };

/** A check by hand, as one writes it for one method. */
const byHand = checked<Message>((sent) => {
  const isMessage =
    typeof sent === 'object' && sent !== null && 'path' in sent && typeof sent.path === 'string';
  return isMessage ? undefined : 'path is no text';
}, schema);

const work = async ({ path }: Message): Promise<number> => path.length;

class Target extends RpcTarget {
  async read(message: Message): Promise<number> {
    return message.path.length;
  }
}

/** Measures all contenders in turns. */
export async function measureSends(effort: Effort): Promise<readonly SendFigures[]> {
  const { contenders, messages } = prepare();
  const samples = contenders.map((): number[] => []);
  for (let round = -effort.warmUp; round < effort.rounds; round++) {
    for (const [at, contender] of contenders.entries()) {
      const cost = await costOf(contender, messages, effort.milliseconds);
      if (round >= 0) samples[at]!.push(cost);
    }
  }
  const seen = contenders.map(({ name }, at) => ({ name, ...summary(samples[at]!) }));
  return seen.map((one) => ({ ...one, ratio: one.min / seen[0]!.min }));
}

function prepare(): {
  readonly contenders: readonly AsyncContender[];
  readonly messages: readonly Message[];
} {
  const { rules, calls } = loadWorkload(20, 5);
  const authority = pawlAuthority(rules.map((rule) => ({ ...rule, args: {} })));
  const [first] = calls.filter(({ allow }) => allow) as [WorkloadCall];
  const { tool, verb } = pawlAccess(first);
  const judge: Parameters<typeof judged>[1] = (_, args) => {
    const { path } = args as Message;
    const fields = { path };
    const access: Access = { tool, verb, fields, args: {}, namedOnly: false, regions };
    return admits(authority, access).level === undefined ? no : undefined;
  };
  const same = calls.filter((call) => call.allow && call.tool === first.tool && call.verb === first.verb);
  const messages = same.map(({ resource }): Message => ({ path: resource }));
  const plain: Ref<Protocol> = spawn(
    defineActor({}, ({ read }) => ({ read: read(byHand, work) })),
    {},
  );
  const bySchema: Ref<Protocol> = spawn(
    defineActor({}, ({ read }) => ({ read: read(messageSchema, work) })),
    {},
  );
  const guarded = judged(revocable(plain).ref, judge);
  const guardedBySchema = judged(revocable(bySchema).ref, judge);
  const target = new Target();
  const stub = new RpcStub(target);
  return {
    messages,
    contenders: [
      { name: 'bare await', call: (message) => target.read(message) },
      { name: 'send, arguments checked', call: (message) => send(plain, 'read', message) },
      { name: 'with caretaker and policy', call: (message) => send(guarded, 'read', message) },
      { name: 'the same, JSON schema as guard', call: (message) => send(guardedBySchema, 'read', message) },
      { name: 'capnweb, local stub', call: (message) => stub.read(message) },
    ],
  };
}

const messageSchema = jsonArguments(schema) as unknown as typeof byHand;

let kept = 0;

async function costOf(
  { call }: AsyncContender,
  messages: readonly Message[],
  milliseconds: number,
): Promise<number> {
  const before = process.cpuUsage();
  const end = performance.now() + milliseconds;
  let calls = 0;
  do {
    for (const message of messages) {
      const answer = await call(message);
      kept = (kept + Number(answer)) | 0;
    }
    calls += messages.length;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
