/** The process of one compartment. It is locked down before anything of a tool is there; the tool gets its powers and nothing else. */
import { hardened } from './lock.js';
import { parseArchive } from '@endo/compartment-mapper/import-archive.js';
import { Endowments } from './endow.js';
import { onOrder, say } from './stdio.js';
import { type RunOrder, jsonOf, textOf } from './wire.js';

/** Longest message of an error. */
const longest = 1000;

const endowments = new Endowments((use, wish) => say({ say: 'use', use, ...wish }));
let tool: Tool | undefined;

interface Tool {
  readonly namespace: Readonly<Record<string, unknown>>;
  readonly powers: object;
  readonly resultBytes: number;
}

/** Writes of a tool to its console go nowhere: they would be an output that nobody bounds. */
const silent = hardened(
  Object.fromEntries(
    ['debug', 'error', 'info', 'log', 'trace', 'warn'].map((name) => [name, () => undefined]),
  ),
);

onOrder((text) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway alone writes here
  const order = JSON.parse(text) as RunOrder;
  if (order.order === 'used') endowments.settle(order);
  else if (order.order === 'open') void open(order);
  else void call(order);
});

async function open({ archive, powers, resultBytes }: Extract<RunOrder, { order: 'open' }>): Promise<void> {
  try {
    const application = await parseArchive(new Uint8Array(Buffer.from(archive, 'base64')), 'tool');
    const { namespace } = await application.import({ globals: { console: silent } });
    tool = { namespace, powers: endowments.powers(powers), resultBytes };
    say({ say: 'open' });
  } catch (error) {
    say({ say: 'refused', why: messageOf(error) });
  }
}

async function call({ call: id, method, args }: Extract<RunOrder, { order: 'call' }>): Promise<void> {
  try {
    const value = await answerTo(method, args);
    if (Buffer.byteLength(value) > (tool?.resultBytes ?? 0))
      say({ say: 'failed', call: id, code: 'too_large', message: 'the result is larger than it may be' });
    else say({ say: 'result', call: id, value });
  } catch (error) {
    say({ say: 'failed', call: id, code: 'threw', message: messageOf(error) });
  }
}

/** Whatever the tool returns is made text here, once, so that nothing of it can change afterwards. */
async function answerTo(method: string, args: string): Promise<string> {
  const found = tool?.namespace[method];
  if (typeof found !== 'function') throw new TypeError(`the module has no function ${method}`);
  const returned: unknown = Reflect.apply(found, undefined, [hardened(jsonOf(args)), tool?.powers]);
  return textOf(await returned, 'result');
}

/** The words of what was thrown, which may be anything. */
function messageOf(error: unknown): string {
  try {
    const message: unknown = isKeyed(error) ? error['message'] : error;
    return typeof message === 'string' ? message.slice(0, longest) : 'the tool threw what is no error';
  } catch {
    return 'the tool threw what cannot be read';
  }
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
