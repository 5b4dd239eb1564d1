/** Bytes gathered from many pieces: however small these are, they take little more memory than they hold. */

const noBytes = Buffer.alloc(0);
const leastRoom = 4096;

/** Gathers. What is taken out belongs to the taker. */
export class Gathered {
  #bytes: Buffer = noBytes;
  #length = 0;
  /** The bytes are those of the one piece so far, and not to be written to. */
  #isBorrowed = false;

  /** How many there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds a piece, which must not change afterwards. */
  add(piece: Buffer): void {
    if (this.#length === 0) {
      this.#bytes = piece;
      this.#isBorrowed = true;
    } else {
      this.#makeRoom(piece.length);
      piece.copy(this.#bytes, this.#length);
    }
    this.#length += piece.length;
  }

  /** Everything; nothing is left. */
  take(): Buffer {
    const all = this.#bytes.subarray(0, this.#length);
    this.#bytes = noBytes;
    this.#length = 0;
    this.#isBorrowed = false;
    return all;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (!this.#isBorrowed && needed <= this.#bytes.length) return;
    const roomy = Buffer.allocUnsafe(Math.max(leastRoom, 2 * needed));
    this.#bytes.copy(roomy, 0, 0, this.#length);
    this.#bytes = roomy;
    this.#isBorrowed = false;
  }
}
