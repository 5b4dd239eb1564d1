/** What references name, in types: the methods of a protocol, what they take and what they bring. */
import type { Ref } from './ref.js';

/** Names of the methods of a protocol. */
export type MethodOf<P> = keyof P & string;

/** What a method takes. */
export type ArgsOf<P, K extends keyof P> = P[K] extends (args: infer A) => unknown ? A : never;

/** What a method brings. */
export type ResultOf<P, K extends keyof P> = P[K] extends (args: never) => infer R ? R : never;

/** A reference to what a method will bring, where that is a reference. */
export type Promised<R> = R extends Ref<infer P> ? Ref<P> : undefined;

/** An actor, or a promise of one: what is sent to it waits until the promise is kept, and breaks with it. */
export type Eventually<P> = Ref<P> | PromiseLike<Ref<P>>;
