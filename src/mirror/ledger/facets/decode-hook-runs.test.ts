import Long from 'long';
import { expect, test } from 'vitest';
import { entityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { OWN_MEMBER } from '../../items/own-members.ts';
import { messages } from '../../protobuf/messages.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { decodeHookRuns } from './decode-hooks.ts';
import type { DecodedUnit } from './facet.ts';

const int = (value: bigint) => Long.fromString(`${value}`);
const HOME = { shardNum: int(0n), realmNum: int(0n) };
const account = (num: bigint) => ({ ...HOME, account: 'accountNum', accountNum: int(num) });
const contract = (num: bigint) => ({ ...HOME, contract: 'contractNum', contractNum: int(num) });
const hook = (hookId: bigint) => ({ hookId: int(hookId) });
const FAILED = 13n;

/** A transfer at 1 that runs hooks, and its children from 2 on, each of which writes its own time. */
function unitOf(
  cryptoTransfer: object,
  children: number,
  { named = {}, notes = [] }: { named?: Readonly<Record<string, Uint8Array>>; notes?: string[] } = {},
): DecodedUnit {
  const times = Array.from({ length: children }, (_, index) => BigInt(index + 2));
  const call = { contractCall: { contractID: contract(365n) } };
  return {
    items: [
      {
        type: TYPE.CRYPTOTRANSFER,
        consensusTimestamp: 1n,
        parentConsensusTimestamp: null,
        body: { cryptoTransfer },
      },
      ...times.map((at) => ({
        ...{ type: TYPE.CONTRACTCALL, consensusTimestamp: at, parentConsensusTimestamp: 1n, body: call },
        item: {
          record: new WireWriter().delimited(OWN_MEMBER.executedHook, named[`${at}`] ?? null).finish(),
        },
      })),
    ] as unknown as readonly DecodedItem[],
    transactions: [],
    isSuccessful: ({ consensusTimestamp }: DecodedItem) => consensusTimestamp !== FAILED,
    sidecars: new Map(
      times.map((at) => [
        at,
        [
          {
            ...{ consensusTimestamp: at, isMigration: false, actions: [], code: null },
            stateChanges: [
              {
                contractId: contract(365n),
                storageChanges: [
                  { slot: Uint8Array.of(9), valueRead: new Uint8Array(), valueWritten: null },
                  {
                    slot: Uint8Array.of(3),
                    valueRead: new Uint8Array(),
                    valueWritten: { value: Uint8Array.of(0, Number(at)) },
                  },
                ],
              },
            ],
          },
        ],
      ]),
    ),
    resolve: () => null,
    resolveAt: () => () => null,
    evmAddress: () => null,
    note: (text: string) => notes.push(text),
  } as unknown as DecodedUnit;
}

/** @see contracts/mirror-entities.md section 10 */
test('runs are distinguished by their order: once, then before, then after; hbar, fungible, NFTs', () => {
  const unit = unitOf(
    {
      transfers: {
        accountAmounts: [
          { accountID: account(11n), prePostTxAllowanceHook: hook(1n) },
          { accountID: account(12n), preTxAllowanceHook: hook(2n) },
        ],
      },
      tokenTransfers: [
        {
          transfers: [{ accountID: account(13n), preTxAllowanceHook: hook(3n) }],
          nftTransfers: [
            {
              senderAccountID: account(14n),
              receiverAccountID: account(15n),
              preTxReceiverAllowanceHook: hook(5n),
              prePostTxSenderAllowanceHook: hook(4n),
            },
          ],
        },
      ],
    },
    9,
  );
  const found = decodeHookRuns(unit).rows.map(({ consensusTimestamp, hookId, owner }) => [
    consensusTimestamp,
    owner,
    hookId,
  ]);
  // The eighth and ninth run have no hook: what they wrote is not stored.
  expect(found).toEqual([
    [2n, entityId(12n), 2n],
    [3n, entityId(13n), 3n],
    [4n, entityId(15n), 5n],
    [5n, entityId(11n), 1n],
    [6n, entityId(14n), 4n],
    [7n, entityId(11n), 1n],
    [8n, entityId(14n), 4n],
  ]);
});

test('what is written is stored, what is read or written by a failed run is not, and the next run is the next hook', () => {
  const accountAmounts = Array.from({ length: 13 }, (_, index) => ({
    accountID: account(11n + BigInt(index)),
    preTxAllowanceHook: hook(1n),
  }));
  const { rows } = decodeHookRuns(unitOf({ transfers: { accountAmounts }, tokenTransfers: [] }, 13));
  const ran = rows.map(({ consensusTimestamp, owner }) => [consensusTimestamp, owner]);
  expect(ran.slice(-2)).toEqual([
    [FAILED - 1n, entityId(21n)],
    [FAILED + 1n, entityId(23n)],
  ]);
  const key = new Uint8Array(32).fill(3, 31);
  expect(rows[0]?.slots).toEqual([{ key, value: Uint8Array.of(2) }]);
});

test('a hook that the output of a block names is the one that ran; the others keep their order', () => {
  const accountAmounts = [11n, 12n, 13n].map((num) => ({
    accountID: account(num),
    preTxAllowanceHook: hook(1n),
  }));
  const transfer = { transfers: { accountAmounts }, tokenTransfers: [] };
  const hookOf = (num: bigint) =>
    messages.HookId.encode({ entityId: { accountId: { accountNum: num } }, hookId: 1n });
  // The second call ran the third hook, the fourth one that no transfer names.
  const unit = unitOf(transfer, 4, { named: { 3: hookOf(13n), 5: hookOf(99n) } });
  expect(
    decodeHookRuns(unit).rows.map(({ consensusTimestamp, owner }) => [consensusTimestamp, owner]),
  ).toEqual([
    [2n, entityId(11n)],
    [3n, entityId(13n)],
    [4n, entityId(12n)],
    [5n, entityId(99n)],
  ]);
});

test('a run that nobody asked for is told, as is an owner that nobody knows', () => {
  const notes: string[] = [];
  const accountAmounts = [
    {
      accountID: { ...HOME, account: 'alias', alias: new Uint8Array(20).fill(9) },
      preTxAllowanceHook: hook(1n),
    },
  ];
  const { rows } = decodeHookRuns(
    unitOf({ transfers: { accountAmounts }, tokenTransfers: [] }, 2, { notes }),
  );
  expect(rows).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/unknown alias/), expect.stringMatching(/does not name/)]);
});
