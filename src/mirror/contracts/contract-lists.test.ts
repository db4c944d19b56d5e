import { expect, test } from 'vitest';
import {
  anyLogQuery,
  logFacts,
  naiveLogs,
  printLogQuery,
} from '../../../test/kit/mirror/contracts/naive-logs.ts';
import {
  anyResultQuery,
  naiveResults,
  printResultQuery,
  resultFacts,
} from '../../../test/kit/mirror/contracts/naive-results.ts';
import {
  type ContractBlock,
  contractBlocks,
  LAST_TICK,
  randomContractLedger,
  START,
  TICK,
} from '../../../test/kit/mirror/contracts/random-contract-ledger.ts';
import { aContractResult } from '../../../test/kit/mirror/ledger-rows.ts';
import { listNames } from '../../../test/kit/mirror/list-names.ts';
import * as fc from '../../../test/support/properties.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { ManualClock } from '../../values/clock.ts';
import { consensusTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { createContracts } from '../create-contracts.ts';
import type { Dialect } from '../dialect.ts';
import type { ContractLog } from '../ledger/facets/contract-logs.ts';
import type { ContractResult } from '../ledger/facets/contract-results.ts';
import { everyRow, fixtureTransaction, fixtureUnit } from '../ledger/fixture-unit.ts';
import type { LedgerUnit } from '../ledger/rows.ts';
import { listReader } from '../lists/list.ts';
import { oneReader } from '../lists/one.ts';
import type { MirrorStore } from '../mirror-store.ts';
import { contractLogList, logList } from './logs/log-lists.ts';
import { resultAtTime } from './results/find-result.ts';
import { contractResultList, resultList } from './results/result-lists.ts';

type Row = Readonly<Record<string, unknown>>;
type AnswerTo = (target: string) => Promise<{ readonly json: string; readonly next: string | null }>;

/** More than the windows and rows of any ledger. */
const MAX_PAGES = 200;
const PATH = /^\/api\/v1\/contracts\/(?:([^/]+)\/)?results(\/logs)?\?/;

test.each([
  ['spec', null],
  ['hiero', null],
  ['spec', 4n * TICK],
  ['hiero', 4n * TICK],
] as const)(
  'following next shows exactly the results and logs that a naive scan selects, in order, once (%s, time bound to %s ns)',
  async (dialect, maxRangeNanos) => {
    await fc.assert(
      fc.asyncProperty(
        randomContractLedger,
        fc.array(anyResultQuery, { minLength: 4, maxLength: 8 }),
        fc.array(anyLogQuery, { minLength: 4, maxLength: 8 }),
        async (drawn, resultQueries, logQueries) => {
          const blocks = contractBlocks(drawn);
          const { close, mirror } = await openMemoryStore({ dialect });
          try {
            for (const { unit } of blocks) expect(await mirror.ledger.commitUnit(unit)).toBe('stored');
            const answerTo = answersOf(mirror, dialect, maxRangeNanos);
            for (const query of resultQueries) {
              const target = printResultQuery(query, blocks);
              const shown = await walk(target, answerTo);
              expect(
                shown.map((row) => resultFacts(row, query)),
                target,
              ).toEqual(naiveResults(blocks, query));
            }
            for (const query of logQueries) {
              const target = printLogQuery(query, blocks);
              const shown = await walk(target, answerTo);
              expect(shown.map(logFacts), target).toEqual(naiveLogs(blocks, query));
            }
          } finally {
            await close();
          }
        },
      ),
      { numRuns: 30 },
    );
  },
);

/** Hex of two fits into a page, of three it does not. */
const LONG_BYTES = 200_000;
const LENGTHS = [LONG_BYTES, 1, 0, LONG_BYTES, LONG_BYTES, 3 * LONG_BYTES, 1, LONG_BYTES];
/** Which of them are on a page, in ascending order. */
const PAGES = [[0, 1, 2, 3], [4], [5], [6, 7]];

test.each(['spec', 'hiero'] as const)(
  'pages of long results and logs are shorter, and followed they show all (%s)',
  async (dialect) => {
    const { close, mirror } = await openMemoryStore({ dialect });
    try {
      await mirror.ledger.commitUnit(fixtureUnit('long', longRows()));
      const answerTo = answersOf(mirror, dialect, null);
      for (const order of ['asc', 'desc']) {
        for (const list of ['results', 'results/logs', '0.0.2001/results', '0.0.2001/results/logs']) {
          const pages: number[][] = [];
          let next: string | null = `/api/v1/contracts/${list}?order=${order}&limit=100`;
          while (next !== null && pages.length < MAX_PAGES) {
            const answer = await answerTo(next);
            const { logs, results } = JSON.parse(answer.json) as Record<string, { timestamp: string }[]>;
            pages.push((results ?? logs ?? []).map(({ timestamp }) => Number(timestamp.split('.')[1]) - 1));
            ({ next } = answer);
          }
          const places = LENGTHS.map((_, place) => place);
          expect(pages.flat()).toEqual(order === 'asc' ? places : places.toReversed());
          if (order === 'asc') expect(pages).toEqual(PAGES);
          else expect(pages.length).toBeGreaterThan(2);
        }
      }
    } finally {
      await close();
    }
  },
);

const MANY_LOGS = 2500;

test('a result shows all of its logs, however many', async () => {
  const { close, mirror } = await openMemoryStore();
  try {
    const result = aContractResult(START + 1n);
    const { consensusTimestamp, payer } = result;
    const contractLogs = Array.from({ length: MANY_LOGS }, (_, index) => logOf(result, index, 0));
    const transactions = [fixtureTransaction({ consensusTimestamp, payer })];
    await mirror.ledger.commitUnit(
      fixtureUnit('many', everyRow({ transactions, contractResults: [result], contractLogs })),
    );
    const read = oneReader(resultAtTime, contractsOf(mirror, 'spec', null));
    const timestamp = printTimestamp(consensusTimestamp);
    const { json } = await read({ contractIdOrAddress: '0.0.2001', timestamp }, '/');
    const { logs, state_changes } = JSON.parse(json) as { logs: Row[]; state_changes: Row[] };
    expect(logs.map(({ index }) => index)).toEqual(contractLogs.map(({ index }) => index));
    expect(state_changes).toEqual([]);
  } finally {
    await close();
  }
});

function logOf(
  { consensusTimestamp, contract, hash, payer }: ContractResult,
  index: number,
  length: number,
): ContractLog {
  return {
    consensusTimestamp,
    index,
    contract,
    rootContract: contract,
    payer,
    transactionIndex: 0,
    hash,
    bloom: null,
    data: new Uint8Array(length).fill(1),
    topics: [],
    isSynthetic: false,
  };
}

/** A call each nanosecond, with a log. */
function longRows() {
  const rows = LENGTHS.map((length, place) => {
    const result = aContractResult(START + BigInt(place + 1), { functionParameters: new Uint8Array(length) });
    const { consensusTimestamp, payer } = result;
    const log = logOf(result, place, length);
    return { result, log, transaction: fixtureTransaction({ consensusTimestamp, payer }) };
  });
  return everyRow({
    transactions: rows.map(({ transaction }) => transaction),
    contractResults: rows.map(({ result }) => result),
    contractLogs: rows.map(({ log }) => log),
  });
}

function contractsOf(store: MirrorStore, dialect: Dialect, maxRangeNanos: bigint | null) {
  const clock = new ManualClock(Number((START + LAST_TICK * TICK) / 1_000_000n));
  return createContracts({
    store,
    clock,
    shared: {
      names: listNames(store),
      page: { dialect, defaultLimit: 25, maxLimit: 100, linkBase: '' },
      maxRepeated: 100,
    },
    gasPriceAt: async () => null,
    maxRangeNanos,
    chainId: 296n,
    showsSynthetic: true,
    decode: async (requests) => requests.map(() => null),
  });
}

/** What the routes answer with, without a server. */
function answersOf(store: MirrorStore, dialect: Dialect, maxRangeNanos: bigint | null): AnswerTo {
  const context = contractsOf(store, dialect, maxRangeNanos);
  const [logs, results] = [listReader(logList, context), listReader(resultList, context)];
  const ofContract = {
    logs: listReader(contractLogList, context),
    results: listReader(contractResultList, context),
  };
  return (target) => {
    const [, contractIdOrAddress, isOfLogs] = PATH.exec(target) ?? [];
    const name = isOfLogs === undefined ? 'results' : 'logs';
    if (contractIdOrAddress !== undefined) return ofContract[name]({ contractIdOrAddress }, target);
    return name === 'logs' ? logs({}, target) : results({}, target);
  };
}

/** Then all conditions are searched together, however few rows there are. */
const FEW_ROWS = 1;

test('chunks of logs, few in each, show the same logs, also when some come in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomContractLedger.map(contractBlocks).filter((blocks) => blocks.length > 1),
      fc.nat(),
      fc.record({
        size: fc.integer({ min: 1, max: 6 }),
        fullSize: fc.integer({ min: 1, max: 20 }),
        fewestOfKey: fc.integer({ min: 1, max: 3 }),
      }),
      fc.array(anyLogQuery, { minLength: 6, maxLength: 8 }),
      async (blocks, drawn, scale, queries) => {
        const late = 1 + (drawn % (blocks.length - 1));
        const { close, mirror } = await openMemoryStore();
        const { contractLogs, ledger, logChunks } = mirror;
        const page: typeof contractLogs.page = (asked) => contractLogs.page({ ...asked, fewRows: FEW_ROWS });
        const answerTo = answersOf({ ...mirror, contractLogs: { ...contractLogs, page } }, 'spec', null);
        const compare = async (stored: readonly ContractBlock[]) => {
          for (const query of queries) {
            const target = printLogQuery(query, stored);
            const shown = await walk(target, answerTo);
            expect(shown.map(withoutBlock), target).toEqual(naiveLogs(stored, query).map(withoutBlock));
          }
        };
        try {
          const first = blocks.toSpliced(late, 1);
          for (const { unit } of first) await ledger.commitUnit(unit);
          await logChunks.build({ scale });
          await compare(first);
          await ledger.commitUnit(lateUnit(blocks[late]));
          await compare(blocks);
          await logChunks.build({ scale });
          await compare(blocks);
        } finally {
          await close();
        }
      },
    ),
    { numRuns: 12 },
  );
});

/** The rows of a block in a unit that ends behind all blocks, as a fixture may. */
function lateUnit(block: ContractBlock | undefined): LedgerUnit {
  const { contractLogs, contractResults, transactions } = block?.unit ?? everyRow({});
  const end = fixtureTransaction({
    consensusTimestamp: consensusTimestamp(START + LAST_TICK * TICK),
    payer: entityId(1001n),
  });
  return fixtureUnit('late', { contractLogs, contractResults, transactions: [...transactions, end] });
}

/** Units without a number are no block. */
function withoutBlock(row: Row): Row {
  return { ...logFacts(row), block_hash: null, block_number: null };
}

/** All rows that following `next` shows. */
async function walk(target: string, answerTo: AnswerTo): Promise<readonly Row[]> {
  const seen: Row[] = [];
  let next: string | null = target;
  for (let pages = 0; next !== null; pages++) {
    expect(pages, target).toBeLessThan(MAX_PAGES);
    const answer: Awaited<ReturnType<AnswerTo>> = await answerTo(next);
    const page = JSON.parse(answer.json) as Readonly<
      Record<'results' | 'logs', readonly Row[] | undefined>
    > & {
      readonly links: { readonly next: string | null };
    };
    seen.push(...(page.results ?? page.logs ?? []));
    expect(page.links.next).toBe(answer.next);
    expect(answer.next).not.toBe(next);
    next = answer.next;
  }
  return seen;
}
