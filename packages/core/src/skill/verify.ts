/** Verifying a skill: that somebody who is trusted signed exactly these files. It says nothing about what the skill may do. */
import { type Digest, canonicalJson, sha256 } from '../ground/index.js';
import { type VerificationMaterial, readBundle, signatureFile, signedBytes } from './bundle.js';
import type { Contents, SkillFile } from './folder.js';
import { type SkillRefusal, isRefusal, skillRefusal } from './refusal.js';
import { type Signer, signerOf } from './signer.js';
import { type SignedStatement, readStatement } from './statement.js';
import { type Trust, namesSkill } from './trust.js';

/** Who signed a skill, for the audit and for people. */
export interface SignedBy {
  /** SHA-256 of the key that signed. */
  readonly key: Digest;
  /** The entry of the trust file that stands for it. */
  readonly trusted: string;
  readonly name: string | undefined;
  readonly subject: string | undefined;
}

/** A skill whose signature and files hold, or one that nobody signed where the policy takes such ones. */
export interface Verified {
  readonly kind: 'verified';
  /** Undefined where nobody signed: then it gets the sandbox, and nothing is granted. */
  readonly by: SignedBy | undefined;
  /** The folder's name when it was signed; empty where nobody signed. */
  readonly subject: string;
  /** SHA-256 over names, digests and what may be executed of all files: two skills of the same root are the same. */
  readonly root: Digest;
  readonly files: ReadonlyMap<string, SkillFile>;
  /** Whether the signer may sign a skill of this name. */
  mayBeCalled(name: string): SkillRefusal | undefined;
  /** The same files and signature under another trust file, at another time: the mathematics is not done again. */
  recheck(trust: Trust, now: number): Verified | SkillRefusal;
}

/**
 * Verifies: the bundle is one, its signer is trusted now, the signature is its, the statement is sound, and the files are those
 * of the statement, no more and no fewer. `now` is wall-clock milliseconds. Never throws.
 */
export function verifyContents(contents: Contents, trust: Trust, now: number): Verified | SkillRefusal {
  if (contents.signature === undefined) {
    const other = [...contents.files.keys()].find((name) => /^[^/]+\.sig$/u.test(name));
    const next =
      other === undefined ? 'Sign it with pawl skill sign' : `Call ${other} so if it is its signature`;
    return skillRefusal('unsigned', `The skill has no ${signatureFile}. ${next}.`);
  }
  const bundle = readBundle(contents.signature);
  if (isRefusal(bundle)) return bundle;
  const signer = signerOf(bundle.material, trust, now);
  if (isRefusal(signer)) return signer;
  const { key } = signer;
  if (!key.verifies(signedBytes(bundle.payload), bundle.signature)) {
    const message = `The signature is not that of ${key.id} over this statement. Get the skill again.`;
    return skillRefusal('bad_signature', message, signatureFile);
  }
  const statement = readStatement(bundle.payload);
  if (isRefusal(statement)) return statement;
  const present = withSigned(contents, statement);
  const wrong = differences(statement, present);
  if (wrong !== undefined) return wrong;
  const files = asSigned(statement, present);
  return vouched({
    signer,
    material: bundle.material,
    subject: statement.subject,
    root: rootOf(files),
    files,
  });
}

interface Vouched extends Pick<Verified, 'subject' | 'root' | 'files'> {
  readonly signer: Signer;
  readonly material: VerificationMaterial;
}

function vouched(what: Vouched): Verified {
  const { signer, material, subject, root, files } = what;
  const { key, subject: certified, terms } = signer;
  return Object.freeze({
    kind: 'verified' as const,
    by: Object.freeze({ key: key.id, trusted: terms.id, name: terms.name, subject: certified }),
    subject,
    root,
    files,
    mayBeCalled(name: string): SkillRefusal | undefined {
      if (terms.skills.some((pattern) => namesSkill(pattern, name))) return undefined;
      const may = terms.skills.join(', ');
      const is = name === '' ? 'has no name that can be read' : `is ${name}`;
      const message = `The signer ${terms.id} may sign ${may}, and this skill ${is}. Change the trust file if it should.`;
      return skillRefusal('not_for_this_skill', message);
    },
    recheck(trust: Trust, now: number): Verified | SkillRefusal {
      const again = signerOf(material, trust, now);
      if (isRefusal(again)) return again;
      if (again.key.id === key.id) return vouched({ ...what, signer: again });
      return skillRefusal('unknown_signer', `The trust file has another key than ${key.id} under its name.`);
    },
  });
}

/** What a checkout brings along counts where it was signed. */
function withSigned(
  { files, beside }: Contents,
  { files: signed }: SignedStatement,
): ReadonlyMap<string, SkillFile> {
  return new Map([...files, ...[...beside].filter(([name]) => signed.has(name))]);
}

/**
 * What nobody signed, where the policy takes it: told apart from what was signed by having no signer. Nothing of it is executable.
 * Only a folder without any signature is unsigned; one whose signature does not hold is refused by {@link verifyContents}.
 */
export function unsignedContents({ files }: Contents): Verified {
  const plain = new Map([...files].map(([name, file]) => [name, { ...file, executable: false }]));
  const unsigned: Verified = Object.freeze({
    kind: 'verified' as const,
    by: undefined,
    subject: '',
    root: rootOf(plain),
    files: plain,
    mayBeCalled: () => undefined,
    recheck: () => unsigned,
  });
  return unsigned;
}

function rootOf(files: ReadonlyMap<string, SkillFile>): Digest {
  const told = [...files].map(([name, { digest, executable }]) => [name, digest, executable] as const);
  return sha256(canonicalJson(told.sort(([one], [two]) => (one < two ? -1 : 1))));
}

const again = 'Get the skill again, or have it signed again.';

function differences(
  statement: SignedStatement,
  files: ReadonlyMap<string, SkillFile>,
): SkillRefusal | undefined {
  const { files: signed, executable, subject } = statement;
  const unlisted = [...files.keys()].filter((name) => !signed.has(name));
  const missing = [...signed.keys()].filter((name) => !files.has(name));
  const changed = [...signed].filter(([name, digest]) => files.get(name)?.digest !== digest);
  const [first] = [...unlisted, ...changed.map(([name]) => name)];
  if (first === undefined) return modeDifference(executable, files);
  if (isForeign(statement, files)) {
    const message = `The signature is that of the skill ${JSON.stringify(subject)}. Put its own signature there.`;
    return skillRefusal('other_skill', message, signatureFile);
  }
  return (
    renamed(signed, files, { unlisted, missing }) ??
    only(unlisted, 'file_unlisted', 'was not signed') ??
    only(missing, 'file_missing', 'was signed and is not there') ??
    only([first], 'file_changed', 'is not what was signed')
  );
}

function only(
  names: readonly string[],
  reason: 'file_unlisted' | 'file_missing' | 'file_changed',
  what: string,
): SkillRefusal | undefined {
  const [name] = names;
  return name === undefined ? undefined : skillRefusal(reason, `${name} ${what}. ${again}`, name);
}

/**
 * The folder calls itself otherwise than what was signed, and hardly anything of it is what was signed. Other tools sign under the
 * name of a folder, so the name alone says little.
 */
function isForeign(
  { files: signed, subject }: SignedStatement,
  files: ReadonlyMap<string, SkillFile>,
): boolean {
  const skill = files.get('SKILL.md');
  if (subject === '' || skill === undefined || signed.get('SKILL.md') === skill.digest) return false;
  const name = /^name:[ \t]*["']?([^\s"']+)/mu.exec(new TextDecoder().decode(skill.bytes))?.[1];
  if (name === undefined || name === subject) return false;
  const same = [...signed].filter(([file, digest]) => files.get(file)?.digest === digest).length;
  return 4 * same < signed.size;
}

function renamed(
  signed: ReadonlyMap<string, Digest>,
  files: ReadonlyMap<string, SkillFile>,
  { unlisted, missing }: { readonly unlisted: readonly string[]; readonly missing: readonly string[] },
): SkillRefusal | undefined {
  for (const name of unlisted) {
    const was = missing.find((old) => signed.get(old) === files.get(name)?.digest);
    if (was !== undefined)
      return skillRefusal('file_renamed', `${was} was signed and is called ${name} now. ${again}`, name);
  }
  return undefined;
}

function modeDifference(
  executable: ReadonlySet<string> | undefined,
  files: ReadonlyMap<string, SkillFile>,
): SkillRefusal | undefined {
  if (executable === undefined) return undefined;
  const [name] = [...files].find(([file, is]) => is.executable !== executable.has(file)) ?? [];
  if (name === undefined) return undefined;
  const [was, is] = executable.has(name) ? ['', 'no longer '] : ['not ', ''];
  return skillRefusal(
    'mode',
    `${name} was ${was}executable when it was signed, and is ${is}so. ${again}`,
    name,
  );
}

/** What a signer says nothing of is not taken from the folder: then nothing is executable. */
function asSigned(
  { executable }: SignedStatement,
  files: ReadonlyMap<string, SkillFile>,
): ReadonlyMap<string, SkillFile> {
  return new Map(
    [...files].map(([name, file]) => [name, { ...file, executable: executable?.has(name) === true }]),
  );
}
