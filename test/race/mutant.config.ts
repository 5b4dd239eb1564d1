/** Configuration of one run under one mutant, named by `PAWL_MUTANT`: sources are changed as they are read, never on disk. */
import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.js';
import { edited, mutants } from './mutants.mjs';

const id = process.env['PAWL_MUTANT'] ?? '';
const mutant = mutants.find((one) => one.id === id);
if (id !== '' && mutant === undefined) throw new Error(`no mutant is called ${id}`);
const root = join(import.meta.dirname, '../..');

export default mergeConfig(base, {
  root,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (text: string, file: string): string | undefined => {
        const mine = mutant?.edits.filter((edit) => join(root, edit.file) === file) ?? [];
        return mine.length === 0 ? undefined : mine.reduce(edited, text);
      },
    },
  ],
  test: { setupFiles: [join(import.meta.dirname, 'no-shrinking.ts')] },
});
