import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blockMessage, lengthField, numberField } from '../../../../test/kit/mirror/ingest/block-bytes.ts';
import {
  blockOf,
  blockParts,
  listing,
  sharedBlock,
} from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { seedOf } from '../../../../test/support/seed.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import { wireFields } from '../../protobuf/wire.ts';
import { unpackBlock } from '../block/unpack-block.ts';
import { parseAddressBookFile } from '../decode/address-book.ts';
import { IngestError } from '../errors.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';

/** Up to this size every byte and every length is tried, beyond it as many as SAMPLES. */
const EXHAUSTIVE_BYTES = Number(process.env['DAMAGE_EXHAUSTIVE_BYTES'] ?? 5000);
const SAMPLES = 60;
/** A false proof takes some tenths of a second. */
const PROOF_SAMPLES = Number(process.env['DAMAGE_PROOFS'] ?? 12);
const TIMEOUT_MS = EXHAUSTIVE_BYTES > 5000 ? 1_800_000 : 180_000;
const SEED = seedOf('block damage');
const random = seededRandom(SEED);
const WRAPPED = [
  ['blocks-wrapped-mainnet/v2-block.blk.gz', 'mainnet-v2/address_book.bin'],
  ['blocks-wrapped-solo/0.blk.gz', 'blocks-wrapped-solo/address-book.json'],
] as const;

function keysOf(book: string): NodeKeys {
  const entries = parseAddressBookFile(readFileSync(streamPath(book)), book);
  return { nodes: entries.map((entry) => ({ ...entry, stake: 0n })) };
}

function demandsOf(book: string): UnitDemands {
  return { mode: 'signatures', consensusRatio: [1n, 3n], keys: keysOf(book), previous: null };
}

function* places(length: number): Generator<number> {
  const isExhaustive = length <= EXHAUSTIVE_BYTES;
  const count = isExhaustive ? length : SAMPLES;
  for (let index = 0; index < count; index++) yield isExhaustive ? index : random.below(length);
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ (1 + random.below(255));
  return damaged;
}

/** The code of the refusal, or what would be stored. */
async function outcome(
  bytes: Uint8Array,
  demands: UnitDemands,
  parts = blockParts(),
): Promise<string | VerifiedUnit> {
  try {
    return await blockOf(bytes, 'a.blk', parts).verify(demands);
  } catch (error) {
    if (error instanceof IngestError) return error.code;
    throw error;
  }
}

/** What the signatures of the nodes cover: everything that is stored but the root of the block, and nothing of its footer. */
function signedPart(verified: VerifiedUnit): string {
  const { followedRoot: _named, header, rejectedSignatures: _rejected, tree: _tree, ...rest } = verified;
  // Of version 2 nodes signed one number of the version of the API, and not when the file was made.
  const { hapiVersion: _version, name: _name, root: _root, ...signed } = header;
  return JSON.stringify({ ...rest, header: signed }, (_key, value) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('hex')
        : value,
  );
}

async function refusedByName(
  bytes: Uint8Array,
  demands: UnitDemands,
  what: string,
  parts = blockParts(),
): Promise<string> {
  const found = await outcome(bytes, demands, parts);
  if (typeof found === 'string') return found;
  throw new Error(`${what} was taken, seed ${SEED}`);
}

describeShared('damage in real blocks', () => {
  test.each(WRAPPED)(
    '%s: a changed byte is refused by name, or changes nothing that the nodes signed',
    { timeout: TIMEOUT_MS },
    async (file, book) => {
      const bytes = sharedBlock(file);
      const demands = demandsOf(book);
      const whole = await outcome(bytes, demands);
      if (typeof whole === 'string') throw new Error(whole);
      expect(whole.header.verification).toBe('signatures');
      const [from, length] = recordOf(bytes);
      // Of version 2 the nodes signed what is stored of it; of version 6 the whole record file.
      const isWhole = whole.header.version === 6;
      const codes = new Set<string>();
      let unsigned = 0;
      for (const at of places(bytes.length)) {
        const found = await outcome(flipped(bytes, at), demands);
        if (typeof found === 'string') {
          codes.add(found);
          continue;
        }
        unsigned++;
        if (isWhole && at >= from && at < from + length)
          throw new Error(`byte ${at} of the record file was taken, seed ${SEED}`);
        expect(signedPart(found)).toBe(signedPart(whole));
      }
      // Otherwise everything that is refused would prove nothing.
      expect(codes.has('consensus_not_reached')).toBe(true);
      expect(unsigned).toBeLessThan(bytes.length);
    },
  );

  test.each(WRAPPED)('%s: every cut is refused by name', { timeout: TIMEOUT_MS }, async (file, book) => {
    const bytes = sharedBlock(file);
    for (const at of places(bytes.length)) {
      expect(await refusedByName(bytes.subarray(0, at), demandsOf(book), `a cut after ${at} bytes`)).toMatch(
        /^(malformed|unsupported_version|unsupported_item|consensus_not_reached)$/,
      );
    }
  });

  test('a changed byte in what no node signed is no error, and the next block shows it', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const [first, second] = [0, 1].map((number) => sharedBlock(`blocks-wrapped-solo/${number}.blk.gz`));
    const bytes = first ?? new Uint8Array();
    const stateRoot = Buffer.from(bytes).lastIndexOf(Buffer.from('1a30', 'hex')) + 2;
    const ledger = memoryLedger();
    const units = [
      blockOf(flipped(bytes, stateRoot + 5), '0.blk'),
      blockOf(second ?? new Uint8Array(), '1.blk'),
    ];
    const report = await ledger.import(listing(units, 'blocks-wrapped-solo/address-book.json'));
    expect(report).toMatchObject({ units: 2, refused: [] });
    expect(ledger.state()?.notes).toEqual([expect.stringContaining('not linked: block 1.blk')]);
    expect(ledger.units.map(({ tree }) => tree === null)).toEqual([false, true]);
  });

  test('a changed or missing byte of a native block is refused by name, in items, footer and proof', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { bytes, demands, parts } = await nativeBlock('blocks-0.73', 1);
    const whole = await outcome(bytes, demands, parts);
    expect(typeof whole === 'string' ? whole : whole.header.verification).toBe('chain');
    const proofLength = 3000;
    const content = Array.from({ length: PROOF_SAMPLES }, () => random.below(bytes.length - proofLength));
    const proof = content.map(() => bytes.length - 1 - random.below(proofLength));
    for (const at of [...content, ...proof]) {
      const code = await refusedByName(flipped(bytes, at), demands, `byte ${at}`, parts);
      expect(code).toMatch(
        /^(bad_block_proof|malformed|unsupported_item|unsupported_version|block_number_mismatch|nonconsecutive_block|chain_mismatch|fork)$/,
      );
    }
    for (const at of places(bytes.length)) {
      expect(await refusedByName(bytes.subarray(0, at), demands, `a cut after ${at} bytes`, parts)).toMatch(
        /^(malformed|unsupported_version|unsupported_item|bad_block_proof)$/,
      );
    }
  });

  test('a changed byte of a native block shows in the next one where no proof is asked for', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const [first, second] = [0, 1].map((number) => sharedBlock(`blocks-0.78/${number}.blk.gz`));
    const bytes = first ?? new Uint8Array();
    const proof = wireFields(bytes).at(-1)?.bytes.length ?? 0;
    for (let index = 0; index < 12; index++) {
      const at = random.below(bytes.length - proof - 4);
      const ledger = memoryLedger();
      const source = () =>
        [flipped(bytes, at), second ?? bytes].map((each, number) => blockOf(each, `${number}.blk`));
      const report = await Promise.resolve()
        .then(() => ledger.import(listing(source()), { verify: 'chain', shard: 11n, realm: 12n }))
        .catch((error: unknown) => {
          if (error instanceof IngestError) return { refused: [{ code: error.code }], units: 0 };
          throw error;
        });
      expect(report.refused[0]?.code, `byte ${at}, seed ${SEED}`).toMatch(
        /^(chain_mismatch|malformed|unsupported_item|unsupported_version|block_number_mismatch|nonconsecutive_block|duplicate_conflict|fork)$/,
      );
      expect(report.units).toBeLessThan(2);
    }
  });

  test('a second item, a second proof or a field beside one does not slip into a block', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { bytes, demands, parts } = await nativeBlock('blocks-0.73', 1);
    const items = wireFields(bytes).flatMap(({ bytes: item }) =>
      wireFields(item).map(({ bytes: member, number }) => [number, member] as const),
    );
    const at = items.findIndex(([number]) => number === 12);
    const [body, tail] = [items.slice(0, at), items.slice(at)];
    const result = items.find(([number]) => number === 5) ?? expect.fail('no result');
    const proof = tail[1]?.[1] ?? new Uint8Array();
    const changes: Readonly<Record<string, readonly (readonly [number, Uint8Array])[]>> = {
      'a repeated result': [...body, result, ...tail],
      'a result that is left out': [...body.filter((item) => item !== result), ...tail],
      'two items swapped': [...body.slice(0, 2).reverse(), ...body.slice(2), ...tail],
      'a hashed item of a later release': [...body, [44, Uint8Array.of(1)], ...tail],
      'a record file in a native block': [...body, [10, Uint8Array.of(1)], ...tail],
      'a second proof that is false': [...items, [9, flipped(proof, 2000)]],
      'a proof of another block': [
        ...items.slice(0, -1),
        [9, Buffer.concat([numberField(1, 2), proof.subarray(2)])],
      ],
      'a field beside the forms of a proof': [
        ...items.slice(0, -1),
        [9, Buffer.concat([proof, lengthField(4, numberField(1, 6))])],
      ],
    };
    for (const [what, changed] of Object.entries(changes)) {
      expect(await refusedByName(blockMessage(changed), demands, what, parts), what).toMatch(
        /^(bad_block_proof|malformed|unsupported_item)$/,
      );
    }
  });

  test.each(['blocks-0.78/1.blk.gz', 'blocks-wrapped-mainnet/genesis/0000000000000000000.blk.zstd'])(
    '%s, packed: damage is refused or gives the same bytes, and never ends in another fault',
    { timeout: TIMEOUT_MS },
    (file) => {
      const packed = readFileSync(streamPath(file));
      const plain = sharedBlock(file);
      let refused = 0;
      for (let index = 0; index < SAMPLES; index++) {
        const at = random.below(packed.length);
        const damaged = index % 2 === 0 ? flipped(packed, at) : packed.subarray(0, at);
        try {
          // What unpacks to other bytes is a damaged block, as above.
          const found = unpackBlock(damaged, file, 2 * plain.length);
          if (Buffer.compare(found, plain) !== 0) refused++;
        } catch (error) {
          expect(error).toMatchObject({ code: 'malformed' });
          refused++;
        }
      }
      expect(refused).toBeGreaterThan(SAMPLES / 2);
    },
  );
});

/** A block of a set with what it is demanded after the blocks before it. */
async function nativeBlock(set: string, number: number) {
  const parts = blockParts();
  const bytes = sharedBlock(`${set}/${number}.blk.gz`);
  let captured: UnitDemands | null = null;
  const target = blockOf(bytes, `${number}.blk`, parts);
  const spied: StreamUnit = {
    ...target,
    verify(demands) {
      captured ??= demands;
      return target.verify(demands);
    },
  };
  const before = Array.from({ length: number }, (_, each) =>
    blockOf(sharedBlock(`${set}/${each}.blk.gz`), `${each}.blk`, parts),
  );
  const report = await memoryLedger().import(listing([...before, spied]));
  expect(report.refused).toEqual([]);
  return { bytes, parts, demands: captured ?? expect.fail('not asked') };
}

/** Where the contents of the record file lie in a wrapped block. */
function recordOf(bytes: Uint8Array): readonly [from: number, length: number] {
  const item = wireFields(bytes)
    .flatMap((each) => wireFields(each.bytes))
    .find(({ number }) => number === 10);
  const contents =
    wireFields(item?.bytes ?? new Uint8Array()).find(({ number }) => number === 2)?.bytes ?? new Uint8Array();
  return [contents.byteOffset - bytes.byteOffset, contents.length];
}
