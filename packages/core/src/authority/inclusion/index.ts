/** Inclusion of authorities: proofs that NEW holds nothing that OLD does not, or an access that is gained. */
export { type Gain, type LevelProof, type Verdict, prove } from './prove.js';
export type { Product } from './product.js';
export type { AccessShape, RawPosition } from './shape.js';
export { boxPrint, bucketsOf } from './side.js';
export { Space } from './space.js';
export { OutOfSteps, Steps, usualSteps } from './steps.js';
