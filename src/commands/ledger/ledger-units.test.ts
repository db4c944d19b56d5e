import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { blockOf, listing, sharedBlock } from '../../../test/kit/mirror/ingest/listed-blocks.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { openMemoryStore, type Store } from '../../../test/support/test-store.ts';
import { readConfig } from '../../config.ts';
import { createImporter } from '../../mirror/ingest/run/importer.ts';
import { fixtureUnit } from '../../mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { listLedgerUnits } from './ledger.ts';

const SET = 'blocks-0.73';
const LEDGER_ID = 'febab1d43bdf8c3b545c0ea334d73330766d2d2446ce93cd98f07ef321215d0a';
let store: Store;
beforeEach(async () => {
  store = await openMemoryStore();
});
afterEach(() => store.close());

/** Imports real blocks, pinned or not. */
async function importBlocks(numbers: readonly number[], pin: string | null): Promise<void> {
  const units = numbers.map((number) => {
    const name = `${SET}/${number}.blk.gz`;
    return blockOf(sharedBlock(name), name);
  });
  await createImporter({
    repository: store.mirror.ledger,
    lookup: store.mirror.lookup,
    source: listing(units),
    options: { proofs: { ledgerId: pin, leastGeneration: 1, allowsGeneration1: true, every: 1 } },
  }).run();
}

async function printed(): Promise<string> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const opened = { mirror: store.mirror, config: readConfig({}) };
    expect(await listLedgerUnits(opened, [], {} as Parameters<typeof listLedgerUnits>[2])).toBe(0);
    return print.mock.calls.map(([line]) => String(line)).join('\n');
  } finally {
    print.mockRestore();
  }
}

describeShared('ledgerlens ledger units on real blocks', () => {
  test('tells why they are not proven further, and how to pin the ledger', async () => {
    await importBlocks([0, 1, 2], null);
    const text = await printed();
    expect(text).toMatch(/chain: generation 1, ledger id not pinned \(MIRROR_LEDGER_ID\) +block v7/);
    expect(text).toContain(`Ledger id published by the network: 0x${LEDGER_ID}.`);
    expect(text).toContain(`set MIRROR_LEDGER_ID=0x${LEDGER_ID}.`);
  });

  test('tells the generation of proofs that give signatures, apart from those before the id was pinned', async () => {
    await importBlocks([0], null);
    await importBlocks([1, 2], LEDGER_ID);
    const rows = (await printed()).split('\n').filter((line) => line.includes('block v7'));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('chain: generation 1, ledger id not pinned');
    expect(rows[1]).toContain('signatures: generation 1 ');
  });

  test('says no more than the id where signatures prove it', async () => {
    await importBlocks([0, 1, 2], LEDGER_ID);
    const text = await printed();
    expect(text).toContain(`Ledger id published by the network: 0x${LEDGER_ID}.`);
    expect(text).not.toContain('MIRROR_LEDGER_ID');
  });
});

test('ledgerlens ledger units names an id that contradicts the first one', async () => {
  for (const fill of [1, 2]) {
    const at = consensusTimestamp(BigInt(fill));
    const ledgerId = new Uint8Array(32).fill(fill);
    await store.mirror.ledger.commitUnit(
      fixtureUnit(`unit ${fill}`, {
        transactions: [aTransaction(at)],
        publications: [{ consensusTimestamp: at, ledgerId, body: ledgerId }],
      }),
    );
  }
  expect(await printed()).toContain(`ledger_id_conflict: also published as 0x${'02'.repeat(32)}.`);
});
