/** Powers as a compartment may use them: what it names is looked up among what was given, and nothing else is reached. */
import { CapError } from '@pawl/core';
import { PowerFailure } from '../power/index.js';
import { type UseError, dataOf, textOf } from './wire.js';

/** Powers by name. Their own methods can be used with plain data and answer with plain data, or promises of it. */
export type Powers = Readonly<Record<string, object>>;

type Method = (...args: readonly unknown[]) => unknown;

/** How a use went. */
export type Used =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly error: UseError };

/** The uses of one compartment. */
export class Uses {
  readonly #methods: ReadonlyMap<string, ReadonlyMap<string, Method>>;

  constructor(powers: Powers) {
    this.#methods = new Map(Object.entries(powers).map(([name, power]) => [name, methodsOf(power)]));
  }

  /** Names of powers, each with those of its methods. */
  get table(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.#methods].map(([name, methods]) => [name, [...methods.keys()]]));
  }

  /** Uses a power. Never rejects; undefined for what no honest process asks for. */
  async use(power: string, method: string, args: string): Promise<Used | undefined> {
    const found = this.#methods.get(power)?.get(method);
    const given = argumentsOf(args);
    if (found === undefined || given === undefined) return undefined;
    try {
      return { ok: true, value: textOf(await found(...given), 'answer') };
    } catch (error) {
      return { ok: false, error: wordsOf(error) };
    }
  }
}

function methodsOf(power: object): ReadonlyMap<string, Method> {
  const members: readonly (readonly [string, unknown])[] = Object.entries(power);
  return new Map(
    members.flatMap(([name, member]) =>
      isMethod(member) && name !== 'then'
        ? [[name, (...args: readonly unknown[]): unknown => Reflect.apply(member, power, args)] as const]
        : [],
    ),
  );
}

function isMethod(member: unknown): member is Method {
  return typeof member === 'function';
}

function argumentsOf(text: string): readonly unknown[] | undefined {
  try {
    const data = dataOf(text);
    return Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** What powers throw is made for a tool to read; anything else is the gateway's own trouble. */
function wordsOf(error: unknown): UseError {
  if (error instanceof CapError) {
    const { refusal } = error;
    const constraint = refusal.kind === 'denial' ? refusal.constraint : undefined;
    const about = { name: 'DenialError', code: refusal.code, message: refusal.message };
    return { ...about, ...(constraint === undefined ? {} : { constraint }) };
  }
  if (error instanceof PowerFailure)
    return { name: 'PowerFailure', code: error.code, message: error.message };
  if (error instanceof TypeError)
    return {
      name: 'TypeError',
      code: 'bad_request',
      message: 'the power cannot be used with these arguments',
    };
  return { name: 'PowerFailure', code: 'failed', message: 'the power did not work' };
}
