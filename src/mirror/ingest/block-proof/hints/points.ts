import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { FailedCheck } from '../failed-check.ts';

/** The groups and the scalar field of BLS12-381. */
export const G1 = bls12_381.G1.Point;
export const G2 = bls12_381.G2.Point;
export const { Fr } = bls12_381.fields;

export type G1Point = typeof G1.BASE;
export type G2Point = typeof G2.BASE;

const G1_BYTES = 96;
const G2_BYTES = 192;
const SCALAR_BYTES = 32;

/**
 * Reads points and scalars one after the other, strictly: canonical, on the curve, in the subgroup.
 *
 * @see contracts/streams.md section 18.5, row Encoding
 */
export class PointReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Uncompressed, 96 bytes. @throws FailedCheck `encoding` */
  g1(name: string): G1Point {
    return strictly(name, () => G1.fromBytes(this.#next(G1_BYTES)));
  }

  /** Uncompressed, 192 bytes. @throws FailedCheck `encoding` */
  g2(name: string): G2Point {
    return strictly(name, () => G2.fromBytes(this.#next(G2_BYTES)));
  }

  /** 32 bytes, little-endian. @throws FailedCheck `encoding` */
  scalar(name: string): bigint {
    const value = bytesToNumberLE(this.#next(SCALAR_BYTES));
    if (value >= Fr.ORDER) throw new FailedCheck('encoding', `${name} is not below the order of the group`);
    return value;
  }

  /** 8 bytes, little-endian. */
  uint64(): bigint {
    return bytesToNumberLE(this.#next(8));
  }

  /** @throws FailedCheck `encoding` */
  expectEnd(name: string): void {
    const left = this.#bytes.length - this.#offset;
    if (left > 0) throw new FailedCheck('encoding', `${left} bytes are left over after ${name}`);
  }

  #next(length: number): Uint8Array {
    const start = this.#offset;
    this.#offset += length;
    if (this.#offset > this.#bytes.length) throw new FailedCheck('encoding', 'bytes are missing at the end');
    return this.#bytes.subarray(start, this.#offset);
  }
}

/** As it enters a transcript. */
export function scalarBytes(value: bigint): Uint8Array {
  return numberToBytesLE(value, SCALAR_BYTES);
}

function strictly<Point extends { is0(): boolean }>(name: string, read: () => Point): Point {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof FailedCheck) throw cause;
    // The library has no class of its own for what is not a point.
    throw new FailedCheck('encoding', `${name} is not a point: ${(cause as Error).message}`, { cause });
  }
}
