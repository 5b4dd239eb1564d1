/** Policy: a document, compiled and frozen into a snapshot. */
export { type CompiledPolicy, compileInSteps, compilePolicy } from './compile.js';
export type { CompileInput, ExecutorPolicy, RuleFactor, SkillSide } from './compile-input.js';
export type {
  AccessWitness,
  CallDecision,
  CallWitness,
  ChangeWitness,
  Comparison,
  ExecutorComparison,
  ExecutorRelation,
  Relation,
  Witness,
} from './comparison.js';
export type { Current, Living } from './current.js';
export type {
  GivenText,
  OAuthSource,
  OverReachMode,
  PolicyDocument,
  RuleSource,
  SandboxSource,
  ServerSource,
  Settings,
} from './document.js';
export { openTool } from './open-tool.js';
export { isHeaderText, isSecretName, secretNameInWords } from './read-given.js';
export { readRules } from './read-rule.js';
export { isSkillName, trustFact } from './read-skills.js';
export { readDocument } from './read-document.js';
export { lintPolicy } from './lint/lint.js';
export { type NotGranted, delegatedPolicy, depthLeft, notGrantedBy, policyOf } from './delegated.js';
export { type Principal, type Delegation, readNarrower, stepsOf } from './delegation.js';
export { delegateDefinition, delegateTool, ownServer } from './own-tools.js';
export { type Declared, type DeclaringPolicy, declareLimits } from './declaring.js';
export type { DeclaredState } from './stored-limits.js';
export { defaultSettings, milliseconds } from './read-settings.js';
export {
  type Generation,
  type Snapshot,
  executorOf,
  generationHash,
  semanticsVersion,
} from './snapshot.js';
export type { MountedTool, ServerFrame, ToolCatalog, ToolDefinition } from './tool.js';
export type { ToolPolicy } from './tool-policy.js';
export { type CertifiedPair, certificateFaults } from './compare/certificate.js';
export { type CompareRequest, comparePolicies } from './compare/compare.js';
export type { Judge, Judged } from './compare/judge.js';
export { permitsWholly } from './wholly.js';
export type { Work } from './work.js';
export { type ModelView, modelView } from './view/view.js';
