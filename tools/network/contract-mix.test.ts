import { beforeAll, describe, expect, test } from 'vitest';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../test/kit/mirror/ingest/memory-ledger.ts';

describe('a ledger of contract calls', () => {
  let units: readonly LedgerUnit[];
  const rowsOf = <Row>(of: (unit: LedgerUnit) => readonly Row[]) => units.flatMap(of);

  beforeAll(async () => {
    const { tree } = await writtenStream({
      ...{ mix: 'contracts', files: 21, transactionsPerFile: 100, nodes: 1, copies: 1, accounts: 200 },
    });
    const ledger = memoryLedger();
    const report = await ledger.import(createDirectorySource('/stream', tree));
    expect(report).toMatchObject({ units: 21, refused: [], verification: 'signatures' });
    units = ledger.units.slice(1);
  });

  test('has seven calls of ten transactions that users send, and transfers of hbar and tokens', () => {
    const sent = rowsOf((unit) => unit.transactions).filter(({ node }) => node !== null);
    const share = (count: number) => count / sent.length;
    expect(share(sent.filter(({ type }) => type === 7 || type === 50).length)).toBeCloseTo(0.7, 1);
    const transfers = sent.filter(({ type }) => type === 14);
    expect(share(transfers.length)).toBeCloseTo(0.3, 1);
    expect(share(transfers.filter(({ tokenTransfers }) => tokenTransfers.length > 0).length)).toBeCloseTo(
      0.1,
      1,
    );
  });

  test('has three logs of each call that did not fail, of many contracts', () => {
    const succeeded = rowsOf((unit) => unit.contractResults).filter(
      ({ result }) => result === RESULT.SUCCESS,
    );
    const logs = rowsOf((unit) => unit.contractLogs).filter(({ isSynthetic }) => !isSynthetic);
    expect(logs).toHaveLength(3 * succeeded.length);
    expect(new Set(logs.map(({ contract }) => contract)).size).toBeGreaterThan(100);
    for (const { contract, rootContract } of logs) expect(rootContract).toBe(contract);
  });

  test('tells storage and traces of every call that ran', () => {
    const traced = rowsOf((unit) => unit.contractResults).filter(({ gasConsumed }) => gasConsumed !== null);
    expect(traced.length).toBeGreaterThan(500);
    const changed = new Set(rowsOf((unit) => unit.contractStateChanges).map((row) => row.consensusTimestamp));
    expect(changed.size).toBe(traced.length);
  });
});
