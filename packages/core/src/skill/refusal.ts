/** Why a skill is not loaded: a closed list of codes and reasons, each with what a person can do about it. */

/** Codes of refusals at load (DESIGN section 5). */
export type SkillRefusalCode = 'signature_invalid' | 'grant_mismatch' | 'nothing_maskable' | 'skill_rejected';

/** What is wrong, exactly; and the code that it goes by. */
export const skillReasons = {
  unsigned: { code: 'signature_invalid', help: 'The folder has no skill.oms.sig.' },
  malformed_bundle: { code: 'signature_invalid', help: 'The signature file is no Sigstore bundle v0.3.' },
  wrong_algorithm: {
    code: 'signature_invalid',
    help: 'The signature, or a digest, is not of a kind that is read.',
  },
  unknown_signer: {
    code: 'signature_invalid',
    help: 'No key and no root of the trust file stands for the signer.',
  },
  key_revoked: { code: 'signature_invalid', help: 'The trust file revokes the key or its certificate.' },
  key_expired: {
    code: 'signature_invalid',
    help: 'The key or a certificate of its chain is no longer valid.',
  },
  key_not_yet_valid: { code: 'signature_invalid', help: 'The key or a certificate is not valid yet.' },
  bad_chain: {
    code: 'signature_invalid',
    help: 'A certificate of the chain may not be used for what it is used for.',
  },
  bad_signature: {
    code: 'signature_invalid',
    help: 'The signature is not that of the key over this statement.',
  },
  malformed_statement: {
    code: 'signature_invalid',
    help: 'What was signed is no OpenSSF Model Signing 1.0 statement.',
  },
  unsorted: {
    code: 'signature_invalid',
    help: 'The signed list of files is not sorted, or names one twice.',
  },
  root_digest: { code: 'signature_invalid', help: 'The signed root digest is not that of the signed list.' },
  other_skill: { code: 'signature_invalid', help: 'The signature is that of another skill.' },
  file_changed: { code: 'signature_invalid', help: 'A file is not what was signed.' },
  file_missing: { code: 'signature_invalid', help: 'A signed file is not there.' },
  file_renamed: { code: 'signature_invalid', help: 'A signed file goes by another name.' },
  file_unlisted: { code: 'signature_invalid', help: 'A file is there that was not signed.' },
  mode: {
    code: 'signature_invalid',
    help: 'A file may be executed, or written by anybody, other than as signed.',
  },
  not_for_this_skill: {
    code: 'signature_invalid',
    help: 'The signer is trusted, but not for a skill of this name.',
  },
  link: { code: 'skill_rejected', help: 'A skill holds no links.' },
  special_file: { code: 'skill_rejected', help: 'A skill holds regular files and folders only.' },
  bad_name: {
    code: 'skill_rejected',
    help: 'A file name leads out of the folder, or cannot be written everywhere.',
  },
  case_twin: { code: 'skill_rejected', help: 'Two names differ only in the case of letters.' },
  unicode_twin: { code: 'skill_rejected', help: 'Two names look the same and are spelled differently.' },
  too_large: { code: 'skill_rejected', help: 'A file, or the whole, is larger than is loaded.' },
  too_many: { code: 'skill_rejected', help: 'There are more files than are loaded.' },
  unreadable: { code: 'skill_rejected', help: 'The folder changed while it was read, or cannot be read.' },
  bad_frontmatter: {
    code: 'skill_rejected',
    help: 'SKILL.md is not there, or its frontmatter cannot be read.',
  },
  bad_module: {
    code: 'skill_rejected',
    help: 'A JavaScript tool cannot be loaded: it is no module, or imports what no compartment gives.',
  },
  bad_manifest: { code: 'skill_rejected', help: 'pawl-skill.json cannot be read.' },
  not_as_loaded: {
    code: 'skill_rejected',
    help: 'The folder holds something else than what was loaded from it before the gateway ended.',
  },
  already_loaded: { code: 'skill_rejected', help: 'A skill of this name is loaded for the executor.' },
  no_executor: { code: 'skill_rejected', help: 'The policy in force has no such executor.' },
  kept_changing: { code: 'skill_rejected', help: 'The policy changed each time while the skill was loaded.' },
  over_reach: { code: 'grant_mismatch', help: 'The skill asks for more than it is granted.' },
  nothing_maskable: {
    code: 'nothing_maskable',
    help: 'The skill asks for more than it is granted, and no tool of it could be masked.',
  },
} as const;

/** What is wrong, in one word. */
export type SkillReason = keyof typeof skillReasons;

/** A skill that is not loaded. */
export interface SkillRefusal {
  readonly kind: 'refused';
  readonly code: SkillRefusalCode;
  readonly reason: SkillReason;
  /** What is wrong, where, and what to do next. */
  readonly message: string;
  /** The file of the skill that is concerned. */
  readonly file?: string;
}

/** Makes a refusal. */
export function skillRefusal(reason: SkillReason, message: string, file?: string): SkillRefusal {
  const { code } = skillReasons[reason];
  return Object.freeze({
    kind: 'refused' as const,
    code,
    reason,
    message,
    ...(file === undefined ? {} : { file }),
  });
}

/** Whether a step ended in a refusal. */
export function isRefusal(value: object): value is SkillRefusal {
  return 'kind' in value && value.kind === 'refused';
}
