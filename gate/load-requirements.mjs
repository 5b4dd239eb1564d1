/** Reads test/requirements.ts and what it imports without a build: types are stripped and the data imported. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {{ id: string, source: string, text: string, status: 'built' | 'planned' }} Requirement
 */

/**
 * @param {string} root the repository
 * @returns {Promise<readonly Requirement[]>}
 */
export async function loadRequirements(root) {
  const url = dataUrl(join(root, 'test/requirements.ts'));
  const module = await import(url);
  return module.requirements;
}

/**
 * The file, and the files below it that it imports, as one URL.
 * @param {string} file
 * @returns {string}
 */
function dataUrl(file) {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const whole = outputText.replaceAll(/(?<=from ')\.\/(?<name>[a-z/-]+)\.js(?=')/gu, (_, name) =>
    dataUrl(join(dirname(file), `${name}.ts`)),
  );
  return `data:text/javascript;base64,${Buffer.from(whole).toString('base64')}`;
}
