/**
 * What is used of the mapper, in types: its own are TypeScript sources, which a strict compiler checks as if they were ours. `paths` in
 * tsconfig.base.json leads here.
 */
import type { ModuleParser } from './archive-parsers.js';

/** Reads by address. */
export interface ReadPowers {
  /** Rejects for what is not there. */
  read(location: string): Promise<Uint8Array>;
  /** Undefined for what is not there. */
  maybeRead(location: string): Promise<Uint8Array | undefined>;
  /** The one address of what has several. */
  canonical(location: string): Promise<string>;
}

/** How an archive is made. */
export interface ArchiveOptions {
  readonly parserForLanguage: Readonly<Record<string, ModuleParser>>;
  readonly languageForExtension: Readonly<Record<string, string>>;
  readonly moduleLanguageForExtension: Readonly<Record<string, string>>;
  readonly commonjsLanguageForExtension: Readonly<Record<string, string>>;
  readonly searchSuffixes: readonly string[];
}

/** Precompiles a module with all that it imports; runs nothing. */
export function makeArchive(
  powers: ReadPowers,
  moduleLocation: string,
  options: ArchiveOptions,
): Promise<Uint8Array>;
