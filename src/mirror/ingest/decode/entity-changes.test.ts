import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { messages } from '../../protobuf/messages.ts';
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
const token = (tokenNum: bigint) => ({ tokenNum });
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

const decodeAs = (hapiVersion: string | null, ...events: readonly Partial<LedgerEvent>[]) =>
  decodeUnit(
    events.map((each, index) => ledgerItem(event({ consensus: at(BigInt(index)), ...each }), ids)),
    'a.rcd',
    emptyLookup,
    [],
    hapiVersion,
  );
const decode = (...events: readonly Partial<LedgerEvent>[]) => decodeAs(null, ...events);
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
      isDeleted: false,
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
      { entity: 2000n, changedTimestamp: at(0n), isDeleted: false },
      {
        entity: 2000n,
        changedTimestamp: at(1n),
        isDeleted: false,
        memo: '',
        expiryTimestamp: 1_800_000_000_000_000_000n,
        isReceiverSigRequired: false,
        maxAutomaticAssociations: 0,
      },
      {
        entity: 2000n,
        changedTimestamp: at(2n),
        isDeleted: false,
        declinesReward: false,
        stakePeriodStart: MIDNIGHT,
      },
      ...[3n, 4n, 5n].map((offset) => ({
        entity: 2000n,
        changedTimestamp: at(offset),
        isDeleted: false,
        stakedAccount: offset === 5n ? 5n : null,
        stakedNode: null,
        stakePeriodStart: MIDNIGHT,
      })),
      { entity: 2000n, changedTimestamp: at(6n), isDeleted: true, obtainer: 5n },
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
      { entity: 2000n, changedTimestamp: at(0n), stakePeriodStart: YESTERDAY, isRewardPeriod: true },
      { entity: 1001n, ethereumNonce: 8n },
      { entity: 77n, ethereumNonce: 2n },
    ]);
  });

  test('are those that had an alias then, also when it has a new owner later in the unit', async () => {
    const alias = new Uint8Array(20).fill(0xab);
    const named = (memo: string) => ({
      data: { cryptoUpdateAccount: { accountIDToUpdate: { alias }, memo: { value: memo } } },
    });
    const items = [
      named('old'),
      { data: { cryptoDelete: { deleteAccountID: account(1500n), transferAccountID: account(3n) } } },
      { data: { cryptoCreateAccount: { key: KEY, alias } }, receipt: { accountID: account(1600n) } },
      named('new'),
    ].map((each, index) => ledgerItem(event({ consensus: at(BigInt(index)), ...each }), ids));
    const lookup = { ...emptyLookup, entityByAlias: async () => entityId(1500n) };
    const { entityChanges } = await decodeUnit(items, 'a.rcd', lookup);
    expect(entityChanges.map(({ entity }) => entity)).toEqual([1500n, 1500n, 1600n, 1600n]);
  });
});

describe('contracts', () => {
  const receipt = { contractID: contract(77n) };

  test('that only a list of the record names are as the creation says, on networks before 0.23', async () => {
    const created = { createdContractIDs: [contract(77n), contract(78n)] };
    const creation = {
      data: { contractCreateInstance: { memo: 'c', adminKey: KEY, autoRenewPeriod: { seconds: 9n } } },
      receipt,
      record: { contractCreateResult: created },
    };
    const call = { data: { contractCall: {} }, record: { contractCallResult: created } };
    const { entityChanges } = await decodeAs('0.22.9', creation, call);
    const settings = { type: 'CONTRACT', memo: 'c', key: Uint8Array.from(keyBytes), autoRenewPeriod: 9n };
    expect(entityChanges).toMatchObject([
      { entity: 77n, ...settings },
      { entity: 78n, changedTimestamp: at(0n), ...settings },
      { entity: 77n, changedTimestamp: at(1n), type: 'CONTRACT', memo: '' },
      { entity: 78n, changedTimestamp: at(1n), type: 'CONTRACT', memo: '' },
    ]);
    expect((await decodeAs('0.23.0', creation)).entityChanges).toMatchObject([{ entity: 77n }]);
  });

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
      { entity: 77n, type: 'CONTRACT', changedTimestamp: at(1n), isDeleted: false, memo: 'd' },
      { entity: 77n, type: 'CONTRACT', changedTimestamp: at(2n), isDeleted: false, autoRenewAccount: null },
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

describe('tokens, topics and schedules', () => {
  const renewal = { autoRenewAccount: account(9n), autoRenewPeriod: { seconds: 50n } };
  const renews = { autoRenewAccount: 9n, autoRenewPeriod: 50n };
  const at1 = { seconds: 1_800_000_000n };

  test('are entities with the settings of their creation, updates and deletion', async () => {
    const { entities, entityChanges } = await decode(
      {
        data: { tokenCreation: { adminKey: KEY, memo: 't', expiry: at1, ...renewal } },
        receipt: { tokenID: token(90n) },
      },
      { data: { tokenUpdate: { token: token(90n), autoRenewAccount: account(0n), memo: { value: '' } } } },
      { data: { tokenDeletion: { token: token(90n) } } },
      {
        data: { consensusCreateTopic: { memo: 'p', adminKey: KEY, ...renewal } },
        receipt: { topicID: { topicNum: 91n } },
      },
      { data: { consensusUpdateTopic: { topicID: { topicNum: 91n }, expirationTime: at1 } } },
      { data: { consensusDeleteTopic: { topicID: { topicNum: 91n } } } },
      {
        data: { scheduleCreate: { memo: 's', adminKey: KEY } },
        receipt: { scheduleID: { scheduleNum: 92n } },
      },
      { data: { scheduleDelete: { scheduleID: { scheduleNum: 92n } } } },
      { data: { scheduleCreate: {} }, status: 209, receipt: { scheduleID: { scheduleNum: 92n } } },
    );
    const created = { alias: null, evmAddress: null };
    expect(entities).toEqual([
      { ...created, entity: 90n, type: 'TOKEN', createdTimestamp: at(0n) },
      { ...created, entity: 91n, type: 'TOPIC', createdTimestamp: at(3n) },
      { ...created, entity: 92n, type: 'SCHEDULE', createdTimestamp: at(6n) },
    ]);
    const shown = entityChanges.map((change) =>
      change.key == null ? change : { ...change, key: Buffer.from(change.key) },
    );
    const expiryTimestamp = 1_800_000_000_000_000_000n;
    const key = Buffer.from(keyBytes);
    expect(shown).toEqual([
      {
        ...{ entity: 90n, type: 'TOKEN', changedTimestamp: at(0n), isDeleted: false },
        ...{ key, memo: 't', expiryTimestamp, ...renews },
      },
      {
        ...{ entity: 90n, type: 'TOKEN', changedTimestamp: at(1n), isDeleted: false },
        ...{ memo: '', autoRenewAccount: null },
      },
      { entity: 90n, type: 'TOKEN', changedTimestamp: at(2n), isDeleted: true },
      {
        ...{ entity: 91n, type: 'TOPIC', changedTimestamp: at(3n), isDeleted: false },
        ...{ memo: 'p', ...renews },
      },
      { entity: 91n, type: 'TOPIC', changedTimestamp: at(4n), isDeleted: false, expiryTimestamp },
      { entity: 91n, type: 'TOPIC', changedTimestamp: at(5n), isDeleted: true },
      {
        ...{ entity: 92n, type: 'SCHEDULE', changedTimestamp: at(6n), isDeleted: false },
        ...{ key, memo: 's' },
      },
      { entity: 92n, type: 'SCHEDULE', changedTimestamp: at(7n), isDeleted: true },
    ]);
  });

  test('keep their renewal account when an unknown alias is named', async () => {
    const autoRenewAccount = { alias: new Uint8Array(20).fill(9) };
    const [change] = await changesOf({ data: { tokenUpdate: { token: token(90n), autoRenewAccount } } });
    expect(change).toEqual({ entity: 90n, type: 'TOKEN', changedTimestamp: at(0n), isDeleted: false });
  });
});

describe('the version of the network', () => {
  const body = { accountIDToUpdate: account(2000n), stakedNodeId: 3n };

  test.each([
    ['0.26.9', undefined],
    ['0.27.0', 3n],
    ['1.0.0', 3n],
    [null, 3n],
  ])('%s says whether an account stakes to node %s', async (version, node) => {
    const { entityChanges } = await decodeAs(version, { data: { cryptoUpdateAccount: body } });
    expect(entityChanges[0]?.stakedNode).toBe(node);
  });

  // RLP: type 2, chain 1, nonce 7, then empty members.
  const ethereumData = Buffer.from('02cc0107808080808080c0808080', 'hex');
  const sends = (status: number, signerNonce: bigint | null): Partial<LedgerEvent> => ({
    data: { ethereumTransaction: { ethereumData } },
    status,
    record: {
      contractCallResult: {
        senderId: account(1001n),
        ...(signerNonce === null ? {} : { signerNonce: { value: signerNonce } }),
      },
    },
  });
  test.each([
    ['0.46.0', SUCCESS, null, 8n],
    ['0.46.0', 33, null, 8n],
    ['0.46.0', 328, null, 8n],
    ['0.46.0', INVALID_SIGNATURE, null, undefined],
    ['0.46.0', INVALID_SIGNATURE, 5n, 5n],
    ['0.47.0', SUCCESS, null, undefined],
    ['0.47.0', SUCCESS, 5n, 5n],
  ])('%s with result %i and the nonce %s of the record counts %s', async (version, status, told, nonce) => {
    const { entityChanges } = await decodeAs(version, sends(status, told));
    expect(entityChanges.find(({ entity }) => entity === 1001n)?.ethereumNonce).toBe(nonce);
  });
});

describe('the address to which an account delegates', () => {
  test('is told when it is given, and taken away by zeros', async () => {
    const delegationAddress = new Uint8Array(20).fill(5);
    const changes = await changesOf(
      { data: { cryptoCreateAccount: { delegationAddress } }, receipt: { accountID: account(2000n) } },
      { data: { cryptoUpdateAccount: { accountIDToUpdate: account(2000n) } } },
      {
        data: {
          cryptoUpdateAccount: { accountIDToUpdate: account(2000n), delegationAddress: new Uint8Array(20) },
        },
      },
    );
    expect(changes.map((change) => change.delegationAddress)).toEqual([
      delegationAddress,
      undefined,
      new Uint8Array(20),
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
    expect(gas).toMatchObject({ used: 13n, bloom: bloom(3) });
    expect((await decode({})).gas).toMatchObject({ used: 0n, bloom: null });
    expect((await decode(call(1n, 0))).gas).toMatchObject({ used: 1n, bloom: bloom(0) });
  });

  test('counts a scheduled call, though it has a parent', async () => {
    const scheduled = (scheduleNum: bigint | null) => ({
      parent: at(0n),
      node: null,
      nonce: 1,
      record: {
        contractCallResult: { gasUsed: 5n, bloom: new Uint8Array(256).fill(1) },
        ...(scheduleNum === null ? {} : { scheduleRef: { scheduleNum } }),
      },
    });
    expect((await decode({}, scheduled(9n))).gas).toMatchObject({
      used: 5n,
      bloom: new Uint8Array(256).fill(1),
    });
    expect((await decode({}, scheduled(null))).gas).toMatchObject({ used: 0n, bloom: null });
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
