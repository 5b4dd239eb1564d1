/** Loading a module: its files are parsed and linked in a process of their own, and none of its code runs there. */
import { CompartmentFailure } from './failure.js';
import { heard } from './hear.js';
import type { Module } from './open.js';
import { Confined, type ProcessBounds } from './process.js';
import type { LoadOrder } from './wire.js';

/** Files of a folder, by path with `/` between, as they were verified. */
export type Files = ReadonlyMap<string, Uint8Array>;

const bounds: ProcessBounds = {
  heapMiB: 512,
  memoryMiB: 1024,
  cpuSeconds: 60,
  lineBytes: 64 * 1024 * 1024,
};
const loadMs = 30_000;
const mostBytes = 16 * 1024 * 1024;

/** Modules by the path of their file. */
export type Modules = ReadonlyMap<string, Module>;

/**
 * Loads modules with all that they import from the same files. Rejects with a CompartmentFailure (`refused`) for what is no module,
 * imports anything else, or has an import that is decided when it runs. What is given is what is loaded; nothing else is read.
 */
export async function loadModules(files: Files, entries: readonly string[]): Promise<Modules> {
  const code = [...files].filter(([path]) => /\.(?:m?js|cjs|json)$/u.test(path));
  const size = code.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  if (size > mostBytes) throw new CompartmentFailure('refused', `its code is larger than ${mostBytes} bytes`);
  const order: LoadOrder = {
    order: 'load',
    files: code.map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
    entries,
  };
  const confined = new Confined('load', bounds);
  try {
    return await loaded(confined, order);
  } finally {
    confined.end('it is no longer needed');
  }
}

function loaded(confined: Confined, order: LoadOrder): Promise<Modules> {
  const modules = new Map<string, Module>();
  return new Promise((done, fail) => {
    const refused = (why: string, file?: string): void => fail(new CompartmentFailure('refused', why, file));
    const timer = setTimeout(() => refused(`loading took longer than ${loadMs} ms`), loadMs);
    confined.attend({
      line: (text) => {
        const said = heard(text);
        if (said?.say === 'loaded') {
          const { entry, archive, methods } = said;
          modules.set(entry, Object.freeze({ archive, methods }));
          if (!order.entries.every((each) => modules.has(each))) return;
        } else if (said?.say === 'refused') refused(said.why, said.file);
        else refused('loading failed');
        clearTimeout(timer);
        done(modules);
      },
      ended: (why) => {
        clearTimeout(timer);
        refused(`loading failed: ${why}`);
      },
    });
    confined.send(order);
  });
}
