import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type MemoryFileTree, writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import type { WrittenContract } from '../../../../tools/network/contract-events.ts';
import { bareHex } from '../../../values/hex.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { messages } from '../../protobuf/messages.ts';
import type { ImporterOptions } from '../run/importer.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { sidecarRecordsOf } from './verified-sidecars.ts';

const CODE = Uint8Array.of(0x60, 1);
const RUNTIME = Uint8Array.of(0x60, 2);
const made: WrittenContract = { by: 'contract', creationCode: CODE, runtimeCode: RUNTIME };

const sidecarsOf = (tree: MemoryFileTree) =>
  [...tree.files.keys()].filter((path) => path.includes('/sidecar/'));

async function importTree(tree: MemoryFileTree, options: ImporterOptions = {}) {
  const ledger = memoryLedger();
  const report = await ledger.import(createDirectorySource('/stream', tree), options);
  return { report, contracts: ledger.units.flatMap((unit) => unit.contracts), ledger };
}

describe('bytecodes of sidecars', () => {
  test('are imported with the unit that names the sidecar', async () => {
    const { tree } = await writtenStream({ contracts: [made], files: 1 });
    expect(sidecarsOf(tree)).toHaveLength(4);
    const { contracts } = await importTree(tree);
    expect(contracts.find(({ contract }) => contract === 4001n)).toMatchObject({
      runtimeCode: RUNTIME,
      creation: { creationCode: CODE },
    });
  });

  test.each(['signatures', 'chain'] as const)(
    'are refused at level %s when all copies are damaged',
    async (verify) => {
      const { tree } = await writtenStream({ contracts: [made], files: 1 });
      const [first = '', ...others] = sidecarsOf(tree);
      const forged = gzipSync(messages.SidecarFile.encode({ sidecarRecords: [] }));
      for (const path of [first, ...others]) tree.files.set(path, forged);
      const { report, contracts } = await importTree(tree, { verify });
      expect(report).toMatchObject({ units: 0, refused: [{ code: 'sidecar_hash_mismatch' }] });
      expect(contracts).toEqual([]);
    },
  );

  test('are taken from an intact copy', async () => {
    const { tree } = await writtenStream({ contracts: [made], files: 1 });
    for (const path of sidecarsOf(tree).slice(1)) tree.files.set(path, Uint8Array.of(0x1f, 0x8b, 0));
    const { report, contracts } = await importTree(tree);
    expect(report).toMatchObject({ units: 1, refused: [] });
    expect(contracts.find(({ contract }) => contract === 4001n)?.runtimeCode).toEqual(RUNTIME);
  });

  test('are left out, damaged, when nothing needs to be proven: the unit is taken without them', async () => {
    const { tree } = await writtenStream({ contracts: [made], files: 1 });
    const forged = messages.SidecarFile.encode({
      sidecarRecords: [
        {
          consensusTimestamp: { seconds: 1n },
          bytecode: { contractId: { contractNum: 4001n }, runtimeBytecode: Uint8Array.of(0x66) },
        },
      ],
    });
    for (const path of sidecarsOf(tree)) tree.files.set(path, gzipSync(forged));
    const { report, contracts } = await importTree(tree, { verify: 'none' });
    expect(report).toMatchObject({ units: 1, refused: [] });
    expect(contracts.find(({ contract }) => contract === 4001n)?.runtimeCode).toBeNull();
  });

  test('are not needed: a stream without its sidecars is imported', async () => {
    const { tree } = await writtenStream({ contracts: [made], files: 1 });
    for (const path of sidecarsOf(tree)) tree.files.delete(path);
    const { report, contracts } = await importTree(tree);
    expect(report).toMatchObject({ units: 1, refused: [] });
    expect(contracts.find(({ contract }) => contract === 4001n)?.runtimeCode).toBeNull();
  });

  test('without a time make the file malformed', () => {
    const bytes = messages.SidecarFile.encode({
      sidecarRecords: [{ bytecode: { contractId: { contractNum: 1n } } }],
    });
    expect(() => sidecarRecordsOf(bytes, 'a_01.rcd')).toThrow('Malformed file a_01.rcd');
    expect(() => sidecarRecordsOf(Uint8Array.of(0x0a, 9), 'a_01.rcd')).toThrow('Malformed file a_01.rcd');
  });
});

describeShared('real sidecars', () => {
  test.each([
    ['chain-v6-sidecar', 'signatures', 1003n, 196, 161],
    ['single-v6-raw', 'chain', 2027n, 92, 63],
  ] as const)('%s tells one contract', async (set, verify, num, creationLength, runtimeLength) => {
    const ledger = memoryLedger();
    await ledger.import(streamPath(set), { verify });
    const contracts = ledger.units.flatMap((unit) => unit.contracts);
    expect(contracts.map(({ contract }) => contract)).toEqual([num]);
    const [only] = contracts;
    expect(only?.creation?.creationCode).toHaveLength(creationLength);
    expect(only?.runtimeCode).toHaveLength(runtimeLength);
    // What a constructor returns is a part of what created it.
    expect(bareHex(only?.creation?.creationCode ?? CODE)).toContain(bareHex(only?.runtimeCode ?? RUNTIME));
  });

  test.each([
    ['mainnet-v6', 'signatures', 221, 214, 6],
    ['chain-v6-sidecar', 'signatures', 2, 0, 0],
    ['single-v6-raw', 'chain', 0, 0, 0],
  ] as const)(
    '%s tells the storage and the traces of calls',
    async (set, verify, changes, actions, traces) => {
      const ledger = memoryLedger();
      await ledger.import(streamPath(set), { verify });
      const rowsOf = <Row>(of: (unit: LedgerUnit) => readonly Row[]) => ledger.units.flatMap(of);
      expect(rowsOf((unit) => unit.contractStateChanges)).toHaveLength(changes);
      expect(rowsOf((unit) => unit.contractActions)).toHaveLength(actions);
      const results = rowsOf((unit) => unit.contractResults).filter(
        ({ gasConsumed }) => gasConsumed !== null,
      );
      expect(results).toHaveLength(traces);
      for (const { consensusTimestamp: at, gasConsumed, gasLimit } of results) {
        const top = rowsOf((unit) => unit.contractActions).find(
          (action) => action.consensusTimestamp === at && action.callDepth === 0,
        );
        // The network gave the call what was left after the charge for sending it.
        expect((gasConsumed ?? 0n) - (top?.gasUsed ?? 0n)).toBe(gasLimit - (top?.gas ?? 0n));
      }
    },
  );
});
