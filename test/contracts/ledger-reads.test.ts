import { expect, test } from 'vitest';
import { windowStart } from '../../src/mirror/ledger/balance-snapshots.ts';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import type { MirrorStore } from '../../src/mirror/mirror-store.ts';
import type { TransactionFilter } from '../../src/mirror/transactions/transaction-filter.ts';
import { consensusTimestamp, printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { aToken, someFees } from '../kit/mirror/ledger/a-token.ts';
import { aStakeUpdate, aTransaction, aTransfer } from '../kit/mirror/ledger-rows.ts';
import { forEachBackend } from './backends.ts';
import { MINUTE, recordUnit, START } from './ledger-units.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const TOKEN = entityId(5005n);
const TOPIC = entityId(7007n);
const CONTRACT = entityId(2001n);
const EVM_ADDRESS = Buffer.alloc(20, 0xab);

/** One unit with something of every kind. */
function aUnit(): LedgerUnit {
  const at = consensusTimestamp(START);
  return fixtureUnit('a', {
    transactions: [
      aTransaction(START, {
        type: 11,
        entityId: entityId(2000n),
        hash: Buffer.alloc(48, 1),
        transfers: [aTransfer(1001n, -10n), aTransfer(2000n, 10n)],
      }),
      aTransaction(START + 1n, { result: 10, transfers: [aTransfer(1001n, -1n), aTransfer(3n, 1n)] }),
      aTransaction(START + 2n, {
        type: 8,
        entityId: CONTRACT,
        tokenTransfers: [{ token: TOKEN, account: entityId(2000n), amount: 6n, isApproval: false }],
      }),
    ],
    entities: [
      {
        entity: entityId(2000n),
        type: 'ACCOUNT',
        alias: Uint8Array.of(0x0a, 0x0b),
        evmAddress: null,
        createdTimestamp: at,
      },
      { entity: CONTRACT, type: 'CONTRACT', alias: null, evmAddress: EVM_ADDRESS, createdTimestamp: at },
    ],
    entityChanges: [
      { entity: entityId(2000n), changedTimestamp: at, memo: 'mine', maxAutomaticAssociations: -1 },
    ],
    contracts: [{ contract: CONTRACT, creation: null, runtimeCode: Uint8Array.of(0x60, 1) }],
    tokens: [aToken(TOKEN, at)],
    customFees: [someFees(TOKEN, at, 2)],
    topics: [{ topic: TOPIC, fixedFeeCount: 1, consensusTimestamp: at }],
    filePieces: (
      [
        [10n, 17, 'a'],
        [11n, 16, 'b'],
        [20n, 19, 'c'],
        [21n, 16, 'd'],
      ] as const
    ).map(([time, transactionType, text]) => ({
      file: entityId(112n),
      consensusTimestamp: consensusTimestamp(time),
      transactionType,
      contents: Buffer.from(text),
      isTold: text === 'c',
    })),
    rates: [{ consensusTimestamp: at, contents: Uint8Array.of(1, 2) }],
    gasPrices: [
      { asOf: at, scheduleTimestamp: at, prices: [{ kind: 'ContractCall', gas: 9_007_199_254_740_993n }] },
    ],
    stakeUpdates: [aStakeUpdate(START)],
  });
}

const everything: TransactionFilter = {
  accounts: null,
  types: null,
  direction: null,
  isSuccessful: null,
  order: 'asc',
  lower: 0n,
  upper: MAX_INT64,
  excludedTimes: new Set(),
  limit: 25,
};

forEachBackend('a stored ledger', (begin) => {
  async function open(): Promise<MirrorStore> {
    const { mirror } = await begin().open();
    await mirror.ledger.commitUnit(aUnit());
    return mirror;
  }

  test.each<[string, Partial<TransactionFilter>, readonly bigint[]]>([
    ['all', {}, [0n, 1n, 2n]],
    ['the newest first', { order: 'desc', limit: 2 }, [2n, 1n]],
    ['of an account', { accounts: { kind: 'set', ids: [3n] } }, [1n]],
    ['of a range of accounts', { accounts: { kind: 'range', lower: 2n, upper: 3n, excluded: [2n] } }, [1n]],
    ['credits of an account', { accounts: { kind: 'set', ids: [1001n] }, direction: 'credit' }, []],
    ['of types', { types: [8, 11] }, [0n, 2n]],
    ['that failed', { isSuccessful: false }, [1n]],
    ['within a time', { lower: START + 1n, upper: START + 1n }, [1n]],
    ['but one', { excludedTimes: new Set([START]) }, [1n, 2n]],
  ])('lists transactions: %s', async (_, filter, offsets) => {
    const { transactions } = await open();
    const page = await transactions.page({ ...everything, ...filter });
    const times = offsets.map((offset) => printTimestamp(START + offset));
    const rows = JSON.parse(`[${page.rows}]`) as readonly { readonly consensus_timestamp: string }[];
    expect(rows.map((row) => row.consensus_timestamp)).toEqual(times);
    expect(page).toMatchObject({ count: times.length, first: times[0] ?? null, last: times.at(-1) ?? null });
    expect(page.hasMore).toBe(filter.limit === 2);
  });

  test('finds transactions by id and by hash', async () => {
    const { transactions } = await open();
    const byId = await transactions.findById(1001n, START - 1n);
    expect(byId.map(({ consensusTimestamp: time }) => time)).toEqual([START]);
    expect(await transactions.findById(1001n, START + 5n)).toEqual([]);
    expect(await transactions.findByHash(Buffer.alloc(48, 1), 2)).toMatchObject([
      { consensusTimestamp: START, type: 11, isSuccessful: true },
    ]);
    expect(await transactions.findByHash(Buffer.alloc(48, 2), 2)).toEqual([]);
    expect(await transactions.oldestTimestamp()).toBe(START);
  });

  test('knows balances now and at the snapshots of the past', async () => {
    const mirror = await open();
    const { balances, ledger } = mirror;
    const move = (minute: bigint) => [
      aTransaction(START + minute * MINUTE, { transfers: [aTransfer(2000n, 5n), aTransfer(1001n, -5n)] }),
    ];
    for (const minute of [3n, 17n]) {
      await ledger.commitUnit(fixtureUnit(`${minute}`, { transactions: move(minute) }));
    }
    const all = {
      accounts: { kind: 'set' as const, ids: [2000n] },
      balance: { lower: -MAX_INT64, upper: MAX_INT64, equal: null, excluded: new Set<bigint>() },
      keys: null,
      order: 'asc' as const,
      limit: 10,
    };
    const [first, now] = [START + 3n * MINUTE, START + 17n * MINUTE];
    expect(await balances.page(all, null)).toEqual([{ account: 2000n, balance: 20n, at: now }]);
    const search = { lower: 0n, upper: MAX_INT64, excluded: [] };
    const snapshot = { at: first, since: windowStart(START) };
    expect(await balances.newest(search)).toEqual(snapshot);
    expect(await balances.newest({ ...search, excluded: [first] })).toBeNull();
    expect(await balances.newest({ ...search, upper: first - 1n })).toBeNull();
    expect(await balances.page(all, snapshot)).toEqual([{ account: 2000n, balance: 15n, at: null }]);
    expect(await balances.balanceAt(2000n, snapshot)).toBe(15n);
    expect(await balances.balanceAt(2000n, { ...snapshot, at: first - 1n })).toBeNull();
    expect(await balances.balanceAt(2000n, { at: now, since: first + 1n })).toBeNull();
    expect(await balances.tokensOf(2000n, 10, snapshot, 'asc')).toEqual([{ token: 5005n, balance: 6n }]);
    const holders = { lower: 0n, upper: MAX_INT64, order: 'asc', limit: 10 } as const;
    expect(await balances.holdersAt(TOKEN, snapshot, holders)).toEqual([{ account: 2000n, balance: 6n }]);
    expect(await balances.holdersAt(TOKEN, snapshot, { ...holders, lower: 2001n })).toEqual([]);
    const late = { at: now, since: first + 1n };
    expect(await balances.holdersAt(TOKEN, late, holders)).toEqual([{ account: 2000n, balance: null }]);
    expect(await balances.tokensOf(2000n, 10, null, 'asc')).toEqual([{ token: 5005n, balance: 6n }]);
  });

  test('knows accounts and contracts by id, alias and address', async () => {
    const { entities, reader, lookup } = await open();
    expect(await entities.find(2000n)).toMatchObject({
      type: 'ACCOUNT',
      createdTimestamp: START,
      balance: 10n,
      memo: 'mine',
      maxAutomaticAssociations: -1n,
      ethereumNonce: 0n,
    });
    expect(await entities.find(999_999n)).toBeNull();
    expect(await entities.byAlias(Uint8Array.of(0x0a, 0x0b))).toBe(2000n);
    expect(await entities.byAlias(Uint8Array.of(1))).toBeNull();
    const hex = EVM_ADDRESS.toString('hex');
    expect(await reader.entityByEvmAddress(hex)).toBe(2001n);
    expect(await reader.contractByEvmAddress(hex)).toBe(2001n);
    expect(await reader.entityByEvmAddress('00'.repeat(20))).toBeNull();
    expect(await lookup.entityByAlias(EVM_ADDRESS)).toBe(2001n);
    expect([await lookup.tokenKind(TOKEN), await lookup.tokenKind(entityId(1n))]).toEqual([
      'FUNGIBLE_COMMON',
      null,
    ]);
  });

  test('knows the addresses of entities, long-zero where none is stored', async () => {
    const { contractAddresses, lookup } = await open();
    const known = await lookup.evmAddresses([CONTRACT, entityId(2000n), entityId(999_999n)]);
    expect([...known].map(([id, address]) => [id, Buffer.from(address)])).toEqual([[CONTRACT, EVM_ADDRESS]]);
    expect(await lookup.evmAddresses([])).toEqual(new Map());
    const shown = await contractAddresses.addressesOf([CONTRACT, 2000n, 0n]);
    expect(shown.get(2001n)).toBe(`0x${EVM_ADDRESS.toString('hex')}`);
    expect(shown.get(2000n)).toBe(`0x${'7d0'.padStart(40, '0')}`);
    expect(shown.get(0n) ?? null).toBeNull();
  });

  test('knows the code of contracts by their addresses', async () => {
    const { contractCodes } = await open();
    const found = await contractCodes.find(EVM_ADDRESS);
    expect(found).toMatchObject({ kind: 'contract', contract: 2001n });
    const code = found?.kind === 'contract' ? found.runtimeCode : null;
    expect(Buffer.from(code ?? [])).toEqual(Buffer.of(0x60, 1));
    expect(await contractCodes.find(Buffer.alloc(20, 0xcd))).toBeNull();
    expect(await contractCodes.creation(CONTRACT)).toBeNull();
    expect(await contractCodes.count()).toEqual({ contracts: 1, withRuntimeCode: 1 });
  });

  test('knows how a contract came to be: code, sender, block and both hashes', async () => {
    const { contractCodes, ledger } = await open();
    const [origin, made] = [consensusTimestamp(START + 40n), consensusTimestamp(START + 41n)];
    const contract = entityId(2002n);
    const creation = {
      consensusTimestamp: made,
      originTimestamp: origin,
      transactionHash: Buffer.alloc(32, 4),
      transactionIndex: 3,
      sender: entityId(2001n),
      creationCode: Buffer.of(0x61, 2),
      file: null,
      constructorParameters: null,
    };
    const unit = recordUnit(
      'made',
      {
        transactions: [aTransaction(origin), aTransaction(made, { hash: Buffer.alloc(48, 5) })],
        contracts: [{ contract, creation, runtimeCode: null }],
      },
      { version: 6, blockNumber: 9_007_199_254_740_993n },
    );
    await ledger.commitUnit(unit);
    const found = await contractCodes.creation(contract);
    expect(found).toMatchObject({ blockNumber: 9_007_199_254_740_993n, transactionIndex: 3 });
    const shown = [found?.creationCode, found?.transactionHash, found?.recordHash, found?.deployer];
    expect(shown.map((bytes) => Buffer.from(bytes ?? []).toString('hex'))).toEqual([
      '6102',
      '04'.repeat(32),
      '05'.repeat(32),
      EVM_ADDRESS.toString('hex'),
    ]);
    expect(await contractCodes.code(contract)).toMatchObject({ file: null, runtimeCode: null });
    expect(await contractCodes.code(entityId(1n))).toBeNull();
  });

  test('knows what prices depend on', async () => {
    const { feeState } = await open();
    expect(await feeState.token(TOKEN)).toEqual({ kind: 'FUNGIBLE_COMMON', customFeeCount: 2 });
    expect(await feeState.topic(TOPIC)).toEqual({ fixedFeeCount: 1 });
    expect(await feeState.account(entityId(2000n))).toEqual({ maxAutomaticAssociations: -1n });
    expect(await feeState.accountByAlias(Uint8Array.of(0x0a, 0x0b))).toBe(2000n);
    expect(await feeState.isAssociated(entityId(2000n), TOKEN)).toBe(true);
    expect([
      await feeState.token(entityId(1n)),
      await feeState.topic(TOKEN),
      await feeState.account(entityId(999_999n)),
      await feeState.accountByAlias(Uint8Array.of(1)),
    ]).toEqual([null, null, null, null]);
  });

  test('puts system files together as they were at a time', async () => {
    const { files, ledger } = await open();
    const text = async (upper: bigint) => {
      const version = await files.newestVersion(entityId(112n), 0n, upper);
      return version === null ? null : Buffer.from(version.contents).toString();
    };
    expect([await text(9n), await text(10n), await text(19n), await text(21n)]).toEqual([
      null,
      'a',
      'ab',
      'cd',
    ]);
    expect(await files.firstVersion(entityId(112n), 11n)).toMatchObject({
      firstTimestamp: 20n,
      lastTimestamp: 21n,
    });
    const contents = await ledger.fileContents(112n, consensusTimestamp(19n));
    expect(Buffer.from(contents?.contents ?? []).toString()).toBe('ab');
    const told = async (at: bigint) => (await ledger.fileContents(112n, consensusTimestamp(at)))?.isTold;
    expect([await told(19n), await told(20n), await told(21n)]).toEqual([false, true, true]);
  });

  test('knows the network: balances, rates and stakes', async () => {
    const { network } = await open();
    const some = [{ first: 2000n, last: 2000n }];
    expect(await network.currentBalances(some)).toMatchObject({ total: 10n });
    expect(await network.currentBalances([{ first: 8n, last: 9n }])).toBeNull();
    expect(await network.newestRates(0n, MAX_INT64)).toMatchObject({ timestamp: START });
    expect(await network.newestRates(0n, START - 1n)).toBeNull();
    expect(await network.statedGasPrices(0n, MAX_INT64)).toEqual({
      asOf: START,
      scheduleTimestamp: START,
      prices: [{ kind: 'ContractCall', gas: 9_007_199_254_740_993n }],
    });
    expect(await network.statedGasPrices(0n, START - 1n)).toBeNull();
    expect(await network.oldestRates()).toMatchObject({ timestamp: START });
    expect(await network.newestStake()).toMatchObject({ stakingPeriodDuration: 1440n });
  });

  test('knows the nodes of the newest book with their settings and stakes', async () => {
    const { ledger, network } = await open();
    const at = consensusTimestamp(START + 50n);
    const entry = (nodeId: bigint) => ({
      nodeId,
      nodeAccount: entityId(3n + nodeId),
      description: null,
      memo: null,
      publicKey: `key ${nodeId}`,
      nodeCertHash: null,
      serviceEndpoints: [],
    });
    const book = (startTimestamp: bigint, ids: readonly bigint[]) => ({
      startTimestamp: consensusTimestamp(startTimestamp),
      file: entityId(102n),
      entries: ids.map(entry),
    });
    await ledger.commitUnit(
      fixtureUnit('nodes', {
        transactions: [aTransaction(at)],
        addressBooks: [book(1n, [9n]), book(START + 50n, [0n, 1n, 2n])],
        nodeChanges: [
          { nodeId: 1n, consensusTimestamp: at, account: entityId(7n), associatedRegisteredNodes: [1n, 2n] },
          { nodeId: 1n, consensusTimestamp: at, declineReward: true },
          { nodeId: 1n, consensusTimestamp: at, account: null },
        ],
      }),
    );
    const all = {
      file: entityId(102n),
      lower: 0n,
      upper: MAX_INT64,
      equal: null,
      excluded: new Set<bigint>(),
      order: 'asc' as const,
      limit: 10,
    };
    const ids = async (more: object) =>
      (await network.nodes({ ...all, ...more })).map(({ nodeId }) => nodeId);
    expect(await network.nodes(all)).toMatchObject([
      { nodeId: 0n, publicKey: 'key 0', settings: null, stake: { stake: 13n, rewardRate: 6n } },
      {
        nodeId: 1n,
        bookAccount: 4n,
        settings: { account: null, declineReward: true, associatedRegisteredNodes: [1n, 2n] },
      },
      { nodeId: 2n, bookStart: START + 50n, settings: null },
    ]);
    expect(await ids({ order: 'desc', limit: 2 })).toEqual([2n, 1n]);
    expect(await ids({ lower: 1n, excluded: new Set([2n]) })).toEqual([1n]);
    expect(await ids({ equal: new Set([0n, 2n, 8n]) })).toEqual([0n, 2n]);
    expect(await ids({ file: entityId(101n) })).toEqual([]);
  });

  test('has blocks, found by number, hash and time; fixtures are none', async () => {
    const { blocks, ledger } = await open();
    const first = recordUnit(
      'first',
      { transactions: [aTransaction(START + 10n), aTransaction(START + 20n)] },
      { blockNumber: 5n },
    );
    const second = recordUnit(
      'second',
      { transactions: [aTransaction(START + 30n)] },
      { blockNumber: 6n, previousHash: first.header.hash },
    );
    await ledger.commitUnits([first, second]);
    const all = {
      lower: -MAX_INT64,
      upper: MAX_INT64,
      equal: null,
      excluded: new Set<bigint>(),
      lowerEnd: 0n,
      upperEnd: MAX_INT64,
      excludedEnds: new Set<bigint>(),
      order: 'desc' as const,
      limit: 10,
    };
    const numbers = async (more: object) =>
      (await blocks.page({ ...all, ...more })).map(({ number }) => number);
    expect(await numbers({})).toEqual([6n, 5n]);
    expect(await numbers({ order: 'asc', limit: 1 })).toEqual([5n]);
    expect(await numbers({ excluded: new Set([6n]) })).toEqual([5n]);
    expect(await blocks.byNumber(5n)).toMatchObject({ name: 'first', count: 2n, gasUsed: null });
    expect(await blocks.byHash(first.header.hash.subarray(0, 32))).toMatchObject({ number: 5n });
    expect(await blocks.byHash(new Uint8Array(48))).toBeNull();
  });
});
