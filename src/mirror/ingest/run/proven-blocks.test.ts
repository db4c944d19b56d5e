import { expect, test } from 'vitest';
import { lengthField } from '../../../../test/kit/mirror/ingest/block-bytes.ts';
import {
  blockOf,
  blockParts,
  listing,
  sharedBlock,
} from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { type MemoryLedger, memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { seedOf } from '../../../../test/support/seed.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { walkFields } from '../../protobuf/wire.ts';
import { blockRoots } from '../block/native-block.ts';
import { parseBlock } from '../block/parse-block.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import type { VerifyMode } from '../units/stream-unit.ts';

const SETS = [
  {
    set: 'blocks-0.73',
    ledgerId: 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a',
    home: {},
    movedResults: { levels: ['chain'], refused: [] },
  },
  {
    set: 'blocks-0.78',
    ledgerId: '2d342330e766b2bee6d8c147393aa697fc0f8c2d88e65260af9aee0be1bfb205',
    home: { shard: 11n, realm: 12n },
    movedResults: { levels: [], refused: ['has no transaction'] },
  },
] as const;
const OTHER_ID = 'ab'.repeat(32);
const PARTS = blockParts();
const random = seededRandom(seedOf('proven blocks'));

interface Given {
  readonly pin?: string | null;
  readonly allowsGeneration1?: boolean;
  readonly leastGeneration?: 1 | 2;
  readonly verify?: VerifyMode;
  readonly numbers?: readonly number[];
  readonly change?: (bytes: Uint8Array, number: number) => void;
  readonly ledger?: MemoryLedger;
}

async function imported({ home, set }: (typeof SETS)[number], given: Given = {}) {
  const { allowsGeneration1 = false, change, leastGeneration = 1, ledger = memoryLedger() } = given;
  const { numbers = [0, 1, 2], pin = null, verify = 'signatures' } = given;
  const parts = { ...PARTS, known: { form: null } };
  const units = numbers.map((number) => {
    const name = `${set}/${number}.blk.gz`;
    const bytes = Uint8Array.from(sharedBlock(name));
    change?.(bytes, number);
    return blockOf(bytes, name, parts);
  });
  const proofs: ProofOptions = { ledgerId: pin, leastGeneration, allowsGeneration1, every: 1 };
  const logged: string[] = [];
  const log = { info() {}, warn: (_: unknown, text: string) => void logged.push(text) };
  const report = await ledger.import(listing(units), { ...home, verify, proofs }, log);
  const shown = ledger.units.map(({ header }) => [header.verification, header.proof]);
  return { ledger, logged, report, shown, refused: report.refused.map(({ code }) => code) };
}

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

describeShared.each(SETS)('the real blocks $set', (network) => {
  const { ledgerId: pin, movedResults, set } = network;

  test('are chain while nobody pins the ledger id, whose publication is kept', async () => {
    const { ledger, logged, report, shown } = await imported(network, { allowsGeneration1: true });
    expect([report.lackingLedgerId, logged]).toEqual([
      3,
      [expect.stringContaining('MIRROR_LEDGER_ID is not set')],
    ]);
    expect(shown).toEqual(times(3, ['chain', 'generation 1, ledger id not pinned (MIRROR_LEDGER_ID)']));
    const known = await ledger.repository.knownTrust();
    expect(known).toMatchObject({ generation: 1, keys: [], publications: [{ isSigned: false }] });
    expect(Buffer.from(known.publications[0]!.ledgerId).toString('hex')).toBe(pin);
    expect(Buffer.from(known.stateLedgerId!).toString('hex')).toBe(pin);
  });

  test('are proven by signatures with the pinned id and generation 1 allowed, in mode strict too', async () => {
    for (const verify of ['signatures', 'strict'] as const) {
      const { ledger, shown } = await imported(network, { pin, allowsGeneration1: true, verify });
      expect(shown).toEqual(times(3, ['signatures', 'generation 1']));
      const known = await ledger.repository.knownTrust();
      expect(known).toMatchObject({ generation: 1, publications: [{ isSigned: true }] });
      expect(known.keys.map(({ length }) => length)).toEqual([1096]);
    }
  });

  test('are chain with the pinned id alone', async () => {
    const { logged, report, shown } = await imported(network, { pin });
    expect([report.lackingLedgerId, logged]).toEqual([0, []]);
    expect(shown).toEqual(times(3, ['chain', 'generation 1, not allowed (MIRROR_PROOF_GENERATION=1)']));
  });

  test('are signatures from the block on that is imported after the id was pinned', async () => {
    const { ledger } = await imported(network, { numbers: [0] });
    const { shown } = await imported(network, { ledger, numbers: [1, 2], pin, allowsGeneration1: true });
    expect(shown.map(([level]) => level)).toEqual(['chain', 'signatures', 'signatures']);
  });

  test('are refused with the pinned id of another ledger', async () => {
    const { refused, shown } = await imported(network, { pin: OTHER_ID, allowsGeneration1: true });
    expect([shown, refused]).toEqual([[], ['ledger_id_conflict']]);
    const { ledger } = await imported(network, { numbers: [0] });
    const later = await imported(network, { ledger, numbers: [1], pin: OTHER_ID });
    expect([later.shown.length, later.refused]).toEqual([1, ['ledger_id_conflict']]);
  });

  test.each([
    [{}, 'missing_ledger_id'],
    [{ pin, allowsGeneration1: false }, 'unsupported_proof'],
    [{ pin, numbers: [1], allowsGeneration1: true }, 'missing_ledger_id'],
  ] as const)('are refused in mode strict when less is known: %j', async (given, code) => {
    const { refused, shown } = await imported(network, { ...given, verify: 'strict' });
    expect([shown, refused]).toEqual([[], [code]]);
  });

  test('are refused where generation 2 is the least', async () => {
    const { refused, shown } = await imported(network, { pin, leastGeneration: 2 });
    expect([shown, refused]).toEqual([[], ['bad_block_proof']]);
  });

  test('are chain after a start in the middle, where the roster is not known', async () => {
    const { logged, shown } = await imported(network, { numbers: [1, 2], pin, allowsGeneration1: true });
    expect(shown).toEqual(times(2, ['chain', expect.stringContaining('roster')]));
    expect(logged).toEqual([expect.stringMatching(/the proof of .*1.blk.* cannot be checked .* roster/)]);
  });

  test('are refused with a false proof, pinned or not; what came before it stays', async () => {
    for (const options of [{}, { pin, allowsGeneration1: true }]) {
      for (let round = 0; round < 3; round++) {
        const { ledger, refused } = await imported(network, { ...options, change: flipOfProof(set, 1) });
        expect([ledger.units.length, refused]).toEqual([1, ['bad_block_proof']]);
      }
    }
  });

  test('are chain or refused with results before their transactions, which leaves root and proof as they were', async () => {
    const change: NonNullable<Given['change']> = (bytes, at) => {
      if (at !== 2) return;
      const before = blockRoots(parseBlock(bytes, set));
      bytes.set(resultsFirst(bytes));
      expect(blockRoots(parseBlock(bytes, set))).toEqual(before);
    };
    const { ledger, report } = await imported(network, { pin, allowsGeneration1: true, change });
    expect([
      ledger.units.map(({ header }) => header.verification),
      report.refused.map(({ message }) => message.replace(/^.* has /, 'has ')),
    ]).toEqual([['signatures', 'signatures', ...movedResults.levels], movedResults.refused]);
  });

  test('prove nothing in mode chain, with a false proof as with a true one', async () => {
    const { shown } = await imported(network, { pin, verify: 'chain', change: flipOfProof(set, 1) });
    expect(shown).toEqual(times(3, ['chain', null]));
  });
});

/** Moves results before their transactions, from the first state signature on: it gets the next one's. */
function resultsFirst(block: Uint8Array): Uint8Array {
  const leaves = [...walkFields(block)].map(({ bytes }) => bytes);
  const field = (index: number): number => (leaves[index]?.[0] ?? 0) >> 3;
  let begun = false;
  for (let at = 0; at < leaves.length; at++) {
    if (field(at) !== ITEM.signedTransaction) continue;
    if (field(at + 1) !== ITEM.transactionResult) begun = true;
    else if (begun) leaves.splice(at, 2, ...leaves.slice(at, at + 2).reverse());
  }
  return Buffer.concat(leaves.map((leaf) => lengthField(1, leaf)));
}

/** Changes a bit of the key, the threshold signature or the address book's proof in one block. */
function flipOfProof(set: string, number: number): NonNullable<Given['change']> {
  return (bytes, at) => {
    if (at !== number) return;
    const [proof] = parseBlock(bytes, set).proofs;
    const start = Buffer.from(bytes).lastIndexOf(Buffer.from(proof!));
    // The signature, 2,920 bytes, is the last member.
    const place = start + proof!.length - 1 - random.below(2920);
    bytes[place] = bytes[place]! ^ (1 << random.below(8));
  };
}
