/** Module hooks of Node: `./a.js` of a source is `./a.ts`, and its types are taken off. Outputs are kept by content. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cache = new URL('../../node_modules/.cache/pawl/source/', import.meta.url);
const source = /\/(?:packages\/[a-z]+\/src|test|bench)\/.*\.js$/u;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (/^(?:\.|file:)/u.test(specifier)) {
    const url = new URL(specifier, context.parentURL);
    const typed = new URL(url.href.replace(/\.js$/u, '.ts'));
    if (source.test(url.pathname) && existsSync(typed))
      return { url: typed.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, { ...context, conditions: ['pawl-source', ...context.conditions] });
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await plain(url), shortCircuit: true };
}

/**
 * The source without its types.
 * @param {string} url
 */
async function plain(url) {
  const text = readFileSync(new URL(url), 'utf8');
  const kept = new URL(`${createHash('sha256').update(`${url}\n${text}`).digest('hex')}.mjs`, cache);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const { default: ts } = await import('typescript');
  const { outputText } = ts.transpileModule(text, {
    fileName: fileURLToPath(url),
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
  mkdirSync(cache, { recursive: true });
  const draft = new URL(`${kept.href}.${process.pid}.${Math.random()}`);
  writeFileSync(draft, outputText);
  renameSync(draft, kept);
  return outputText;
}
