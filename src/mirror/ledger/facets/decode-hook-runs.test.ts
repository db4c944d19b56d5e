import Long from 'long';
import { expect, test } from 'vitest';
import { entityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { decodeHookRuns } from './decode-hook-runs.ts';
import type { DecodedUnit } from './facet.ts';

const int = (value: bigint) => Long.fromString(`${value}`);
const HOME = { shardNum: int(0n), realmNum: int(0n) };
const account = (num: bigint) => ({ ...HOME, account: 'accountNum', accountNum: int(num) });
const contract = (num: bigint) => ({ ...HOME, contract: 'contractNum', contractNum: int(num) });
const hook = (hookId: bigint) => ({ hookId: int(hookId) });
const FAILED = 13n;

/** A transfer at 1 that runs hooks, and its children from 2 on, each of which writes its own time. */
function unitOf(cryptoTransfer: object, children: number): DecodedUnit {
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

test('what is written is stored, what is read or written by a failed run is not', () => {
  const accountAmounts = Array.from({ length: 12 }, () => ({
    accountID: account(11n),
    preTxAllowanceHook: hook(1n),
  }));
  const { rows } = decodeHookRuns(unitOf({ transfers: { accountAmounts }, tokenTransfers: [] }, 12));
  expect(rows.map(({ consensusTimestamp }) => consensusTimestamp)).not.toContain(FAILED);
  const key = new Uint8Array(32).fill(3, 31);
  expect(rows[0]?.slots).toEqual([{ key, value: Uint8Array.of(2) }]);
});
