/** How tests start a child process that runs the TypeScript sources: `spawn(process.execPath, [...sourceArguments, file])`. */
import { fileURLToPath } from 'node:url';

/** Arguments of Node before the file. */
export const sourceArguments: readonly string[] = [
  '--conditions=pawl-source',
  '--import',
  fileURLToPath(new URL('./register.mjs', import.meta.url)),
];

/** The path of a file beside the module that asks: `sourceFile('./child.ts', import.meta.url)`. */
export function sourceFile(relative: string, from: string): string {
  return fileURLToPath(new URL(relative, from));
}
