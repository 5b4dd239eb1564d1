/** For runs under mutants: the first counterexample will do, and the same ones are tried each time. */
import * as fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true, seed: 1 });
