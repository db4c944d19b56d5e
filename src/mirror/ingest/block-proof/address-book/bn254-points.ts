import { bn254 } from '@noble/curves/bn254.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { demand } from '../failed-check.ts';
import { readBelow } from './little-endian.ts';

const { Fp, Fp2, Fp12, Fr } = bn254.fields;
const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
export type G1Point = typeof G1.BASE;
type G2Point = typeof G2.BASE;

export const SCALAR_ORDER = Fr.ORDER;
const COMPRESSED = { g1: 32, g2: 64 } as const;

const LARGER = 0x80;
const INFINITY = 0x40;
const B1 = 3n;
const B2 = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));

/**
 * Reads x with two flags in its last byte, lowest byte first.
 *
 * @throws FailedCheck `encoding` unless it is the one form of a point of the group, which infinity is.
 * @see contracts/streams.md section 18.7
 */
function readG1(bytes: Uint8Array, what: string): G1Point {
  const { flags, x: number } = splitFlags(bytes, what);
  if (flags === INFINITY) return infinity(number, G1.ZERO, what);
  const x = readBelow(number, Fp.ORDER, what);
  const y = root(() => Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), B1)), what);
  const isLarger = y > Fp.neg(y);
  return G1.fromAffine({ x, y: isLarger === (flags === LARGER) ? y : Fp.neg(y) });
}

/** The same for G2, where x has two parts of 32 bytes, the higher one last. @throws FailedCheck `encoding` */
function readG2(bytes: Uint8Array, what: string): G2Point {
  const { flags, x: number } = splitFlags(bytes, what);
  if (flags === INFINITY) return infinity(number, G2.ZERO, what);
  const c0 = readBelow(number.subarray(0, 32), Fp.ORDER, what);
  const c1 = readBelow(number.subarray(32, 64), Fp.ORDER, what);
  const x = Fp2.fromBigTuple([c0, c1]);
  const y = root(() => Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), B2)), what);
  const other = Fp2.neg(y);
  const isLarger = y.c1 === other.c1 ? y.c0 > other.c0 : y.c1 > other.c1;
  const point = G2.fromAffine({ x, y: isLarger === (flags === LARGER) ? y : other });
  demand(point.isTorsionFree(), 'encoding', `${what} is not a point of the group`);
  return point;
}

/** Whether the product of the pairings is one. A pair with infinity adds nothing, and the library refuses it. */
export function isPairingProductOne(pairs: readonly (readonly [G1Point, G2Point])[]): boolean {
  const counted = pairs.filter(([left, right]) => !left.is0() && !right.is0());
  const product = bn254.pairingBatch(counted.map(([g1, g2]) => ({ g1, g2 })));
  return Fp12.eql(product, Fp12.ONE);
}

/** A scalar below the order may be zero, which the library refuses to multiply with. */
export function times(point: G1Point, scalar: bigint): G1Point {
  return point.multiplyUnsafe(scalar);
}

function splitFlags(bytes: Uint8Array, what: string): { flags: number; x: Uint8Array } {
  const x = Uint8Array.from(bytes);
  const last = x.length - 1;
  const flags = (x[last] ?? 0) & (LARGER | INFINITY);
  x[last] = (x[last] ?? 0) & ~(LARGER | INFINITY);
  demand(flags !== (LARGER | INFINITY), 'encoding', `${what} has both flags`);
  return { flags, x };
}

function infinity<P>(number: Uint8Array, zero: P, what: string): P {
  demand(bytesToNumberLE(number) === 0n, 'encoding', `${what} is infinity with coordinates`);
  return zero;
}

function root<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch {
    // The library throws where a number has no root, which is the only thing that can go wrong here.
    demand(false, 'encoding', `${what} is not on the curve`);
  }
}

/** Reads the members of a proof one after the other; every method throws FailedCheck `encoding`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #what: string;
  #at = 0;

  constructor(bytes: Uint8Array, what: string) {
    this.#bytes = bytes;
    this.#what = what;
  }

  g1(): G1Point {
    return readG1(this.#next(COMPRESSED.g1), this.#place());
  }

  g2(): G2Point {
    return readG2(this.#next(COMPRESSED.g2), this.#place());
  }

  scalar(): bigint {
    return readBelow(this.#next(32), SCALAR_ORDER, this.#place());
  }

  /** A list that says its own length, which has to be the expected one. */
  list<T>(length: number, read: () => T): readonly T[] {
    const said = Buffer.from(this.#next(8)).readBigUInt64LE();
    demand(said === BigInt(length), 'encoding', `${this.#place()} has ${said} members`);
    return Array.from({ length }, read);
  }

  end(): void {
    demand(this.#at === this.#bytes.length, 'encoding', `${this.#what} has bytes left over`);
  }

  #next(length: number): Uint8Array {
    const end = this.#at + length;
    demand(end <= this.#bytes.length, 'encoding', `${this.#what} is cut off`);
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  #place(): string {
    return `${this.#what} up to byte ${this.#at}`;
  }
}
