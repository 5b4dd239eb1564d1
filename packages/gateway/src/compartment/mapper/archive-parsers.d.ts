/** A parser of one language, in the types that are used; see archive.d.ts. */
export interface ModuleParser {
  readonly parse: (
    ...given: readonly [
      bytes: Uint8Array,
      specifier: string,
      location: string,
      packageLocation: string,
      options?: object,
    ]
  ) => { readonly record: object };
}

/** Those that precompile. */
export const defaultParserForLanguage: Readonly<Record<'mjs' | 'json', ModuleParser>>;
