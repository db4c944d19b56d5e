import { describe, expect, test } from 'vitest';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { IngestError } from '../errors.ts';
import type { ProvenLevel } from '../units/stream-unit.ts';
import { proveWaiting, unprovenCount, type WaitingUnit } from './late-proofs.ts';

const BEGIN = 1_700_000_000_000_000_000n;
const HELD = { level: 'signatures', note: 'generation 2' } as const;

const hashOf = (number: number) => new Uint8Array(48).fill(number);

/** Block `number` of a chain, which follows block `previous`. */
function aBlock(number: number, generation: 2 | null, previous = number - 1): LedgerUnit {
  const unit = fixtureUnit(`${number}.blk`, { transactions: [aTransaction(BEGIN + BigInt(number))] });
  return {
    ...unit,
    header: {
      ...unit.header,
      kind: 'block',
      isNative: true,
      hash: hashOf(number),
      previousHash: hashOf(previous),
      verification: generation === null ? 'chain' : 'signatures',
      proof: generation === null ? 'not checked' : 'generation 2',
    },
    proofs: [{ generation, keys: [], stateLedgerId: null }],
  };
}

/** Notes whose proofs were checked; those in `wrong` are false, those in `mute` cannot be checked. */
function aChain(wrong: readonly number[] = [], mute: readonly number[] = []) {
  const checked: number[] = [];
  const proven = (number: number): WaitingUnit => ({
    name: `${number}.blk`,
    unit: aBlock(number, 2),
    proveLater: null,
  });
  const unproven = (number: number, previous = number - 1): WaitingUnit => ({
    name: `${number}.blk`,
    unit: aBlock(number, null, previous),
    async proveLater(): Promise<ProvenLevel> {
      checked.push(number);
      if (wrong.includes(number)) throw new IngestError('bad_block_proof', `${number} is false`);
      const generation = mute.includes(number) ? null : 2;
      const proof = { generation, keys: [hashOf(number)], stateLedgerId: null } as const;
      return generation === null ? { level: 'chain', note: 'a mock', proof } : { ...HELD, proof };
    },
  });
  return { checked, proven, unproven };
}

async function told(waiting: readonly WaitingUnit[]) {
  const { refused, units } = await proveWaiting(waiting);
  return {
    refused: refused?.name ?? null,
    levels: units.map(({ unit }) => `${unit.header.verification}: ${unit.header.proof}`),
    open: unprovenCount(units),
  };
}

const BY = (number: number) => `signatures: generation 2, by the proof of ${number}.blk`;
const OWN = 'signatures: generation 2';

describe('proveWaiting', () => {
  test('one proof binds the units before it', async () => {
    const { checked, proven, unproven } = aChain();
    const waiting = [proven(1), unproven(2), unproven(3), unproven(4)];
    expect(unprovenCount(waiting)).toBe(3);
    expect(await told(waiting)).toEqual({ refused: null, levels: [OWN, BY(4), BY(4), OWN], open: 0 });
    expect(checked).toEqual([4]);
    expect((await proveWaiting(waiting)).units.at(-1)?.unit.proofs[0]?.keys).toEqual([hashOf(4)]);
  });

  test('a unit that was proven at once binds those before it as well', async () => {
    const { checked, proven, unproven } = aChain();
    const waiting = [unproven(1), unproven(2), proven(3), unproven(4), proven(5)];
    expect(unprovenCount(waiting)).toBe(0);
    expect(await told(waiting)).toEqual({ refused: null, levels: [BY(3), BY(3), OWN, BY(5), OWN], open: 0 });
    expect(checked).toEqual([]);
  });

  test('nothing is bound over a gap', async () => {
    const { checked, unproven } = aChain();
    const waiting = [unproven(1), unproven(2), unproven(7, 6), unproven(8)];
    expect(await told(waiting)).toEqual({ refused: null, levels: [BY(2), OWN, BY(8), OWN], open: 0 });
    expect(checked).toEqual([8, 2]);
  });

  test('nothing is bound by what cannot be checked', async () => {
    const { checked, unproven } = aChain([], [3]);
    const waiting = [unproven(1), unproven(2), unproven(3)];
    expect(await told(waiting)).toEqual({ refused: null, levels: [BY(2), OWN, 'chain: a mock'], open: 0 });
    expect(checked).toEqual([3, 2]);
  });

  test('a false proof drops its unit and those after it; those before it are proven by their own', async () => {
    const { checked, unproven } = aChain([4, 5]);
    const waiting = [1, 2, 3, 4, 5].map((number) => unproven(number));
    expect(await told(waiting)).toEqual({ refused: '4.blk', levels: [BY(3), BY(3), OWN], open: 0 });
    expect(checked).toEqual([5, 4, 3]);
    const all = aChain([1, 2, 3]);
    expect(await told([1, 2, 3].map((number) => all.unproven(number)))).toEqual({
      refused: '1.blk',
      levels: [],
      open: 0,
    });
  });
});
