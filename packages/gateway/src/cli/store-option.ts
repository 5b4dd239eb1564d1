/** Option `--store`: where the store lies, for every command in the same way. */
import { dirname, join, resolve } from 'node:path';
import { type CommandInput, Misuse, type OptionSpecs } from './command.js';

/** The options of commands that work on a store and take no policy of their own. */
export const storeOptions: OptionSpecs = {
  store: { type: 'string', help: 'folder of the store; else $PAWL_STORE, else .pawl beside the policy' },
  policy: { type: 'string', help: 'the policy beside which .pawl lies; else .pawl in this folder' },
};

/** A store's folder. */
export interface StorePlace {
  /** Absolute. */
  readonly folder: string;
  /** Whether somebody named the store or its policy; otherwise it is a guess from the current folder. */
  readonly named: boolean;
}

/** What the folder depends on besides the command line. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** `--store`, else `$PAWL_STORE`, else `.pawl` beside the policy, else `.pawl` in the current folder. Touches nothing. */
export function storePlace(
  input: CommandInput,
  policy: string | undefined = input.text('policy'),
  around: Surroundings = process,
): StorePlace {
  const given = input.text('store');
  if (given === '') throw new Misuse('--store is empty');
  const chosen = given ?? nonEmpty(around.env['PAWL_STORE']);
  if (chosen !== undefined) return { folder: resolve(around.cwd(), chosen), named: true };
  const beside = policy === undefined ? around.cwd() : dirname(resolve(around.cwd(), policy));
  return { folder: join(beside, '.pawl'), named: policy !== undefined };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
