import type { AssemblyAuxdata } from '../../src/verify/match/auxdata/assembly-auxdata.ts';
import type { CodeSide } from '../../src/verify/match/auxdata/auxdata-positions.ts';
import type { Deployment, Range } from './deployment.ts';
import type { Random } from './random.ts';
import type { Deployed } from './verify-deployed.ts';

/** What may become of a mutated code: `grade` as before, `match` at most, `null` no match at all. */
export type Verdict = 'grade' | 'match' | 'null';

/** Another state of the chain, and what may become of the sides that are named. */
export interface Mutation {
  readonly name: string;
  readonly deployed: Partial<Deployed>;
  readonly want: Partial<Record<CodeSide, Verdict>>;
}

type Change = (code: Uint8Array, random: Random) => Uint8Array | null;

/** A hundred bytes that create and call; as a CBOR byte string they are readable metadata to a careless reader. */
const INIT_CODE = Uint8Array.from([
  0x58, 0x31, 0x61, 0x33, 0xff, 0x60, 0x00, 0x52, 0x60, 0x02, 0x60, 0x1e, 0xf3,
]);

/** Changes a deployment in one of many ways. Null when this way does not exist for this code. */
export function mutate(
  deployment: Deployment,
  assembly: readonly AssemblyAuxdata[],
  hasMetadata: boolean,
  random: Random,
): Mutation | null {
  return random.below(4) === 0
    ? mutateMeaning(deployment, random)
    : mutateSide(deployment, assembly, hasMetadata, random);
}

/** Changes what only the compiler or the chain tells apart from honest code. */
function mutateMeaning({ code, guards, pointers, open }: Deployment, random: Random): Mutation | null {
  const { creation, runtime } = code;
  const put = (ranges: readonly Range[], bytes: Uint8Array) =>
    ranges.reduce((changed, { end }) => replace(changed, end - bytes.length, bytes), runtime);
  switch (random.below(5)) {
    case 0: {
      const name = 'another address at the beginning of a contract';
      if (runtime[0] !== PUSH20 || guards.length > 0) return null;
      return {
        name,
        deployed: { runtime: replace(runtime, 1, random.bytes(20)) },
        want: { runtime: 'null' },
      };
    }
    case 1: {
      const name = 'another address in the guard of a library';
      const other = random.pick([random.bytes(20), new Uint8Array(20)]);
      return guards.length === 0
        ? null
        : { name, deployed: { runtime: put(guards, other) }, want: { runtime: 'match' } };
    }
    case 2: {
      if (pointers.length === 0) return null;
      const { ranges, values } = random.pick(pointers);
      const elsewhere = [...runtime.keys()].filter((at) => runtime[at] === JUMPDEST);
      const word = Buffer.alloc(32);
      word.writeUInt32BE(random.pick(elsewhere), 28);
      if (random.below(2) === 0) Buffer.from(random.pick(values)).copy(word, 24, 24, 28);
      if (values.some((value) => word.equals(value))) return null;
      const name = 'another jump destination';
      return { name, deployed: { runtime: put(ranges, word) }, want: { runtime: 'null' } };
    }
    case 3: {
      const name = 'no creation code';
      const isKnown = pointers.length === 0;
      return { name, deployed: { creation: null }, want: { runtime: isKnown ? 'grade' : 'match' } };
    }
    default: {
      const account = Uint8Array.from([0xef, 0x01, 0x00, ...random.bytes(20)]);
      const changed = flip(runtime, outside(runtime, open.runtime, random), random);
      const delegates = random.below(3) === 0 || changed === null;
      return {
        name: delegates ? 'an account that delegates' : 'the creation code of an earlier life',
        deployed: {
          creation,
          runtime: delegates ? account : changed,
          life: random.pick(['earlier', 'unknown'] as const),
        },
        want: { creation: 'null', runtime: 'null' },
      };
    }
  }
}

const [PUSH20, JUMPDEST] = [0x73, 0x5b];

function mutateSide(
  deployment: Deployment,
  assembly: readonly AssemblyAuxdata[],
  hasMetadata: boolean,
  random: Random,
): Mutation | null {
  const side = random.pick<CodeSide>(['creation', 'runtime']);
  const code = deployment.code[side];
  const [hashes, open] = [deployment.hashes[side], deployment.open[side]];
  const ways: readonly (readonly [string, Verdict, Change])[] = [
    ['nothing', 'grade', (bytes) => bytes],
    ['a byte', 'null', (bytes) => flip(bytes, outside(bytes, open, random), random)],
    ['a byte of a run of data', 'null', (bytes) => flip(bytes, inData(bytes, open, random), random)],
    ['bytes put in', 'null', (bytes) => insert(bytes, outside(bytes, open, random), random)],
    ['bytes taken out', 'null', (bytes) => remove(bytes, outside(bytes, open, random), random)],
    ['bytes appended', 'null', (bytes) => join(bytes, random.bytes(1 + random.below(64)))],
    ['the end cut off', 'null', (bytes) => cut(bytes, assembly, open, random)],
    ['two pieces exchanged', 'null', (bytes) => exchange(bytes, open, random)],
    ['other metadata in a literal', 'null', (bytes) => inLiteral(bytes, assembly, hashes, random)],
    ['code for metadata', 'null', (bytes) => codeForMetadata(bytes, assembly, hashes, random)],
    [
      'one metadata hash',
      hasMetadata ? 'match' : 'grade',
      (bytes) => otherHash(bytes, hashes, hasMetadata, random),
    ],
    ['all metadata hashes', 'match', (bytes) => (hasMetadata ? allHashes(bytes, hashes, random) : null)],
  ];
  const [name, want, change] = random.pick(ways);
  const changed = change(code, random);
  if (changed === null) return null;
  const isSame = Buffer.compare(changed, code) === 0;
  return {
    name: `${name} in ${side}`,
    deployed: { [side]: changed },
    want: { [side]: isSame ? 'grade' : want },
  };
}

function outside(code: Uint8Array, open: readonly Range[], random: Random): number | null {
  for (let attempt = 0; attempt < 50; attempt++) {
    const at = random.below(code.length);
    if (!isWithin(at, open)) return at;
  }
  return null;
}

/** A place after the first INVALID, where data and other contracts begin. */
function inData(code: Uint8Array, open: readonly Range[], random: Random): number | null {
  const begin = code.indexOf(0xfe) + 1;
  for (let attempt = 0; begin > 0 && begin < code.length && attempt < 50; attempt++) {
    const at = begin + random.below(code.length - begin);
    if (!isWithin(at, open)) return at;
  }
  return null;
}

function isWithin(at: number, ranges: readonly Range[]): boolean {
  return ranges.some(({ start, end }) => at >= start && at < end);
}

function flip(code: Uint8Array, at: number | null, random: Random): Uint8Array | null {
  return at === null ? null : code.with(at, (code[at] ?? 0) ^ (1 + random.below(255)));
}

function insert(code: Uint8Array, at: number | null, random: Random): Uint8Array | null {
  return at === null
    ? null
    : join(code.subarray(0, at), random.bytes(1 + random.below(40)), code.subarray(at));
}

function remove(code: Uint8Array, at: number | null, random: Random): Uint8Array | null {
  return at === null ? null : join(code.subarray(0, at), code.subarray(at + 1 + random.below(40)));
}

/** Metadata and the byte before them, or arguments, may be missing: that is no change of what the code does. */
function cut(
  code: Uint8Array,
  assembly: readonly AssemblyAuxdata[],
  open: readonly Range[],
  random: Random,
): Uint8Array | null {
  const length = 1 + random.below(60);
  const isAll =
    assembly.some(({ value }) => value.length / 2 + 1 === length) ||
    open.some(({ start, end }) => start === code.length - length && end === code.length);
  return isAll ? null : code.subarray(0, Math.max(0, code.length - length));
}

function exchange(code: Uint8Array, open: readonly Range[], random: Random): Uint8Array | null {
  const [left, right] = [outside(code, open, random), outside(code, open, random)];
  if (left === null || right === null) return null;
  return code.with(left, code[right] ?? 0).with(right, code[left] ?? 0);
}

/** Changes the hash in a copy of metadata that the compiler did not write. */
function inLiteral(
  code: Uint8Array,
  assembly: readonly AssemblyAuxdata[],
  hashes: readonly Range[],
  random: Random,
): Uint8Array | null {
  for (const { value } of assembly) {
    const needle = Buffer.from(value, 'hex');
    for (
      let at = Buffer.from(code).indexOf(needle);
      at >= 0;
      at = Buffer.from(code).indexOf(needle, at + 1)
    ) {
      const isReal = hashes.some(({ start }) => start >= at && start < at + needle.length);
      if (!isReal && hashes.length > 0) return replace(code, at + 12, random.bytes(20));
    }
  }
  return null;
}

/** A byte string of exactly the length of the metadata, with the same length bytes after it. */
function codeForMetadata(
  code: Uint8Array,
  assembly: readonly AssemblyAuxdata[],
  hashes: readonly Range[],
  random: Random,
): Uint8Array | null {
  if (hashes.length === 0) return null;
  const { start } = random.pick(hashes);
  const lengths = assembly.length > 0 ? assembly.map(({ value }) => value.length / 2) : [OLD_METADATA_BYTES];
  for (const length of lengths) {
    const found = [...Array(length).keys()]
      .map((back) => start - back)
      .find((at) => endsAsMetadata(code, at, length));
    if (found === undefined) continue;
    const content = length - LENGTH_BYTES - 2;
    const bytes = [0x58, content, ...INIT_CODE, ...random.bytes(content - INIT_CODE.length)];
    return replace(code, found, Uint8Array.from(bytes));
  }
  return null;
}

const LENGTH_BYTES = 2;
const OLD_METADATA_BYTES = 43;

/** Whether a map begins here whose length stands after it. */
function endsAsMetadata(code: Uint8Array, at: number, length: number): boolean {
  const told = ((code[at + length - 2] ?? 0) << 8) | (code[at + length - 1] ?? 0);
  return ((code[at] ?? 0) & 0xf0) === 0xa0 && told === length - LENGTH_BYTES;
}

/** Below 0.4.7 there are none. */
function otherHash(
  code: Uint8Array,
  hashes: readonly Range[],
  hasMetadata: boolean,
  random: Random,
): Uint8Array | null {
  if (hashes.length === 0 || !hasMetadata) return null;
  return newHash(code, random.pick(hashes), random);
}

export function allHashes(code: Uint8Array, hashes: readonly Range[], random: Random): Uint8Array | null {
  if (hashes.length === 0) return null;
  return hashes.reduce((changed, range) => newHash(changed, range, random), code);
}

function newHash(code: Uint8Array, { start, end }: Range, random: Random): Uint8Array {
  return replace(code, start, random.bytes(end - start));
}

function replace(code: Uint8Array, at: number, bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(code);
  changed.set(bytes.subarray(0, Math.max(0, code.length - at)), at);
  return changed;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
