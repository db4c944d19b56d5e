import { describe, expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { messages } from '../../protobuf/messages.ts';
import { type LedgerEvent, ledgerItem } from '../stream-writer/ledger-item.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const ids = { shard: 0n, realm: 0n };
const SUCCESS = 22;
const INVALID_SIGNATURE = 7;
/** 2023-11-14 22:13:20 UTC. */
const AT = 1_700_000_000_000_000_000n;
const MIDNIGHT = 1_699_920_000_000_000_000n;
const YESTERDAY = MIDNIGHT - 86_400_000_000_000n;
const at = (offset: bigint) => consensusTimestamp(AT + offset);
const account = (accountNum: bigint) => ({ accountNum });
const contract = (contractNum: bigint) => ({ contractNum });
const KEY = { ed25519: new Uint8Array(32).fill(7) };
const keyBytes = messages.Key.encode(KEY);

const event = (changes: Partial<LedgerEvent>): LedgerEvent => ({
  consensus: at(0n),
  validStart: at(-9n),
  payer: 1001n,
  data: {},
  status: SUCCESS,
  fee: 10n,
  node: 3n,
  ...changes,
});

const decode = (...events: readonly Partial<LedgerEvent>[]) =>
  decodeUnit(
    events.map((each, index) => ledgerItem(event({ consensus: at(BigInt(index)), ...each }), ids)),
    'a.rcd',
    emptyLookup,
  );
const changesOf = async (...events: readonly Partial<LedgerEvent>[]) =>
  (await decode(...events)).entityChanges;

describe('accounts', () => {
  test('begin with the settings of their creation', async () => {
    const cryptoCreateAccount = {
      key: KEY,
      memo: 'mine',
      autoRenewPeriod: { seconds: 7_776_000n },
      receiverSigRequired: true,
      maxAutomaticTokenAssociations: -1,
      declineReward: true,
      stakedNodeId: 0n,
    };
    const [change, ...others] = await changesOf({
      data: { cryptoCreateAccount },
      receipt: { accountID: account(2000n) },
    });
    expect(others).toEqual([]);
    expect({ ...change, key: Buffer.from(change?.key ?? []) }).toEqual({
      entity: 2000n,
      type: 'ACCOUNT',
      changedTimestamp: at(0n),
      key: Buffer.from(keyBytes),
      memo: 'mine',
      autoRenewPeriod: 7_776_000n,
      isReceiverSigRequired: true,
      maxAutomaticAssociations: -1,
      declinesReward: true,
      ethereumNonce: 0n,
      proxyAccount: null,
      stakedAccount: null,
      stakedNode: 0n,
      stakePeriodStart: MIDNIGHT,
    });
  });

  test.each([
    ['a key that is the alias', keyBytes, keyBytes],
    ['an EVM address as alias and no key', new Uint8Array(20).fill(1), null],
  ])('made by a transfer to %s', async (_, alias, key) => {
    const [change] = await changesOf({
      data: { cryptoCreateAccount: { alias } },
      receipt: { accountID: account(2000n) },
      node: null,
    });
    expect(change?.key === null ? null : Buffer.from(change?.key ?? [])).toEqual(
      key === null ? null : Buffer.from(key),
    );
    expect(change?.stakePeriodStart).toBeUndefined();
  });

  test('change only what an update names', async () => {
    const accountIDToUpdate = account(2000n);
    expect(
      await changesOf(
        { data: { cryptoUpdateAccount: { accountIDToUpdate } } },
        {
          data: {
            cryptoUpdateAccount: {
              accountIDToUpdate,
              memo: { value: '' },
              expirationTime: { seconds: 1_800_000_000n },
              receiverSigRequiredWrapper: { value: false },
              maxAutomaticTokenAssociations: { value: 0 },
            },
          },
        },
        { data: { cryptoUpdateAccount: { accountIDToUpdate, declineReward: { value: false } } } },
        { data: { cryptoUpdateAccount: { accountIDToUpdate, stakedNodeId: -1n } } },
        { data: { cryptoUpdateAccount: { accountIDToUpdate, stakedAccountId: account(0n) } } },
        { data: { cryptoUpdateAccount: { accountIDToUpdate, stakedAccountId: account(5n) } } },
        { data: { cryptoDelete: { deleteAccountID: account(2000n), transferAccountID: account(5n) } } },
      ),
    ).toEqual([
      { entity: 2000n, changedTimestamp: at(0n) },
      {
        entity: 2000n,
        changedTimestamp: at(1n),
        memo: '',
        expiryTimestamp: 1_800_000_000_000_000_000n,
        isReceiverSigRequired: false,
        maxAutomaticAssociations: 0,
      },
      { entity: 2000n, changedTimestamp: at(2n), declinesReward: false, stakePeriodStart: MIDNIGHT },
      ...[3n, 4n, 5n].map((offset) => ({
        entity: 2000n,
        changedTimestamp: at(offset),
        stakedAccount: offset === 5n ? 5n : null,
        stakedNode: null,
        stakePeriodStart: MIDNIGHT,
      })),
      { entity: 2000n, changedTimestamp: at(6n), isDeleted: true },
    ]);
  });

  test('stay as they are when the transaction failed, but for rewards and nonces', async () => {
    const changes = await changesOf({
      data: { cryptoUpdateAccount: { accountIDToUpdate: account(2000n), memo: { value: 'x' } } },
      status: INVALID_SIGNATURE,
      record: {
        paidStakingRewards: [{ accountID: account(2000n), amount: 5n }],
        contractCallResult: {
          senderId: account(1001n),
          signerNonce: { value: 8n },
          contractNonces: [{ contractId: contract(77n), nonce: 2n }],
        },
      },
    });
    expect(changes).toEqual([
      { entity: 2000n, stakePeriodStart: YESTERDAY },
      { entity: 1001n, ethereumNonce: 8n },
      { entity: 77n, ethereumNonce: 2n },
    ]);
  });
});

describe('contracts', () => {
  const receipt = { contractID: contract(77n) };

  test('begin with the settings of their creation and end with their deletion', async () => {
    const changes = await changesOf(
      { data: { contractCreateInstance: { memo: 'c', autoRenewAccountId: account(9n) } }, receipt },
      {
        data: { contractUpdateInstance: { contractID: contract(77n), memoWrapper: { value: 'd' } } },
        receipt,
      },
      { data: { contractUpdateInstance: { contractID: contract(77n), autoRenewAccountId: account(0n) } } },
      { data: { contractDeleteInstance: { contractID: contract(77n), transferContractID: contract(78n) } } },
      { data: { systemDelete: { contractID: contract(79n) } } },
      { data: { systemUndelete: { contractID: contract(79n) } } },
      { data: { systemDelete: { fileID: { fileNum: 80n } } } },
    );
    expect(changes).toEqual([
      expect.objectContaining({ entity: 77n, type: 'CONTRACT', key: null, memo: 'c', autoRenewAccount: 9n }),
      { entity: 77n, type: 'CONTRACT', changedTimestamp: at(1n), memo: 'd' },
      { entity: 77n, type: 'CONTRACT', changedTimestamp: at(2n), autoRenewAccount: null },
      {
        entity: 77n,
        type: 'CONTRACT',
        changedTimestamp: at(3n),
        isDeleted: true,
        isPermanentRemoval: false,
        obtainer: 78n,
      },
      { entity: 79n, type: 'CONTRACT', changedTimestamp: at(4n), isDeleted: true },
      { entity: 79n, type: 'CONTRACT', changedTimestamp: at(5n), isDeleted: false },
    ]);
  });
});

describe('a unit', () => {
  test('sums the gas and unites the log filters of what clients sent', async () => {
    const bloom = (byte: number) => new Uint8Array(256).fill(byte);
    const call = (gasUsed: bigint, byte: number, parent?: bigint): Partial<LedgerEvent> => ({
      record: { contractCallResult: { gasUsed, bloom: byte === 0 ? new Uint8Array() : bloom(byte) } },
      ...(parent === undefined ? {} : { parent: at(parent), node: null, nonce: 1 }),
    });
    const { gas } = await decode(call(5n, 1), call(100n, 64, 0n), call(7n, 2), call(1n, 0));
    expect(gas).toEqual({ used: 13n, bloom: bloom(3) });
    expect((await decode({})).gas).toEqual({ used: 0n, bloom: null });
  });

  test('tells the exchange rates of its receipts where they change', async () => {
    const rate = (centEquiv: number) => ({ hbarEquiv: 1, centEquiv, expirationTime: { seconds: 5n } });
    const exchangeRate = (centEquiv: number) => ({ currentRate: rate(centEquiv), nextRate: rate(9) });
    const told = (centEquiv: number) => ({ receipt: { exchangeRate: exchangeRate(centEquiv) } });
    const { rates } = await decode({}, told(1), told(1), {}, told(2), told(1));
    expect(
      rates.map(({ consensusTimestamp, contents }) => [consensusTimestamp, Buffer.from(contents)]),
    ).toEqual(
      [
        [1n, 1],
        [4n, 2],
        [5n, 1],
      ].map(([offset, cents]) => [
        at(BigInt(offset ?? 0)),
        Buffer.from(messages.ExchangeRateSet.encode(exchangeRate(Number(cents)))),
      ]),
    );
  });
});
