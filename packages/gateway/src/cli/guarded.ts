/** Operations answer what a store refuses; they do not throw it. */
import { type Answer, no } from '../control/index.js';
import { StoreError } from '../store/index.js';

/** Runs an operation; a store's refusal becomes an answer. */
export async function guarded<T>(work: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const hint =
      error.code === 'absent'
        ? '; name it with --store, or its policy with --policy; pawl run makes one'
        : '';
    return no('unavailable', `${error.message}${hint}`);
  }
}
