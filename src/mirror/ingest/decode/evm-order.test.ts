import { expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const AT = 1_700_000_000_000_000_000n;
const at = (place: number) => consensusTimestamp(AT + BigInt(place));
const HOOK = 365n;

type Item = (place: number) => LedgerEvent;

/** An item of which the EVM tells the gas; null where it did not run. */
const run =
  (data: LedgerEvent['data'], gasUsed: bigint | null, parent?: number, contractNum = 2004n): Item =>
  (place) => ({
    consensus: at(place),
    validStart: at(-9),
    payer: 1001n,
    data,
    status: RESULT.SUCCESS,
    fee: 10n,
    node: 3n,
    receipt: { contractID: { contractNum } },
    ...(parent === undefined ? {} : { parent: at(parent), nonce: place - parent }),
    ...(gasUsed === null ? {} : { record: { contractCallResult: { contractID: { contractNum }, gasUsed } } }),
  });
const call = (gas: bigint | null, parent?: number) => run({ contractCall: {} }, gas, parent);
const ethereum = (gas: bigint | null, parent?: number) => run({ ethereumTransaction: {} }, gas, parent);
const hook = (gas: bigint, parent: number) => run({ contractCall: {} }, gas, parent, HOOK);
const transfer = (gas: bigint | null = null, parent?: number) => run({ cryptoTransfer: {} }, gas, parent);
/** Of a token: what it moves is a log. */
const move =
  (gas: bigint | null = null, parent?: number): Item =>
  (place) => {
    const event = transfer(gas, parent)(place);
    const [from, to] = [7n, 8n].map((accountNum) => ({ accountNum }));
    const transfers = [
      { accountID: from, amount: -5n },
      { accountID: to, amount: 5n },
    ];
    const tokenTransferLists = [{ token: { tokenNum: 55n }, transfers }];
    return { ...event, record: { ...event.record, tokenTransferLists } };
  };

async function decode(items: readonly Item[]) {
  const stream = items.map((item, place) => ledgerItem(item(place), { shard: 0n, realm: 0n }));
  return decodeUnit(stream, 'a.rcd', emptyLookup);
}

test.each<[string, readonly Item[], readonly (number | null)[]]>([
  ['calls are counted, other results are not', [call(1n), transfer(1n), ethereum(1n)], [0, null, 1]],
  ['what used no gas has none', [call(0n), ethereum(0n), call(1n), call(null)], [null, null, 0, null]],
  [
    'a child has that of its parent, whatever it used',
    [call(1n), call(0n, 0), call(9n, 0), call(1n)],
    [0, 0, 0, 1],
  ],
  [
    'the child of a parent without one counts for itself',
    [call(0n), call(3n, 0), call(0n, 0)],
    [null, 0, null],
  ],
  ['a parent that the EVM did not run is none', [transfer(), call(3n, 0), call(4n, 0)], [null, 0, 1]],
  [
    'each run of a hook counts, and what it called has its own',
    [transfer(), hook(3n, 0), call(0n, 0), call(9n, 0), hook(4n, 0), call(1n, 0), call(1n)],
    [null, 0, 0, 0, 1, 1, 2],
  ],
  [
    'behind a child that the EVM did not run no hook is the parent',
    [transfer(), hook(3n, 0), transfer(null, 0), call(2n, 0)],
    [null, 0, null, 1],
  ],
  [
    'the hooks of one transfer are no parents of the children of another',
    [transfer(), hook(3n, 0), transfer(), call(2n, 2)],
    [null, 0, null, 1],
  ],
])('%s', async (_rule, items, indexes) => {
  const { contractResults } = await decode(items);
  const found = new Map(contractResults.map((row) => [row.consensusTimestamp, row.transactionIndex]));
  expect(items.map((_, place) => found.get(at(place)) ?? null)).toEqual(indexes);
});

test('what a child of a call without an index moved is in no log, as no list may show one without', async () => {
  const { contractLogs } = await decode([call(0n), move(0n, 0), move()]);
  expect(contractLogs).toMatchObject([{ consensusTimestamp: at(2), index: 0, transactionIndex: 0 }]);
  expect(contractLogs).toHaveLength(1);
});

test('events of tokens have the number of the call they belong to, else claim the next one', async () => {
  const { contractLogs } = await decode([
    move(),
    call(1n),
    move(0n, 1),
    move(null, 1),
    move(),
    transfer(),
    hook(2n, 5),
    move(0n, 5),
  ]);
  expect(contractLogs).toMatchObject(
    [
      [0, 0, 0],
      // That of the child with a result stands at the time of the call.
      [1, 1, 1],
      [3, 2, 1],
      [4, 3, 2],
      [6, 4, 3],
    ].map(([place = 0, index, transactionIndex]) => ({
      consensusTimestamp: at(place),
      index,
      transactionIndex,
    })),
  );
  expect(contractLogs).toHaveLength(5);
});
