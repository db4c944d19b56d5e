import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { differences } from '../../../../test/conformance/report.ts';
import type { StreamCase } from '../../../../test/conformance/streams-suite.ts';
import {
  blockOf,
  blockParts,
  listing,
  sharedBlock,
} from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { nativeBlocks } from '../../../../test/kit/mirror/ingest/real-blocks.ts';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { sharedPath } from '../../../../test/shared-data.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { nativeParts } from '../../../../tools/network/native-parts.ts';
import { WrittenState } from '../../../../tools/network/written-state.ts';
import { parseExact } from '../../../commands/exact-json.ts';
import { decodeEntityId } from '../../../values/entity-id.ts';
import { type DecodedItem, decodeItem } from '../../items/decoded-item.ts';
import { messages } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { parseAddressBookFile } from '../decode/address-book.ts';
import { decodeUnit, type UnitRows } from '../decode/decode-unit.ts';
import { emptyLookup } from '../decode/known-entities.ts';
import { decompress, parseRecordFile } from '../record-file/parse-record-file.ts';
import { createImporter } from '../run/importer.ts';
import { blockRecords } from './block-records.ts';

const apps: MirrorApp[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const SUCCESS = 22;

describeShared('the genesis block of blocks-0.78', () => {
  const rows = async () => {
    const [first] = nativeBlocks('blocks-0.78');
    return decodeUnit(blockRecords(first?.block.items ?? []).items, 'genesis', emptyLookup);
  };
  const fileOf = ({ filePieces }: UnitRows, num: bigint): Uint8Array =>
    filePieces.find(({ file }) => decodeEntityId(file).num === num)?.contents ?? new Uint8Array();

  test('has the rates 12 and 15 cents in file 112', async () => {
    expect(messages.ExchangeRateSet.decodePlain(fileOf(await rows(), 112n))).toEqual({
      currentRate: { hbarEquiv: 1, centEquiv: 12, expirationTime: { seconds: 4_102_444_800n } },
      nextRate: { hbarEquiv: 1, centEquiv: 15, expirationTime: { seconds: 4_102_444_800n } },
    });
  });

  test('has 76 entries in the fee schedule of file 111, with its two ends', async () => {
    const { currentFeeSchedule, nextFeeSchedule } = messages.CurrentAndNextFeeSchedule.decodePlain(
      fileOf(await rows(), 111n),
    ) as unknown as Record<
      string,
      { readonly transactionFeeSchedule: readonly unknown[]; readonly expiryTime: unknown }
    >;
    expect(currentFeeSchedule?.transactionFeeSchedule).toHaveLength(76);
    expect([currentFeeSchedule?.expiryTime, nextFeeSchedule?.expiryTime]).toEqual([
      { seconds: 1_630_800_000n },
      { seconds: 1_633_392_000n },
    ]);
  });

  test('has four nodes in files 101 and 102, with keys in 102 alone', async () => {
    const unit = await rows();
    const [details, book] = [102n, 101n].map((num) => parseAddressBookFile(fileOf(unit, num), `file ${num}`));
    expect([details?.length, book?.length]).toEqual([4, 4]);
    expect(details?.every(({ publicKey }) => (publicKey ?? '').length > 100)).toBe(true);
    expect(book?.some(({ publicKey }) => publicKey !== null)).toBe(false);
  });

  test('has the stakes of the first period', async () => {
    const { stakeUpdates } = await rows();
    expect(stakeUpdates).toHaveLength(1);
    expect(stakeUpdates[0]).toMatchObject({
      consensusTimestamp: 1_786_398_521_705_756_622n,
      stakingPeriodEnd: 1_786_319_999_999_999_999n,
      stakingPeriodsStored: 365n,
      maxStakeRewarded: 650_000_000_000_000_000n,
      nodes: [0n, 1n, 2n, 3n].map((nodeId) => ({ nodeId, stake: 0n, maxStake: 45_000_000_000_000_000n })),
    });
  });
});

describeShared('real ledgers', () => {
  test('blocks-0.78 answers its case, its balances add up to the supply', async () => {
    const mirror = await buildMirrorApp({ dialect: 'hiero' });
    apps.push(mirror);
    const each = parseExact(
      readFileSync(sharedPath('cases', 'streams', 'blocks-0.78.json'), 'utf8'),
    ) as unknown as StreamCase;
    const parts = blockParts();
    const units = each.ingest.map((path) => blockOf(sharedBlock(path), path, parts));
    const { ledger: repository, lookup } = mirror.store;
    const report = await createImporter({ repository, lookup, source: listing(units) }).run();
    expect(report).toMatchObject({ units: 3, refused: [] });
    const answer = await mirror.app.inject(each.request.replace(/^GET /, ''));
    const leniency = {
      numberOrText: new Set(each.compare.number_or_decimal_string),
      absentEqualsNull: new Set(each.compare.absent_equals_null),
      additionalMembers: true,
    };
    expect(differences(each.response, parseExact(answer.body), leniency)).toEqual([]);
    const supply = await mirror.app.inject('/api/v1/network/supply');
    expect(supply.json()).toMatchObject({ total_supply: '5000000000000000000' });
  });

  /** The sets of members that successful records of a type have, whatever their values are. */
  const shapes = (items: readonly DecodedItem[], of: number): readonly string[] => {
    const found = new Set<string>();
    for (const { item, result, type } of items) {
      if (result !== SUCCESS || type !== of) continue;
      const record = messages.TransactionRecord.decodePlain(item.record);
      const { exchangeRate: _, ...receipt } = record['receipt'] as Record<string, unknown>;
      const names = [...Object.keys(record), ...Object.keys(receipt).map((name) => `receipt.${name}`)];
      found.add(names.sort().join());
    }
    return [...found].sort();
  };

  test.each([
    TYPE.CRYPTOCREATEACCOUNT,
    TYPE.FILECREATE,
    TYPE.CONSENSUSCREATETOPIC,
    TYPE.CONSENSUSSUBMITMESSAGE,
    TYPE.CRYPTOTRANSFER,
    TYPE.NODECREATE,
    TYPE.NODESTAKEUPDATE,
    TYPE.LEDGERIDPUBLICATION,
  ])('records of type %i have the members that a network of the same release writes', async (type) => {
    const made = nativeBlocks('blocks-0.78').flatMap(({ block }) => blockRecords(block.items).items);
    const written: DecodedItem[] = [];
    for (const number of [0, 1, 2]) {
      const unit = blockOf(sharedBlock(`blocks-wrapped-solo/${number}.blk.gz`));
      const verified = await unit.verify({
        mode: 'none',
        consensusRatio: [1n, 3n],
        keys: null,
        previous: null,
      });
      if ('items' in verified) written.push(...verified.items.map(decodeItem));
    }
    const expected = shapes(written, type);
    expect(expected.length).toBeGreaterThan(0);
    expect(shapes(made.map(decodeItem), type)).toEqual(expected);
  });

  test('mainnet-v6 told as a native block has the same rows', async () => {
    const path = streamPath('mainnet-v6', '2025-07-23T20_37_42.076472454Z.rcd');
    const { items } = parseRecordFile(decompress(readFileSync(path), path), path);
    const told = blockRecords(nativeParts(items, new WrittenState()));
    const [expected, actual] = await Promise.all(
      [items, told.items].map((each) => decodeUnit(each, path, emptyLookup)),
    );
    // Bytes are buffers on one side, which is not what is compared.
    const plain = (value: unknown): unknown => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
      if (Array.isArray(value)) return value.map(plain);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
    };
    const comparable = ({ transactions, ...rows }: UnitRows) =>
      plain({
        transactions: transactions.map((each) => ({ ...each, recordBytes: null })),
        entities: rows.entities,
        entityChanges: rows.entityChanges,
        tokenRelations: rows.tokenRelations,
        contracts: rows.contracts,
        contractResults: rows.contractResults,
        ethereumTransactions: rows.ethereumTransactions,
        contractLogs: rows.contractLogs,
        gas: rows.gas,
      });
    expect(actual?.transactions).toHaveLength(47);
    expect(comparable(actual as UnitRows)).toEqual(comparable(expected as UnitRows));
  });
});
