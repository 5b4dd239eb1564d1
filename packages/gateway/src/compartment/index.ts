/** Compartment: JavaScript that is not trusted, in a locked-down realm in a process of its own, with the powers that it is given. */
export { type CompartmentBounds, type OpenOptions, Compartments } from './compartments.js';
export { type CompartmentFailureCode, CompartmentFailure } from './failure.js';
export type { Files, Modules } from './load.js';
export type { CallWish, Compartment, Module } from './open.js';
export { whyNoCompartment } from './proof.js';
export type { Powers } from './uses.js';
