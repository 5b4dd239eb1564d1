/** What is signed: an in-toto statement with the digest of every file, as OpenSSF Model Signing 1.0 writes it. */
import { parseJsonBytes } from '../connector/index.js';
import {
  type Digest,
  type Json,
  type JsonObject,
  isJsonArray,
  isJsonObject,
  mintId,
  own,
  sha256,
} from '../ground/index.js';
import { nameProblem } from './folder.js';
import { type SkillReason, type SkillRefusal, skillRefusal } from './refusal.js';

const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'https://model_signing/signature/v1.0';

/** What was signed of one skill. */
export interface SignedStatement {
  /** The folder's name when it was signed; for people. */
  readonly subject: string;
  readonly files: ReadonlyMap<string, Digest>;
  /** Names that may be executed; undefined where the signer, as every one but Pawl, says nothing of it. */
  readonly executable: ReadonlySet<string> | undefined;
}

/** Most bytes of a statement; about 20,000 files. */
const largest = 4_194_304;
const mostFiles = 20_000;

class Malformed extends Error {
  readonly reason: SkillReason;
  constructor(reason: SkillReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Reads a statement whose signature was verified. Never throws. */
export function readStatement(payload: Uint8Array): SignedStatement | SkillRefusal {
  const parsed = parseJsonBytes(payload, { bytes: largest, items: mostFiles });
  try {
    if (!parsed.ok) throw new Malformed('malformed_statement', `found ${parsed.found}`);
    return statementOf(parsed.value);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return skillRefusal(
      error.reason,
      `The signed statement is refused: ${error.message}. Sign the skill again.`,
    );
  }
}

function statementOf(value: Json): SignedStatement {
  const statement = objectAt(value, 'the statement');
  expectWord(statement, '_type', statementType);
  expectWord(statement, 'predicateType', predicateType);
  const subjects = own(statement, 'subject');
  if (!isJsonArray(subjects) || subjects.length !== 1)
    throw new Malformed('malformed_statement', 'it has not exactly one subject');
  const subject = objectAt(subjects[0], 'subject[0]');
  const predicate = objectAt(own(statement, 'predicate'), 'predicate');
  checkSerialization(objectAt(own(predicate, 'serialization'), 'serialization'));
  const files = filesOf(own(predicate, 'resources'));
  const root = rootDigest([...files.values()]);
  const digests = objectAt(own(subject, 'digest'), 'subject[0].digest');
  if (own(digests, 'sha256') !== root)
    throw new Malformed('root_digest', 'its root digest is not that of its list of files');
  return {
    // Writers of JSON leave an empty text out.
    subject: own(subject, 'name') === undefined ? '' : textAt(subject, 'name'),
    files,
    executable: executableOf(own(predicate, 'pawl'), files),
  };
}

/** Hash and method are fixed: what else model_signing can write is not read. Links are never followed, whatever is said here. */
function checkSerialization(parameters: JsonObject): void {
  expectWord(parameters, 'method', 'files');
  expectWord(parameters, 'hash_type', 'sha256', 'wrong_algorithm');
}

function filesOf(value: Json | undefined): ReadonlyMap<string, Digest> {
  if (!isJsonArray(value) || value.length === 0)
    throw new Malformed('malformed_statement', 'resources is no list of files');
  const files = new Map<string, Digest>();
  for (const each of value) {
    const resource = objectAt(each, 'a resource');
    const name = textAt(resource, 'name');
    const problem = nameProblem(name);
    if (problem !== undefined) throw new Malformed('bad_name', `the name ${JSON.stringify(name)} ${problem}`);
    expectWord(resource, 'algorithm', 'sha256', 'wrong_algorithm');
    const digest = textAt(resource, 'digest');
    if (!/^[0-9a-f]{64}$/u.test(digest))
      throw new Malformed('wrong_algorithm', `the digest of ${name} is no SHA-256`);
    if (files.has(name)) throw new Malformed('unsorted', `it names ${name} twice`);
    files.set(name, mintId.digest(digest));
  }
  const names = [...files.keys()];
  if (!isSorted(names, byParts) && !isSorted(names, byText))
    throw new Malformed('unsorted', 'its list of files is not sorted');
  return files;
}

function executableOf(
  value: Json | undefined,
  files: ReadonlyMap<string, Digest>,
): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const names = own(objectAt(value, 'predicate.pawl'), 'executable');
  if (!isJsonArray(names)) throw new Malformed('malformed_statement', 'pawl.executable is no list');
  return new Set(
    names.map((name) => {
      if (typeof name === 'string' && files.has(name)) return name;
      throw new Malformed('malformed_statement', 'pawl.executable names what is no file of the list');
    }),
  );
}

/** SHA-256 over raw digests, in their order. */
function rootDigest(digests: readonly Digest[]): Digest {
  return sha256(Buffer.from(digests.join(''), 'hex'));
}

/** As model_signing sorts: part by part of the path. */
function byParts(a: string, b: string): number {
  const [one, two] = [a.split('/'), b.split('/')];
  for (let at = 0; at < Math.min(one.length, two.length); at += 1) {
    const order = byText(one[at] ?? '', two[at] ?? '');
    if (order !== 0) return order;
  }
  return one.length - two.length;
}

/** By code points, as UTF-8 bytes sort. */
function byText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isSorted(names: readonly string[], compare: (a: string, b: string) => number): boolean {
  return names.every((name, at) => at === 0 || compare(names[at - 1] ?? '', name) < 0);
}

function objectAt(value: Json | undefined, where: string): JsonObject {
  if (!isJsonObject(value)) throw new Malformed('malformed_statement', `${where} is no object`);
  return value;
}

function textAt(object: JsonObject, key: string): string {
  const value = own(object, key);
  if (typeof value !== 'string') throw new Malformed('malformed_statement', `${key} is no text`);
  return value;
}

function expectWord(
  object: JsonObject,
  key: string,
  word: string,
  reason: SkillReason = 'malformed_statement',
): void {
  const found = own(object, key);
  if (found !== word)
    throw new Malformed(reason, `${key} is ${JSON.stringify(found ?? null)}, and only ${word} is read`);
}

/** Writes the statement of a skill's files: sorted, with what may be executed. */
export function writeStatement(
  subject: string,
  files: ReadonlyMap<string, { readonly digest: Digest; readonly executable: boolean }>,
): Uint8Array {
  const names = [...files.keys()].sort(byParts);
  const digestOf = (name: string): string => files.get(name)?.digest ?? '';
  const statement = {
    _type: statementType,
    subject: [
      { name: subject, digest: { sha256: rootDigest(names.map((name) => mintId.digest(digestOf(name)))) } },
    ],
    predicateType,
    predicate: {
      serialization: {
        method: 'files',
        hash_type: 'sha256',
        allow_symlinks: false,
        ignore_paths: ['skill.oms.sig', '.git', '.gitattributes', '.github', '.gitignore'],
      },
      resources: names.map((name) => ({ name, algorithm: 'sha256', digest: digestOf(name) })),
      pawl: { executable: names.filter((name) => files.get(name)?.executable === true) },
    },
  };
  return new TextEncoder().encode(JSON.stringify(statement));
}
