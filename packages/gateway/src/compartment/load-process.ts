/** The process in which modules are read: it parses, links and compiles what it is given, and runs none of it. */
import { hardened } from './lock.js';
import { makeArchive } from '@endo/compartment-mapper/archive.js';
import { defaultParserForLanguage } from '@endo/compartment-mapper/archive-parsers.js';
import { RefusedSource, checkedSource, isGuarded } from './check.js';
import { onOrder, say } from './stdio.js';
import type { LoadOrder } from './wire.js';

/** Where the folder seems to be. Nothing else has an address here. */
const root = 'file:///tool/';
const languages = { js: 'mjs', mjs: 'mjs', json: 'json' } as const;
const plainPackage = '{ "name": "tool", "type": "module" }';
const longest = 500;

onOrder((text) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway alone writes here
  void load(JSON.parse(text) as LoadOrder);
});

async function load({ files, entries }: LoadOrder): Promise<void> {
  const folder = new Map(
    files.map(([path, base64]) => [path, new Uint8Array(Buffer.from(base64, 'base64'))]),
  );
  if (!folder.has('package.json')) folder.set('package.json', new TextEncoder().encode(plainPackage));
  for (const entry of entries) {
    const refused: Refusal[] = [];
    try {
      const made = await archived(folder, entry, refused);
      say({ say: 'loaded', entry, ...made });
    } catch (error) {
      return say({ say: 'refused', ...(refused[0] ?? { why: messageOf(error), file: entry }) });
    }
  }
}

interface Refusal {
  readonly why: string;
  readonly file: string;
}

async function archived(
  folder: ReadonlyMap<string, Uint8Array>,
  entry: string,
  refused: Refusal[],
): Promise<{ readonly archive: string; readonly methods: readonly string[] }> {
  let methods: readonly string[] = [];
  const [mjs, json] = [defaultParserForLanguage.mjs, defaultParserForLanguage.json];
  const parse: typeof mjs.parse = (...given) => {
    const [bytes, specifier, location, packageLocation, options] = given;
    const path = pathOf(location) ?? specifier;
    try {
      const source = checkedSource(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      const made = mjs.parse(new TextEncoder().encode(source), specifier, location, packageLocation, options);
      const compiled: unknown = Reflect.get(made.record, '__syncModuleProgram__');
      if (typeof compiled !== 'string' || isGuarded(compiled))
        throw new RefusedSource(
          'import stands before a bracket where it cannot be told from an import expression',
        );
      assertInside(namesIn(made.record, 'imports'));
      if (path === entry) methods = namesIn(made.record, 'exports');
      return made;
    } catch (error) {
      refused.push({ why: messageOf(error), file: path });
      throw error;
    }
  };
  const maybeRead = (location: string): Promise<Uint8Array | undefined> => {
    const bytes = maybe(folder, location);
    // Where a package ends is looked for in every folder; anything else that is not there is missing.
    if (bytes === undefined && !location.endsWith('/package.json'))
      refused.push({ why: `there is no ${pathOf(location) ?? 'such file'}`, file: entry });
    return Promise.resolve(bytes);
  };
  const bytes = await makeArchive(
    {
      read: (location) => Promise.resolve(read(folder, location)),
      maybeRead,
      canonical: (location) => Promise.resolve(location),
    },
    new URL(entry, root).href,
    {
      parserForLanguage: hardened({ mjs: { ...mjs, parse }, json }),
      languageForExtension: languages,
      moduleLanguageForExtension: languages,
      commonjsLanguageForExtension: languages,
      searchSuffixes: [],
    },
  );
  // What another package fails at is kept by the mapper for the moment in which it would run; here nothing is put off.
  if (refused.length > 0) throw new RefusedSource('it cannot be loaded');
  return { archive: Buffer.from(bytes).toString('base64'), methods };
}

/** What has an address is a module of node, or lies elsewhere; what is compiled for another host may have such imports, and nothing here. */
function assertInside(imports: readonly string[]): void {
  const outside = imports.find((name) => /^[a-z][a-z0-9+.-]*:/iu.test(name));
  if (outside !== undefined)
    throw new RefusedSource(
      `it imports ${JSON.stringify(outside)}, which no compartment has: powers are given to it`,
    );
}

function namesIn(record: object, list: 'imports' | 'exports'): readonly string[] {
  const names: unknown = Reflect.get(record, list);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function read(folder: ReadonlyMap<string, Uint8Array>, location: string): Uint8Array {
  const bytes = maybe(folder, location);
  if (bytes === undefined) throw new Error(`there is no ${pathOf(location) ?? 'such file'}`);
  return bytes;
}

function maybe(folder: ReadonlyMap<string, Uint8Array>, location: string): Uint8Array | undefined {
  const path = pathOf(location);
  return path === undefined ? undefined : folder.get(path);
}

/** The path inside the folder that an address means. */
function pathOf(location: string): string | undefined {
  if (!location.startsWith(root)) return undefined;
  try {
    return decodeURIComponent(location.slice(root.length));
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it cannot be loaded';
  return message.replaceAll(root, '').slice(0, longest);
}
