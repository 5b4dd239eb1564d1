/** The folder of a skill, read once: what may stand in it, whatever a signature says. */
import { type Digest, sha256 } from '../ground/index.js';
import { signatureFile } from './bundle.js';
import { type SkillRefusal, skillRefusal } from './refusal.js';

/** One thing in the folder, below any depth; folders themselves are not listed. */
export interface SkillEntry {
  /** Relative to the folder, parts joined by `/`, exactly as the file system spells it. */
  readonly name: string;
  readonly kind: 'file' | 'link' | 'other';
  /** Permission bits, set-id and sticky bits included. */
  readonly mode: number;
  readonly size: number;
  /** Of a file that is not too large: what was read, once. */
  readonly bytes?: Uint8Array;
}

/** How much is read. */
export interface FolderLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly wholeBytes: number;
}

/** What reads a folder. It opens each file once, and what it gives is what was hashed and what is loaded. */
export interface SkillFolder {
  /**
   * Lists what is there but for what `skips` names, with the bytes of files. Stops where a limit is passed: then what is too
   * large has no bytes, or there are more entries than `files`. Rejects where the folder cannot be read or changed meanwhile.
   */
  read(limits: FolderLimits, skips: (name: string) => boolean): Promise<readonly SkillEntry[]>;
}

/** How much is read unless told otherwise. */
const folderLimits: FolderLimits = Object.freeze({
  files: 4096,
  fileBytes: 33_554_432,
  wholeBytes: 134_217_728,
});

/** One file as it was read. */
export interface SkillFile {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly executable: boolean;
}

/** What was read: every file but the signature, and the signature. */
export interface Contents {
  readonly files: ReadonlyMap<string, SkillFile>;
  /** What a checkout brings along. It is part of the skill where somebody signed it, and not there where nobody did. */
  readonly beside: ReadonlyMap<string, SkillFile>;
  readonly signature: Uint8Array | undefined;
}

/** Is not even read. */
const repository = '.git';
/** What model_signing leaves out unless it is told otherwise. */
const checkout: ReadonlySet<string> = new Set(['.gitattributes', '.github', '.gitignore']);

/** Reads a folder and refuses what no skill may hold. Never rejects. */
export async function readFolder(
  folder: SkillFolder,
  limits: FolderLimits = folderLimits,
): Promise<Contents | SkillRefusal> {
  let entries: readonly SkillEntry[];
  try {
    entries = await folder.read(limits, (name) => topOf(name) === repository);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return skillRefusal('unreadable', `The folder of the skill cannot be read: ${why}.`);
  }
  const own = entries.filter(({ name }) => !checkout.has(topOf(name)));
  const sound = entries
    .filter(({ name }) => checkout.has(topOf(name)))
    .filter((entry) => !wrongEntry([entry]));
  return tooMuch(entries, limits) ?? wrongEntry(own) ?? twins(own) ?? contentsOf([...own, ...sound]);
}

function topOf(name: string): string {
  return name.split('/')[0] ?? '';
}

function tooMuch(entries: readonly SkillEntry[], limits: FolderLimits): SkillRefusal | undefined {
  if (entries.length > limits.files)
    return skillRefusal('too_many', `The skill holds more than ${limits.files} files. Load a smaller one.`);
  const large = entries.find(({ size }) => size > limits.fileBytes);
  if (large !== undefined) {
    const message = `${large.name} is larger than ${limits.fileBytes} bytes. Load a smaller one.`;
    return skillRefusal('too_large', message, large.name);
  }
  const whole = entries.reduce((sum, { size }) => sum + size, 0);
  if (whole <= limits.wholeBytes) return undefined;
  return skillRefusal(
    'too_large',
    `The skill is larger than ${limits.wholeBytes} bytes. Load a smaller one.`,
  );
}

const specialBits = 0o7000;
const anybodyWrites = 0o002;
const executes = 0o111;

function wrongEntry(entries: readonly SkillEntry[]): SkillRefusal | undefined {
  for (const { name, kind, mode, bytes } of entries) {
    const problem = nameProblem(name);
    if (problem !== undefined)
      return skillRefusal(
        'bad_name',
        `The name ${JSON.stringify(name)} ${problem}. Rename or remove it.`,
        name,
      );
    if (kind === 'link')
      return skillRefusal(
        'link',
        `${name} is a link, and a skill holds none. Put the file itself there.`,
        name,
      );
    if (kind === 'other') return skillRefusal('special_file', `${name} is no regular file. Remove it.`, name);
    if ((mode & (specialBits | anybodyWrites)) !== 0)
      return skillRefusal('mode', `${name} has the mode ${mode.toString(8)}. Give it 644 or 755.`, name);
    if (bytes === undefined) return skillRefusal('unreadable', `${name} could not be read.`, name);
  }
  return undefined;
}

/** Why a name is none that a skill may have; undefined for a good one. */
export function nameProblem(name: string): string | undefined {
  if (name.length > 512) return 'is longer than 512 characters';
  if (/[\p{Cc}\p{Cs}\uFFFD\\]/u.test(name)) return 'holds a control character, a broken one, or a backslash';
  if (/^[A-Za-z]:/u.test(name)) return 'begins with a drive';
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'is not a plain path below the folder';
  return parts.some((part) => /[ .]$/u.test(part)) ? 'has a part that ends in a dot or a blank' : undefined;
}

/** Names that a file system, or a reader, can take for each other; of folders too. */
function twins(entries: readonly SkillEntry[]): SkillRefusal | undefined {
  const seen = new Map<string, string>();
  for (const { name } of entries) {
    const parts = name.split('/');
    for (let count = 1; count <= parts.length; count += 1) {
      const spelled = parts.slice(0, count).join('/');
      const folded = foldedName(spelled);
      const before = seen.get(folded);
      if (before === undefined) seen.set(folded, spelled);
      else if (before !== spelled) return twin(before, spelled);
    }
  }
  return undefined;
}

function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

function twin(one: string, two: string): SkillRefusal {
  const byCase = one.toLowerCase() === two.toLowerCase();
  const names = `${JSON.stringify(one)} and ${JSON.stringify(two)}`;
  return byCase
    ? skillRefusal('case_twin', `${names} differ only in the case of letters. Rename one.`, two)
    : skillRefusal('unicode_twin', `${names} look the same. Rename one.`, two);
}

function contentsOf(entries: readonly SkillEntry[]): Contents {
  const [files, beside] = [new Map<string, SkillFile>(), new Map<string, SkillFile>()];
  let signature: Uint8Array | undefined;
  for (const { name, mode, bytes = new Uint8Array() } of entries) {
    if (name === signatureFile) signature = bytes;
    else
      (checkout.has(topOf(name)) ? beside : files).set(name, {
        bytes,
        digest: sha256(bytes),
        executable: (mode & executes) !== 0,
      });
  }
  return { files, beside, signature };
}
