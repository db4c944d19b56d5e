import { expect, test } from 'vitest';
import {
  blockOf,
  blockParts,
  listing,
  sharedBlock,
} from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import {
  type BlockSetFacts,
  blockSets,
  streamPath,
} from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { bareHex } from '../../../values/hex.ts';
import { resultName } from '../../vocabulary/response-codes.ts';
import { transactionTypeNumber } from '../../vocabulary/transaction-types.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { systemFileTree } from '../source/file-tree.ts';
import type { ImporterOptions } from './importer.ts';

const HOME = { 'blocks-0.78': { shard: 11n, realm: 12n } } as Readonly<Record<string, ImporterOptions>>;
const PARTS = blockParts();

/** All blocks of a set, those of one source. */
function unitsOf({ files }: BlockSetFacts) {
  const parts = { ...PARTS, known: { form: null } };
  return files.map(({ file }) => blockOf(sharedBlock(file), file, parts));
}

function counts(values: readonly string[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const value of values) found[value] = (found[value] ?? 0) + 1;
  return found;
}

describeShared('native blocks', () => {
  const SETS = blockSets().filter(({ set }) => set === 'blocks-0.78' || set === 'blocks-0.73');
  test.each(SETS)('$set is what the facts say, each proof checked', async (facts) => {
    const ledger = memoryLedger();
    const report = await ledger.import(listing(unitsOf(facts)), HOME[facts.set]);
    expect(report).toMatchObject({ units: facts.files.length, refused: [], verification: 'chain' });
    for (const [index, file] of facts.files.entries()) {
      const { header, transactions } = ledger.units[index] ?? expect.fail('no unit');
      expect(header).toMatchObject({
        kind: 'block',
        isNative: true,
        version: 7,
        hapiVersion: file.hapi_version,
        count: file.count,
      });
      expect(header.proof).toMatch(/generation 1, ledger id not pinned/);
      expect([header.hash, header.root].map((hash) => bareHex(hash ?? new Uint8Array()))).toEqual([
        file.root_hash,
        file.root_hash,
      ]);
      expect(bareHex(header.previousHash)).toBe(file.previous_root_hash);
      expect(
        [transactions.at(0), transactions.at(-1)].map((each) =>
          printTimestamp(each?.consensusTimestamp ?? 0n),
        ),
      ).toEqual([file.consensus_start, file.consensus_end]);
      const types = Object.entries(file.types).map(([name, count]) => [transactionTypeNumber(name), count]);
      expect(counts(transactions.map(({ type }) => String(type)))).toEqual(Object.fromEntries(types));
      expect(counts(transactions.map(({ result }) => resultName(result)))).toEqual(file.results);
    }
    const end = await ledger.repository.chainEnd();
    expect(end?.tree).toHaveLength(48);
  });

  test.each(SETS)('$set chains without proofs too, in either form of its roots', async (facts) => {
    const ledger = memoryLedger();
    const options = { ...HOME[facts.set], verify: 'chain' } as const;
    expect(await ledger.import(listing(unitsOf(facts)), options)).toMatchObject({ units: 3, refused: [] });
    expect(ledger.units.map(({ header }) => bareHex(header.hash))).toEqual(
      facts.files.map(({ root_hash }) => root_hash),
    );
    const later = memoryLedger();
    expect(await later.import(listing(unitsOf(facts).slice(1)), options)).toMatchObject({
      units: 2,
      refused: [],
    });
  });

  test.each(SETS)('a folder of $set is found stored when it is imported again', async ({ files, set }) => {
    const ledger = memoryLedger();
    const folder = createDirectorySource(streamPath(set), systemFileTree);
    const options = { ...HOME[set], verify: 'chain' } as const;
    expect(await ledger.import(folder, options)).toMatchObject({ units: files.length, refused: [] });
    expect(await ledger.import(folder, options)).toMatchObject({
      units: 0,
      skipped: files.length,
      refused: [],
    });
  });

  test('blocks-0.69-sim is refused at block 0, and does not link after it', async () => {
    const [facts] = blockSets().filter(({ set }) => set === 'blocks-0.69-sim');
    const whole = facts ?? expect.fail('no facts');
    const first = memoryLedger();
    const report = await first.import(listing(unitsOf(whole)), { verify: 'chain' });
    expect(report).toMatchObject({
      units: 0,
      refused: [{ code: 'chain_mismatch', message: expect.stringContaining('the first block') }],
    });
    const later = memoryLedger();
    const second = await later.import(listing(unitsOf(whole).slice(1)), { verify: 'chain' });
    expect(second).toMatchObject({
      units: 1,
      transactions: 0,
      refused: [{ code: 'chain_mismatch', message: expect.stringMatching(/Previous root.*0002\.blk/) }],
    });
    expect(later.state()).toMatchObject({ state: 'gap' });
    // Its proofs are of a form that nobody can check.
    expect(await memoryLedger().import(listing(unitsOf(whole).slice(1)))).toMatchObject({
      units: 1,
      verification: 'chain',
    });
    expect(await memoryLedger().import(listing(unitsOf(whole).slice(1)), { verify: 'strict' })).toMatchObject(
      { units: 0, refused: [{ code: 'unsupported_proof' }] },
    );
  });
});
