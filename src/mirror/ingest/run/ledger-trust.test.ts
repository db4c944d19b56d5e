import { describe, expect, test } from 'vitest';
import { asStreamUnit, madeUpUnits, pagedSource } from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { bareHex } from '../../../values/hex.ts';
import type { LedgerTrust, ProofOptions } from '../units/ledger-trust.ts';
import type { StreamUnit, VerifyMode } from '../units/stream-unit.ts';
import { createImporter } from './importer.ts';

const [ID, OTHER] = [1, 2].map((fill) => new Uint8Array(32).fill(fill)) as [Uint8Array, Uint8Array];
const KEY = new Uint8Array(192).fill(3);
const THRESHOLD_KEY = new Uint8Array(1096).fill(4);

/** Published by the units at these places. */
type Published = Readonly<Record<number, Uint8Array>>;

function publication(ledgerId: Uint8Array | undefined) {
  if (ledgerId === undefined) return { cryptoTransfer: {} };
  const nodeContributions = [{ nodeId: 5n, weight: 7n, historyProofKey: KEY }];
  return {
    ledgerIdPublication: { ledgerId, historyProofVerificationKey: Uint8Array.of(9), nodeContributions },
  };
}

const pinned = (id: Uint8Array): ProofOptions => ({
  ledgerId: bareHex(id),
  leastGeneration: 1,
  allowsGeneration1: false,
  every: 1,
});

/** Imports units and tells with what trust each was asked to verify itself. */
async function imported(
  published: Published,
  given: {
    readonly verify?: VerifyMode;
    readonly proofs?: ProofOptions;
    readonly sharesCommits?: boolean;
    /** The native block whose proof was accepted, by generation 2; the others are native too. */
    readonly proven?: number;
  } = {},
) {
  const trusts: LedgerTrust[] = [];
  const warnings: string[] = [];
  const ledger = memoryLedger();
  const units = madeUpUnits(4, (index) => publication(published[index])).map(asStreamUnit);
  const watched = units.map((unit, index): StreamUnit => {
    return {
      ...unit,
      async verify(demands) {
        if (demands.trust !== undefined) trusts.push(demands.trust);
        const verified = await unit.verify(demands);
        if (given.proven === undefined) return verified;
        const native = { ...verified, header: { ...verified.header, isNative: true } };
        if (index !== given.proven) return native;
        const proof = { generation: 2 as const, keys: [THRESHOLD_KEY], stateLedgerId: null };
        return { ...native, proof, header: { ...native.header, proof: 'generation 2' } };
      },
    };
  });
  const importer = createImporter({
    repository: ledger.repository,
    source: pagedSource(watched, 4, []),
    log: { info: () => {}, warn: (_fields, message) => warnings.push(message) },
    options: {
      verify: given.verify ?? 'signatures',
      sharesCommits: given.sharesCommits ?? true,
      ...(given.proofs === undefined ? {} : { proofs: given.proofs }),
    },
  });
  const report = await importer.run();
  return { importer, ledger, report, trusts, warnings };
}

describe('what proofs of blocks are checked with', () => {
  test.each([true, false])(
    'is known from the unit after its publication on, commits shared: %s',
    async (sharesCommits) => {
      const { trusts } = await imported({ 1: ID }, { sharesCommits });
      expect(trusts.map(({ isPinned, ledgerId }) => [ledgerId?.[0] ?? null, isPinned])).toEqual([
        [null, false],
        [null, false],
        [1, true],
        [1, true],
      ]);
      expect(trusts[2]).toMatchObject({
        wrapsKey: Uint8Array.of(9),
        roster: [{ nodeId: 5n, weight: 7n, key: KEY }],
      });
    },
  );

  test('is not pinned by a unit that no signature proved', async () => {
    const { trusts } = await imported({ 1: ID }, { verify: 'chain' });
    expect(trusts[3]).toMatchObject({ ledgerId: ID, isPinned: false });
  });

  test('is what the operator pins, from the first unit on', async () => {
    const { trusts } = await imported({ 1: ID }, { proofs: pinned(ID) });
    expect(
      trusts.map(({ isPinned, ledgerId, roster }) => [ledgerId?.[0], isPinned, roster?.length ?? 0]),
    ).toEqual([
      [1, true, 0],
      [1, true, 0],
      [1, true, 1],
      [1, true, 1],
    ]);
  });

  test('goes on with keys and generation of an accepted proof', async () => {
    const { importer, trusts } = await imported({}, { proven: 1 });
    expect(trusts.map(({ knownKeys, leastGeneration }) => [knownKeys.length, leastGeneration])).toEqual([
      [0, 1],
      [0, 1],
      [1, 2],
      [1, 2],
    ]);
    expect(importer.state().proof).toBeNull();
  });

  test('shows in the state of the source', async () => {
    const { importer } = await imported({}, { proven: 3 });
    expect(importer.state().proof).toBe('generation 2');
  });
});

describe('a later publication with another id', () => {
  test('is stored and raises an alarm, and the first id goes on to hold', async () => {
    const { importer, ledger, report, trusts, warnings } = await imported({ 0: ID, 2: OTHER });
    expect(report).toMatchObject({ units: 4, refused: [] });
    expect(trusts[3]).toMatchObject({ ledgerId: ID, isPinned: true });
    expect(warnings).toEqual([
      `integrity alarm: 2.madeup names the ledger id ${bareHex(OTHER)}, but this ledger is ${bareHex(ID)}`,
    ]);
    expect(importer.state().rejections).toEqual([{ node: '', code: 'ledger_id_conflict', count: 1 }]);
    expect((await ledger.repository.knownTrust()).publications).toHaveLength(2);
  });

  test('refuses the unit when the operator pinned an id that the ledger never had', async () => {
    const { ledger, report } = await imported({ 2: OTHER }, { proofs: pinned(ID) });
    expect(report.refused).toMatchObject([{ name: '2.madeup', code: 'ledger_id_conflict' }]);
    expect(ledger.units).toHaveLength(2);
  });
});
