import { describe, expect, test } from 'vitest';
import { idBytes, madeParts } from '../../../../test/kit/mirror/ingest/made-block.ts';
import { timeBytes } from '../../../../tools/network/block-container.ts';
import { output } from '../../../../tools/network/output-parts.ts';
import {
  accountChange,
  entityChange,
  mapDelete,
  mapUpdate,
  stateChanges,
} from '../../../../tools/network/state-change-writer.ts';
import type { UnitHeader } from '../../ledger/rows.ts';
import { messages } from '../../protobuf/messages.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { blockRecords } from '../block-records/block-records.ts';
import { ACCOUNT, BYTECODE, FILE, HEADER, ITEM, STATE } from '../block-records/field-numbers.ts';
import { assembleAddressBooks } from './assemble-address-books.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';
import { withOpening } from './opening-rows.ts';

const NATIVE = { isNative: true, verification: 'chain' } as const;
const header = {
  field: ITEM.header,
  bytes: new WireWriter().varint(HEADER.number, 0n).delimited(HEADER.timestamp, timeBytes(3n)).finish(),
};
const loose = (at: bigint, ...changes: readonly Uint8Array[]) => ({
  field: ITEM.stateChanges,
  bytes: stateChanges(timeBytes(at), changes),
});
const creation = madeParts({
  at: 10n,
  data: { cryptoCreateAccount: { memo: 'made here' } },
  outputs: [output('createAccount', new WireWriter().delimited(1, idBytes(50n)).finish())],
  changes: [accountChange({ id: idBytes(50n), balance: 1n })],
});
const node = {
  nodeId: 3n,
  RSA_PubKey: 'aa',
  nodeAccountId: { shardNum: 0n, realmNum: 0n, accountNum: 3n },
};
const book = messages.NodeAddressBook.encode({ nodeAddress: [node] });

async function opened(
  parts: Parameters<typeof blockRecords>[0],
  { isNative, verification }: Pick<UnitHeader, 'isNative' | 'verification'> = NATIVE,
) {
  const { items, openingState } = blockRecords([header, ...parts]);
  return withOpening(await decodeUnit(items, 'a', emptyLookup), openingState, { isNative, verification });
}

describe('the opening state of a block', () => {
  test('sets what it says of accounts, contracts and files, and reads neither alias nor staking', async () => {
    const account = new WireWriter()
      .delimited(ACCOUNT.id, idBytes(7n))
      .delimited(ACCOUNT.alias, Uint8Array.of(1, 2))
      .delimited(ACCOUNT.key, Uint8Array.of(0x12, 0))
      .varint(ACCOUNT.expirySeconds, 9n)
      .varint(ACCOUNT.balance, 77n)
      .delimited(ACCOUNT.memo, Buffer.from('é'))
      .varint(ACCOUNT.isDeleted, 1)
      .varint(11, 4n)
      .varint(12, 1)
      .varint(ACCOUNT.isReceiverSigRequired, 1)
      .varint(ACCOUNT.maxAutomaticAssociations, -1n)
      .varint(ACCOUNT.ethereumNonce, 5n)
      .delimited(ACCOUNT.autoRenewAccount, idBytes(8n))
      .varint(ACCOUNT.autoRenewSeconds, 6n)
      .finish();
    const contract = accountChange({ id: idBytes(9n), balance: 0n, isContract: true });
    const code = new WireWriter().delimited(BYTECODE.code, Uint8Array.of(0x60)).finish();
    const file = (id: bigint, contents: string) =>
      entityChange(STATE.files, idBytes(id), (writer) =>
        writer.delimited(FILE.contents, Buffer.from(contents)),
      );
    const rows = await opened([
      loose(4n, mapUpdate(STATE.accounts, idBytes(7n), account), contract),
      loose(5n, mapUpdate(STATE.bytecode, idBytes(9n), code), file(1000n, 'abc'), file(1001n, '')),
      loose(6n, mapDelete(STATE.accounts, idBytes(99n))),
      ...creation,
    ]);
    const common = { changedTimestamp: 4n, isOpening: true, autoRenewAccount: null, key: null, memo: '' };
    expect(rows.entityChanges.slice(0, 2)).toEqual([
      {
        ...common,
        entity: 7n,
        type: 'ACCOUNT',
        key: Uint8Array.of(0x12, 0),
        memo: 'é',
        autoRenewPeriod: 6n,
        autoRenewAccount: 8n,
        expiryTimestamp: 9_000_000_000n,
        isDeleted: true,
        isReceiverSigRequired: true,
        maxAutomaticAssociations: -1,
        ethereumNonce: 5n,
      },
      {
        ...common,
        entity: 9n,
        type: 'CONTRACT',
        autoRenewPeriod: 0n,
        expiryTimestamp: null,
        isDeleted: false,
        isReceiverSigRequired: false,
        maxAutomaticAssociations: 0,
      },
    ]);
    expect(rows.balances).toEqual([
      { account: 7n, balance: 77n, timestamp: 4n },
      { account: 9n, balance: 0n, timestamp: 4n },
    ]);
    expect(rows.contracts).toEqual([{ contract: 9n, creation: null, runtimeCode: Uint8Array.of(0x60) }]);
    expect(rows.filePieces).toMatchObject([{ file: 1000n, consensusTimestamp: 5n, transactionType: 19 }]);
  });

  test('leaves what a transaction of the block creates to that, and stands where its time is', async () => {
    const state = (id: bigint) => accountChange({ id: idBytes(id), balance: 2n });
    const rows = await opened([loose(4n, state(7n)), ...creation, loose(20n, state(50n), state(8n))]);
    expect(rows.entityChanges.map(({ entity, memo }) => [entity, memo])).toEqual([
      [7n, ''],
      [50n, 'made here'],
      [8n, ''],
    ]);
    expect(rows.balances.map(({ account }) => account)).toEqual([7n, 50n, 8n]);
  });

  test.each([
    [22, []],
    [7, [102n]],
  ])(
    'a file is that of its update where that has status %i, and else the stated one',
    async (status, stated) => {
      const fileUpdate = {
        fileID: { shardNum: 0n, realmNum: 0n, fileNum: 102n },
        contents: Uint8Array.of(1),
      };
      const change = entityChange(STATE.files, idBytes(102n), (writer) =>
        writer.delimited(FILE.contents, book),
      );
      const parts = [loose(4n, change), ...madeParts({ at: 10n, data: { fileUpdate }, status })];
      const { filePieces } = await opened(parts);
      const ofState = filePieces.filter(({ consensusTimestamp: at }) => at === 4n);
      expect(ofState.map(({ file }) => file)).toEqual(stated);
    },
  );

  test('an expiry beyond int64 is the nearest time that fits, on either side', async () => {
    const expiring = (id: bigint, seconds: bigint) => {
      const account = new WireWriter()
        .delimited(ACCOUNT.id, idBytes(id))
        .varint(ACCOUNT.expirySeconds, seconds)
        .finish();
      return mapUpdate(STATE.accounts, idBytes(id), account);
    };
    const rows = await opened([loose(4n, expiring(7n, 2n ** 62n), expiring(8n, -(2n ** 62n))), ...creation]);
    const expiries = rows.entityChanges.slice(0, 2).map(({ expiryTimestamp }) => expiryTimestamp);
    expect(expiries).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
  });

  test.each([
    [{ isNative: false, verification: 'chain' }, true],
    [{ isNative: false, verification: 'signatures' }, false],
    [NATIVE, false],
  ] as const)('of %o: nothing vouches for its address book: %s', async (proven, isTold) => {
    const change = entityChange(STATE.files, idBytes(102n), (writer) =>
      writer.delimited(FILE.contents, book),
    );
    const { filePieces } = await opened([loose(4n, change), ...creation], proven);
    expect(await assembleAddressBooks(filePieces, async () => null)).toMatchObject([
      { file: 102n, startTimestamp: 5n, isTold },
    ]);
  });
});
