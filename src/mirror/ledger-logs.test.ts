import { expect, test } from 'vitest';
import {
  contractBlocks,
  LAST_TICK,
  randomContractLedger,
  START,
  TICK,
} from '../../test/kit/mirror/contracts/random-contract-ledger.ts';
import { listNames } from '../../test/kit/mirror/list-names.ts';
import * as fc from '../../test/support/properties.ts';
import { openMemoryStore } from '../../test/support/test-store.ts';
import { ManualClock } from '../values/clock.ts';
import { printTimestamp } from '../values/consensus-timestamp.ts';
import { type Hex, toHex } from '../values/hex.ts';
import { logList } from './contracts/logs/log-lists.ts';
import { createContracts, createLogSource } from './create-contracts.ts';
import { wordOfHex } from './evm/quantities.ts';
import { listReader } from './lists/list.ts';
import type { MirrorStore } from './mirror-store.ts';

interface ListedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly block_number: number;
  readonly index: number;
  readonly timestamp: string;
  readonly transaction_hash: Hex;
}

const GAS_PRICE = 71n;
const never = new AbortController().signal;

/** @see contracts/verification-api.md section 7.4 */
test('logs of a ledger are those of its list, by block, contract and topic, with time and gas', async () => {
  await fc.assert(
    fc.asyncProperty(randomContractLedger.map(contractBlocks), fc.nat(), async (blocks, drawn) => {
      const { close, mirror } = await openMemoryStore({ dialect: 'spec' });
      try {
        for (const { unit } of blocks) await mirror.ledger.commitUnit(unit);
        const context = contractsOf(mirror);
        const ledgerLogs = createLogSource(context);
        const { json } = await listReader(logList, context)(
          {},
          '/api/v1/contracts/results/logs?order=asc&limit=1000',
        );
        const listed = (JSON.parse(json) as { readonly logs: readonly ListedLog[] }).logs;
        const chosen = listed[drawn % Math.max(listed.length, 1)];
        // Lists leave out topics that are not known, so that the first one shown may be another.
        const firstTopics = new Map(
          blocks.flatMap(({ unit }) =>
            unit.contractLogs.map((log) => [
              `${printTimestamp(log.consensusTimestamp)} ${log.index}`,
              log.topics[0] ? wordOfHex(toHex(log.topics[0])) : null,
            ]),
          ),
        );
        const topic = (chosen && firstTopics.get(placeOf(chosen))) ?? null;
        const block = chosen?.block_number ?? 0;
        const wanted = [
          [{}, () => true],
          [{ fromBlock: BigInt(block) }, (log: ListedLog) => log.block_number >= block],
          [{ toBlock: BigInt(block) }, (log: ListedLog) => log.block_number <= block],
          [{ address: chosen?.address ?? null }, (log: ListedLog) => log.address === chosen?.address],
          [
            { address: chosen?.address ?? null, fromBlock: BigInt(block), toBlock: BigInt(block) },
            (log: ListedLog) => log.address === chosen?.address && log.block_number === block,
          ],
        ] as const;
        for (const [change, isWanted] of wanted) {
          const query = { ...EVERYTHING, ...change };
          const expected = listed
            .filter(isWanted)
            .sort((one, other) => one.block_number - other.block_number || one.index - other.index)
            .map(listedFacts);
          expect((await ledgerLogs.find(query, never)).map(factsOf)).toEqual(expected);
          const limit = 1 + (drawn % 5);
          const first = await ledgerLogs.find({ ...query, limit }, never);
          expect(first.map(factsOf)).toEqual(expected.slice(0, limit));
        }
        if (topic !== null) {
          const ofTopic = await ledgerLogs.find({ ...EVERYTHING, topics: [topic, null, null, null] }, never);
          const expected = listed.filter((log) => firstTopics.get(placeOf(log)) === topic);
          expect(ofTopic.map(factsOf).sort()).toEqual(expected.map(listedFacts).sort());
        }
        const described = await ledgerLogs.describe(await ledgerLogs.find(EVERYTHING, never), never);
        for (const log of described) {
          expect(log.gasPrice).toBe(GAS_PRICE * 10n ** 10n);
          const seconds = listed
            .filter((each) => BigInt(each.block_number) === log.blockNumber)
            .map((each) => each.timestamp.split('.')[0]);
          expect(seconds).toContain(String(log.timeStamp));
        }
      } finally {
        await close();
      }
    }),
    { numRuns: 15 },
  );
});

const placeOf = ({ index, timestamp }: ListedLog): string => `${timestamp} ${index}`;

const EVERYTHING = {
  address: null,
  fromBlock: 0n,
  toBlock: null,
  topics: [null, null, null, null],
  limit: 1000,
} as const;

function contractsOf(store: MirrorStore) {
  return createContracts({
    store,
    clock: new ManualClock(Number((START + LAST_TICK * TICK) / 1_000_000n)),
    shared: {
      names: listNames(store),
      page: { dialect: 'spec', defaultLimit: 1000, maxLimit: 1000, linkBase: '' },
      maxRepeated: 100,
    },
    gasPriceAt: async () => GAS_PRICE,
    maxRangeNanos: null,
    chainId: 296n,
    showsSynthetic: true,
    decode: async (requests) => requests.map(() => null),
  });
}

type Found = Awaited<ReturnType<ReturnType<typeof createLogSource>['find']>>[number];

const factsOf = ({ address, blockNumber, data, logIndex, topics, transactionHash }: Found) =>
  [address, blockNumber, logIndex, transactionHash ?? '0x', data, ...topics].join(' ');
const listedFacts = (log: ListedLog) =>
  [log.address, log.block_number, log.index, log.transaction_hash, log.data, ...log.topics].join(' ');
