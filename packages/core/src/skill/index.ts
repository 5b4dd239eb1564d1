/** Skills: who signed one, what it asks for, and what of that it gets; nothing of it can be called before. */
export { type AllowedTool, splitAllowedTools } from './allowed-tools.js';
export { signatureFile } from './bundle.js';
export {
  type Contents,
  type FolderLimits,
  type SkillEntry,
  type SkillFile,
  type SkillFolder,
  folderLimits,
  readFolder,
} from './folder.js';
export type { Frontmatter, ReadYaml } from './frontmatter.js';
export type { Intersection, Ungranted } from './intersect.js';
export {
  type LoadedSkill,
  type LoadPorts,
  type LoadRequest,
  type OverReach,
  type PreparedSkill,
  type VerifiedSkill,
  loadSkill,
  verifySkill,
} from './load.js';
export {
  type Capability as SkillCapability,
  type SkillManifest,
  type SkillTool,
  manifestFile,
  manifestKeys,
  readManifest,
  skillToolKeys,
} from './manifest.js';
export {
  type ShelfChange,
  type ShelfPorts,
  type ShelfTool,
  Skills,
  policyOf,
  skillServer,
} from './shelf.js';
export {
  type SkillReason,
  type SkillRefusal,
  type SkillRefusalCode,
  isRefusal,
  skillReasons,
  skillRefusal,
} from './refusal.js';
export { signContents } from './sign.js';
export {
  type SignatureAlgorithm,
  type SigningKey,
  type VerifyingKey,
  makeSigningKey,
  readPublicKey,
  readSigningKey,
} from './signature.js';
export {
  type ReadTrust,
  type Trust,
  noTrust,
  readTrust,
  trustKeys,
  trustedKeyKeys,
  trustedRootKeys,
} from './trust.js';
export { type SignedBy, type Verified, verifyContents } from './verify.js';
