/** Skills: who signed one, what it asks for, and what of that it gets; nothing of it can be called before. */
export { signatureFile } from './bundle.js';
export {
  type Contents,
  type FolderLimits,
  type SkillEntry,
  type SkillFile,
  type SkillFolder,
  readFolder,
} from './folder.js';
export type { ReadYaml } from './frontmatter.js';
export type { Ungranted } from './intersect.js';
export {
  type LoadedBefore,
  type LoadedSkill,
  type LoadRequest,
  type OverReach,
  type PreparedSkill,
  loadSkill,
} from './load.js';
export { type SkillManifest, type SkillTool, readManifest, skillServer } from './manifest.js';
export { type ShelfChange, type ShelfTool, Skills, toolOf } from './shelf.js';
export {
  type SkillReason,
  type SkillRefusal,
  type SkillRefusalCode,
  isRefusal,
  skillRefusal,
} from './refusal.js';
export { signContents } from './sign.js';
export { type SigningKey, makeSigningKey, readPublicKey, readSigningKey } from './signature.js';
export { type Trust, readTrust } from './trust.js';
export { type Verified, verifyContents } from './verify.js';
