import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aContractResult } from '../../../test/kit/mirror/ledger-rows.ts';
import { openMemoryStore, type Store } from '../../../test/support/test-store.ts';
import { entityId } from '../../values/entity-id.ts';
import type { ContractResult } from '../ledger/facets/contract-results.ts';
import { fixtureTransaction, fixtureUnit } from '../ledger/fixture-unit.ts';
import { selectIntegers } from '../parameters/page-parameters.ts';

type ResultSelection = Parameters<Store['mirror']['contractResults']['page']>[0];

/** More than are collected of senders that have few. */
const COUNT = 13_000;
const BUSY = entityId(2001n);
const QUIET = entityId(2002n);
const SENDER = { most: 1001n, many: 1002n, few: 1003n, one: 1004n };

/** Senders and contracts in turns that never fall together alike. */
const results = Array.from({ length: COUNT }, (_, index): ContractResult => {
  const { few, many, most, one } = SENDER;
  const sender = index === 4321 ? one : index % 997 === 0 ? few : index % 2 === 0 ? many : most;
  return aContractResult(BigInt(index + 1) * 1000n, {
    nonce: index % 5 === 0 ? 1 : 0,
    contract: index % 7 === 0 ? QUIET : BUSY,
    sender: entityId(sender),
    transactionIndex: index % 3,
  });
});

const any = selectIntegers([]);
const SENDERS = {
  'one that has many': selectIntegers([{ operator: 'eq', value: SENDER.many }]),
  'one that has few': selectIntegers([{ operator: 'eq', value: SENDER.few }]),
  'one that has few and one that has many': selectIntegers([
    { operator: 'eq', value: SENDER.few },
    { operator: 'eq', value: SENDER.most },
  ]),
  'two of which one has one': selectIntegers([
    { operator: 'eq', value: SENDER.few },
    { operator: 'eq', value: SENDER.one },
  ]),
  'one that a bound leaves out': selectIntegers([
    { operator: 'eq', value: SENDER.few },
    { operator: 'gt', value: SENDER.few },
  ]),
  'two of which one is excluded': selectIntegers([
    { operator: 'eq', value: SENDER.few },
    { operator: 'eq', value: SENDER.most },
    { operator: 'ne', value: SENDER.most },
  ]),
  'a range of many': selectIntegers([{ operator: 'gte', value: SENDER.many }]),
  'a range of few': selectIntegers([{ operator: 'gt', value: SENDER.many }]),
  'a range of few, but one': selectIntegers([
    { operator: 'gt', value: SENDER.many },
    { operator: 'ne', value: SENDER.few },
  ]),
  'a range of none': selectIntegers([{ operator: 'gt', value: SENDER.one }]),
};
const TIMES = {
  'at any time': any,
  'in a part of the time': selectIntegers([
    { operator: 'gte', value: 900_000n },
    { operator: 'lt', value: 4_400_000n },
  ]),
};

let store: Store;
beforeAll(async () => {
  store = await openMemoryStore();
  await store.mirror.ledger.commitUnit(
    fixtureUnit('results', {
      transactions: results.map(({ consensusTimestamp, payer }) =>
        fixtureTransaction({ consensusTimestamp, payer }),
      ),
      contractResults: results,
    }),
  );
});
afterAll(() => store?.close());

describe.each(Object.keys(SENDERS) as (keyof typeof SENDERS)[])('results of %s', (senders) => {
  test.each(Object.keys(TIMES) as (keyof typeof TIMES)[])('%s are those of a naive scan', async (times) => {
    for (const contract of [null, BUSY, QUIET]) {
      for (const order of ['asc', 'desc'] as const) {
        for (const [isInternal, transactionIndexes] of [
          [true, null],
          [false, new Set([1n])],
        ] as const) {
          const selection: ResultSelection = {
            contract,
            times: TIMES[times],
            senders: SENDERS[senders],
            transactionIndexes,
            isInternal,
            withSynthetic: true,
            order,
            limit: 25,
          };
          const found = await store.mirror.contractResults.page(selection);
          expect(found.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual(naive(selection));
        }
      }
    }
  });
});

function naive(selection: ResultSelection): readonly bigint[] {
  const meets = (value: bigint, { equal, excluded, lower, upper }: typeof any) =>
    value >= lower && value <= upper && !excluded.has(value) && (equal === null || equal.has(value));
  const met = results.filter(
    ({ consensusTimestamp, contract, nonce, sender, transactionIndex }) =>
      (selection.contract === null || contract === selection.contract) &&
      meets(consensusTimestamp, selection.times) &&
      meets(sender ?? 0n, selection.senders ?? any) &&
      (selection.isInternal || nonce === 0) &&
      (selection.transactionIndexes?.has(BigInt(transactionIndex ?? -1)) ?? true),
  );
  const times = met.map(({ consensusTimestamp }) => consensusTimestamp);
  return (selection.order === 'asc' ? times : times.reverse()).slice(0, selection.limit);
}
