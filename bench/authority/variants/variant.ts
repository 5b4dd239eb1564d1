/** One way of making a call that is not the one meant. */
import { envelope } from '../line.js';

/** What goes over the wire. */
export type Sent =
  /** A call: the name in the session, and the text of the arguments. */
  | { readonly kind: 'call'; readonly name: string; readonly args: string }
  /** A whole line. */
  | { readonly kind: 'line'; readonly line: string };

/** A variant. */
export interface Variant {
  /** What was done to the call, for whoever has to mend what let it pass. */
  readonly way: string;
  readonly sent: Sent;
}

/** A call whose arguments are plain JSON. */
export function calling(way: string, name: string, args: unknown): Variant {
  return { way, sent: { kind: 'call', name, args: JSON.stringify(args) } };
}

/** A call whose arguments are spelled out, and may be no JSON: what answers it may not know its id. */
export function callingText(way: string, name: string, args: string): Variant {
  const params = `{"name":${JSON.stringify(name)},"arguments":${args},"_meta":${envelope}}`;
  const line = `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":${params}}`;
  return { way, sent: { kind: 'line', line } };
}
