/** The closed world of an allow rule: every argument that it neither names nor frees must be absent, at every depth. */
import { type Json, type JsonObject, isJsonArray, isJsonObject } from '../ground/index.js';
import { type ValueSet, everythingSet, missingSet, objectsOnly } from './kind/index.js';

/** A path of member names; arrays on the way are stepped through. */
export type ArgumentPath = readonly string[];

interface Node {
  /** The path ends here: what stands here, and below, is named or freed. */
  covered: boolean;
  readonly below: Map<string, Node>;
}

/** The set of argument objects without any argument outside the covered paths. */
export class Cover {
  readonly #root: Node = { covered: false, below: new Map() };
  readonly #flat: ReadonlySet<string> | undefined;
  readonly paths: readonly ArgumentPath[];
  #text: string | undefined;

  constructor(paths: readonly ArgumentPath[]) {
    this.paths = paths;
    for (const path of paths) {
      let node = this.#root;
      for (const name of path) {
        const next = node.below.get(name) ?? { covered: false, below: new Map() };
        node.below.set(name, next);
        node = next;
      }
      node.covered = true;
    }
    const flat = paths.every((path) => path.length === 1);
    this.#flat = flat ? new Set(paths.map((path) => path[0] ?? '')) : undefined;
  }

  /** Equal for closed worlds of the same paths. */
  get text(): string {
    this.#text ??= JSON.stringify(this.paths);
    return this.#text;
  }

  /** Whether nothing stands outside. */
  holds(args: JsonObject): boolean {
    if (this.#flat === undefined) return this.firstOutside(args) === undefined;
    for (const name of Object.keys(args)) if (!this.#flat.has(name)) return false;
    return true;
  }

  /** The values that may stand at a path as far as the closed world goes: anything, only objects and lists of them, or nothing. */
  leaves(path: ArgumentPath): ValueSet {
    let node: Node | undefined = this.#root;
    for (const name of path) {
      node = node.below.get(name);
      if (node === undefined) return missingSet;
      if (node.covered) return everythingSet;
    }
    return objectsOnly;
  }

  /** Path of the first argument that stands outside, or undefined. */
  firstOutside(args: JsonObject): ArgumentPath | undefined {
    return outsideObject(this.#root, args, []);
  }
}

function outsideObject(node: Node, object: JsonObject, at: ArgumentPath): ArgumentPath | undefined {
  for (const [name, value] of Object.entries(object)) {
    const path = [...at, name];
    const next = node.below.get(name);
    if (next === undefined) return path;
    const found = next.covered ? undefined : outsideValue(next, value ?? null, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function outsideValue(node: Node, value: Json, at: ArgumentPath): ArgumentPath | undefined {
  if (isJsonObject(value)) return outsideObject(node, value, at);
  if (!isJsonArray(value)) return at;
  for (const element of value) {
    const found = outsideValue(node, element, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
