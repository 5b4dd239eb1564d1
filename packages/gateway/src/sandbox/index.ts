/** Sandbox: confinement of processes by the kernel, through bubblewrap. */
export { type CommandLine, findBwrap, isShown, sandboxed } from './bwrap.js';
export { closedBeyond } from './descriptors.js';
export { egressFolder } from './egress-folder.js';
export { type Plan, isInPlace, isWithin, planOf } from './plan.js';
export { whyUnconfined } from './proof.js';
