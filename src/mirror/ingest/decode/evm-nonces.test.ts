import { describe, expect, test } from 'vitest';
import { idBytes, type MadeTransaction, madeRecords } from '../../../../test/kit/mirror/ingest/made-block.ts';
import { accountChange } from '../../../../tools/network/state-change-writer.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const update = (delegationAddress: Uint8Array | null) => ({
  cryptoUpdateAccount: {
    accountIDToUpdate: { accountNum: 50n },
    ...(delegationAddress === null ? {} : { delegationAddress }),
  },
});
const [ADDRESS, NONE] = [new Uint8Array(20).fill(7), new Uint8Array(20)];
const parent: MadeTransaction = { at: 10n, data: { ethereumTransaction: {} } };
const child = (data: MadeTransaction['data'], nonce: bigint | null, at = 11n): MadeTransaction => ({
  ...{ at, parent: 10n, nonce: Number(at - 10n), data },
  changes: nonce === null ? [] : [accountChange({ id: idBytes(50n), balance: 1n, nonce })],
});

async function noncesOf(...transactions: readonly MadeTransaction[]) {
  const { entityChanges } = await decodeUnit(madeRecords(...transactions).items, 'a', emptyLookup);
  return entityChanges.flatMap(({ changedTimestamp, entity, ethereumNonce }) =>
    ethereumNonce === undefined ? [] : [[entity, ethereumNonce, changedTimestamp]],
  );
}

describe('the nonce of an account that gets a delegation', () => {
  test.each([
    ['set', child(update(ADDRESS), 5n), [[50n, 5n, undefined]]],
    ['taken away', child(update(NONE), 6n), [[50n, 6n, undefined]]],
    ['set, with nonce 0', child(update(ADDRESS), 0n), [[50n, 0n, undefined]]],
    ['set, but the state does not tell the account', child(update(ADDRESS), null), []],
    ['not touched', child(update(null), 5n), []],
  ])(
    'by a child in a block is that of the state, without a row of history: %s',
    async (_what, made, nonces) => {
      expect(await noncesOf(parent, made)).toEqual(nonces);
    },
  );

  test('is the newest of a block, and not read of an update that a client sent', async () => {
    const later: MadeTransaction = { at: 20n, data: { ethereumTransaction: {} } };
    const next = { ...child(update(ADDRESS), 8n, 21n), parent: 20n, nonce: 1 };
    expect(await noncesOf(parent, child(update(ADDRESS), 5n), later, next)).toEqual([
      [50n, 5n, undefined],
      [50n, 8n, undefined],
    ]);
    const { parent: _none, ...sent } = child(update(ADDRESS), 5n);
    expect(await noncesOf(sent)).toEqual([]);
  });
});
