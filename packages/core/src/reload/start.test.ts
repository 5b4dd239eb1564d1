/** Start: which generation a process begins with. */
import { describe, expect, test } from 'vitest';
import { fakeSnapshot } from '../../../../test/fake-policy.js';
import { mintId, sha256 } from '../ground/index.js';
import { currentCell } from '../policy/set-current.js';
import { start } from './start.js';
import type { GenerationStore, StoredGeneration } from './store.js';

class Kept implements GenerationStore {
  readonly storeId = mintId.store('store');
  readonly puts: StoredGeneration[] = [];
  broken = false;

  current(): Promise<StoredGeneration | undefined> {
    return Promise.resolve(this.puts.at(-1));
  }

  put(generation: StoredGeneration): Promise<void> {
    if (this.broken) return Promise.reject(new Error('the disk is full'));
    this.puts.push(generation);
    return Promise.resolve();
  }
}

const { policy } = fakeSnapshot({ reach: { a: [], b: [] } });
const request = { policy, hash: sha256('one'), document: 'pawl: 1', bumpEpoch: false };
const changed = { ...request, hash: sha256('two') };

describe('start', () => {
  test('an empty store takes the document as generation 1', async () => {
    const [store, cell] = [new Kept(), currentCell()];
    const started = await start(store, cell, request);
    expect(started).toMatchObject({
      kind: 'first',
      snapshot: { generation: { number: 1, hash: request.hash } },
    });
    expect(store.puts).toMatchObject([{ number: 1, document: 'pawl: 1', epochs: { a: 0, b: 0 } }]);
  });

  test('[P.start.same-generation] the same content goes on as the same generation, and nothing is written', async () => {
    const [store, cell] = [new Kept(), currentCell()];
    await start(store, currentCell(), request);
    expect(await start(store, cell, request)).toMatchObject({
      kind: 'same',
      snapshot: { generation: { number: 1 } },
    });
    expect(store.puts).toHaveLength(1);
  });

  test('other content is refused and nothing is in force', async () => {
    const [store, cell] = [new Kept(), currentCell()];
    await start(store, currentCell(), request);
    expect(await start(store, cell, changed)).toMatchObject({ kind: 'refused', stored: { number: 1 } });
    expect(cell.current.peek()).toBeUndefined();
    expect(store.puts).toHaveLength(1);
  });

  test('by an operator act other content becomes the next generation and every epoch moves', async () => {
    const [store, cell] = [new Kept(), currentCell()];
    await start(store, currentCell(), request);
    const started = await start(store, cell, { ...changed, bumpEpoch: true });
    expect(started).toMatchObject({ kind: 'bumped', snapshot: { generation: { number: 2 } } });
    expect(store.puts.at(-1)).toMatchObject({ number: 2, epochs: { a: 1, b: 1 } });
  });

  test('a generation that cannot be made durable is not in force', async () => {
    const [store, cell] = [new Kept(), currentCell()];
    store.broken = true;
    await expect(start(store, cell, request)).rejects.toThrow('the disk is full');
    expect(cell.current.peek()).toBeUndefined();
    expect(cell.current.pin()).toBeUndefined();
  });
});
