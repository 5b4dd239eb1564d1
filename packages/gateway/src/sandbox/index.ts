/** Sandbox: confinement of processes by the kernel, through bubblewrap. */
export { type CommandLine, findBwrap, isShown, sandboxed, systemFolders } from './bwrap.js';
export { closedBeyond } from './descriptors.js';
export { egressFolder } from './egress-folder.js';
export { type Plan, type Profile, isWithin, planOf } from './plan.js';
export { type ProofPlace, whyUnconfined } from './proof.js';
