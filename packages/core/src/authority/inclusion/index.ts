/** Inclusion of authorities: proofs that NEW holds nothing that OLD does not, or an access that is gained. */
export { checkProof } from './check.js';
export { type Product, andProduct } from './product.js';
export {
  type Gain,
  type LevelProof,
  pieceProduct,
  piecesOf,
  prove,
} from './prove.js';
export { reachingMeets } from './region-cover.js';
export type { AccessShape, RawPosition } from './shape.js';
export { bucketsOf, sideAt } from './side.js';
export { Space } from './space.js';
export { OutOfSteps, Steps, usualSteps } from './steps.js';
export { type CoverTree, subtract } from './subtract.js';
