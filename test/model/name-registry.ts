/** A registry of names as agents commonly have one: tools are found by name, and handlers reach whatever their module reaches. */

/** What handlers reach: everything. */
export interface World {
  readonly files: Map<string, string>;
  /** The file that was worked on last, by whichever tool. */
  last: string;
}

type Handler = (world: World, args: Readonly<Record<string, string>>) => string;

function resolved(folder: string, name: string): string {
  const steps: string[] = [];
  for (const step of `${folder}/${name}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}

function reader(folder: string): Handler {
  return (world, { name = '' }) => {
    if (name !== '') world.last = resolved(folder, name);
    return world.files.get(world.last) ?? 'no such file';
  };
}

function writer(folder: string): Handler {
  return (world, { name = '', text = '' }) => {
    world.last = resolved(folder, name);
    world.files.set(world.last, text);
    return 'written';
  };
}

/** The tools of the house, by name. */
export const handlers: Readonly<Record<string, Handler>> = {
  notes__read: reader('/notes'),
  notes__write: writer('/notes'),
  logs__read: reader('/logs'),
  admin__reset: (world) => {
    world.files.set('/logs/reset', 'yes');
    return 'reset';
  },
};

/** One table for everybody, changed under a lock. */
export class NameRegistry {
  readonly #tools = new Map<string, Handler>();
  #lock: Promise<void> = Promise.resolve();

  register(name: string, handler: Handler): void {
    this.#tools.set(name.trim().toLowerCase(), handler);
  }

  /** Takes the lock, empties the table and fills it again, a tool at a time, as lists come from a server. */
  async refresh(all: Readonly<Record<string, Handler>>): Promise<void> {
    const before = this.#lock;
    let release = (): void => undefined;
    this.#lock = new Promise((resolve) => (release = resolve));
    await before;
    this.#tools.clear();
    for (const [name, handler] of Object.entries(all)) {
      await Promise.resolve();
      this.register(name, handler);
    }
    release();
  }

  async dispatch(world: World, name: string, args: Readonly<Record<string, string>>): Promise<string> {
    const handler = this.#tools.get(name.trim().toLowerCase());
    await Promise.resolve();
    return handler === undefined ? 'unknown tool' : handler(world, args);
  }
}
