/** Skills as control shows them. */
import type { ExecutorId, SkillReason, SkillRefusalCode, Ungranted } from '@pawl/core';

/** A skill that is to be loaded. */
export interface SkillLoadAsked {
  /** Absolute path of its folder, where the daemon runs. */
  readonly folder: string;
  readonly executor: ExecutorId;
}

/** Which loaded skill is meant. */
export interface SkillNamed {
  readonly name: string;
  readonly executor: ExecutorId;
}

/** A loaded skill. */
export interface SkillView extends SkillNamed {
  /** SHA-256 over names, digests and what may be executed of its files. */
  readonly root: string;
  /** SHA-256 of the key that signed, and the entry of the trust file that stands for it; absent where nobody signed. */
  readonly signer?: { readonly key: string; readonly trusted?: string; readonly subject?: string };
  /** Why it was not loaded again when the gateway started; absent for a loaded one. */
  readonly notLoaded?: { readonly reason: SkillReason; readonly message: string };
  readonly granted: readonly string[];
  readonly ungranted: readonly Ungranted[];
  /** Tools that can be called. */
  readonly tools: readonly string[];
  readonly masked: readonly string[];
  /** Tools that are not mounted because nothing runs them here. */
  readonly absent: readonly string[];
  /** Items of `allowed-tools` that mean nothing here. */
  readonly unresolved: readonly string[];
  /** What was granted and its programs do not get, in words for people. */
  readonly findings: readonly string[];
  /** How often masked tools were called, by name. */
  readonly maskedCalls: Readonly<Record<string, number>>;
}

/** What came of loading a skill: a refusal is a good answer that says so. */
export type SkillLoadView =
  | { readonly loaded: true; readonly skill: SkillView }
  | {
      readonly loaded: false;
      readonly code: SkillRefusalCode;
      readonly reason: SkillReason;
      readonly message: string;
      readonly file?: string;
    };
