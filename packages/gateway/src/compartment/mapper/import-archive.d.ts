/** Running an archive, in the types that are used; see archive.d.ts. */

/** An archive that can be run. */
export interface Application {
  /** Runs it in compartments with these globals. */
  import(options: {
    readonly globals: object;
  }): Promise<{ readonly namespace: Readonly<Record<string, unknown>> }>;
}

/** Reads an archive; runs nothing. */
export function parseArchive(bytes: Uint8Array, location: string): Promise<Application>;
