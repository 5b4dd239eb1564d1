/** Reads test/requirements.ts without a build: its types are stripped and the data imported. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {{ id: string, source: string, text: string, status: 'built' | 'planned' }} Requirement
 */

/**
 * @param {string} root the repository
 * @returns {Promise<readonly Requirement[]>}
 */
export async function loadRequirements(root) {
  const source = readFileSync(join(root, 'test/requirements.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`;
  const module = await import(url);
  return module.requirements;
}
