import { expect, test } from 'vitest';
import { type FixtureRows, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { type KnownTrust, knownTrustAfter } from '../../src/mirror/ledger/known-trust.ts';
import { noteByLater } from '../../src/mirror/ledger/proof-note.ts';
import type { AddressBook, LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import type { MirrorStore } from '../../src/mirror/mirror-store.ts';
import type { Store } from '../../src/store/store.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { bareHex } from '../../src/values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../src/values/int64.ts';
import { storedUnit } from '../kit/mirror/ledger/stored-unit.ts';
import { aStakeUpdate, aTransaction, aTransfer, NO_KNOWN_TRUST } from '../kit/mirror/ledger-rows.ts';
import { isLeftOut } from '../support/left-out.ts';
import { forEachBackend, NOT_SHARED } from './backends.ts';
import { MINUTE, recordUnit, START } from './ledger-units.ts';

const DAY = 24n * 60n * MINUTE;
const commit = ({ mirror }: Store, name: string, rows: FixtureRows) =>
  mirror.ledger.commitUnit(fixtureUnit(name, rows));
const EVERY_BALANCE = {
  accounts: null,
  balance: { lower: MIN_INT64, upper: MAX_INT64, equal: null, excluded: new Set<bigint>() },
  keys: null,
  order: 'asc',
  limit: 10,
} as const;
const balance = async ({ mirror }: Store, num: bigint) => (await mirror.entities.find(num))?.balance;

/** Bytes as text: what a database gives are other arrays than what was stored. */
const plainTrust = (trust: KnownTrust) =>
  JSON.parse(
    JSON.stringify(trust, (_key, value) => {
      if (value?.type === 'Buffer') return Buffer.from(value.data).toString('hex');
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
      return typeof value === 'bigint' ? `${value}n` : value;
    }),
  );

/** A book of one node. */
const NO_BYTES = new Uint8Array();
const nodesOf = (network: MirrorStore['network']) =>
  network.nodes({
    file: entityId(102n),
    lower: 0n,
    upper: 9n,
    equal: null,
    excluded: new Set(),
    order: 'asc',
    limit: 9,
  });

function bookOf(startTimestamp: bigint, publicKey: string): AddressBook {
  const node = { nodeId: 0n, nodeAccount: entityId(3n), description: null, memo: null };
  return {
    startTimestamp: consensusTimestamp(startTimestamp),
    file: entityId(102n),
    entries: [{ ...node, publicKey, nodeCertHash: null, serviceEndpoints: [] }],
  };
}

forEachBackend('a ledger that units are stored in', (begin, { isShared }) => {
  test('has the newest unit as it was stored', async () => {
    const store = await begin().open();
    const { ledger, reader } = store.mirror;
    expect([await ledger.lastUnit(), await reader.newestConsensusEnd()]).toEqual([null, null]);
    const unit = fixtureUnit('a', { transactions: [aTransaction(START)] });
    const stamp = await reader.stamp();
    expect(await ledger.commitUnit(unit)).toBe('stored');
    const stored = await ledger.lastUnit();
    expect({ ...stored, hash: null, previousHash: null, fileHash: null }).toEqual({
      ...unit.header,
      place: START,
      hash: null,
      previousHash: null,
      fileHash: null,
    });
    expect(Buffer.from(stored?.hash ?? [])).toEqual(Buffer.from(unit.header.hash));
    expect(await reader.newestConsensusEnd()).toBe(START);
    expect(await reader.stamp()).not.toBe(stamp);
    expect([await ledger.hasFile(unit.header.fileHash), await ledger.hasFile(new Uint8Array(48))]).toEqual([
      true,
      false,
    ]);
  });

  test('goes on behind a fixture from the file before it, and tells where its chain breaks', async () => {
    const { ledger, report } = (await begin().open()).mirror;
    expect(await ledger.chainEnd()).toBeNull();
    const record = (name: string, time: bigint, previousHash: Uint8Array) =>
      recordUnit(name, { transactions: [aTransaction(time)] }, { previousHash });
    const first = record('first', START, new Uint8Array(48));
    await ledger.commitUnit(first);
    await ledger.commitUnit(fixtureUnit('between', { transactions: [aTransaction(START + 1n)] }));
    expect(Buffer.from((await ledger.chainEnd())?.hash ?? [])).toEqual(Buffer.from(first.header.hash));
    await ledger.commitUnit(record('follows', START + 2n, first.header.hash));
    expect(await report.continuity()).toEqual({
      units: 3,
      firstConsensus: START,
      lastConsensus: START + 2n,
      breaks: [],
      unlinked: [],
    });
    await ledger.commitUnit(record('stranger', START + 3n, new Uint8Array(48).fill(7)));
    expect((await report.continuity()).breaks).toEqual(['stranger']);
    expect(await ledger.unknownStarts([consensusTimestamp(START), consensusTimestamp(START + 9n)])).toEqual([
      START + 9n,
    ]);
  });

  test('keeps the roots of wrapped record files, and tells where the next block names another one', async () => {
    const { ledger, report } = (await begin().open()).mirror;
    const bytes = (fill: number) => Buffer.alloc(48, fill);
    const unit = (number: number, header: Partial<LedgerUnit['header']>) =>
      recordUnit(
        `${number}`,
        { transactions: [aTransaction(START + BigInt(number))] },
        { hash: bytes(number), previousHash: bytes(number - 1), blockNumber: BigInt(number), ...header },
      );
    const block = (number: number, previousRoot: Uint8Array, header: Partial<LedgerUnit['header']> = {}) =>
      unit(number, { kind: 'block', root: bytes(100 + number), previousRoot, ...header });
    // Roots of record files are not known, and only a native block is asked for them.
    await ledger.commitUnits([unit(1, {}), block(2, bytes(9)), block(3, bytes(102)), block(4, bytes(9))]);
    expect((await report.continuity()).unlinked).toEqual(['4']);
    await ledger.commitUnits([unit(5, {}), block(6, bytes(105), { isNative: true, version: 7 })]);
    expect((await report.continuity()).unlinked).toEqual(['4', '6']);
    await ledger.keepRoot(bytes(5), bytes(105));
    await ledger.keepRoot(bytes(4), bytes(9));
    expect((await report.continuity()).unlinked).toEqual(['4']);
    // A better word for a record file counts; a block has its own root.
    await ledger.keepRoot(bytes(5), bytes(9));
    expect((await report.continuity()).unlinked).toEqual(['4', '6']);
    await ledger.keepRoot(bytes(5), bytes(105));
    const stored = (await ledger.recentUnits(3)).map(({ previousRoot = null, root }) => [previousRoot, root]);
    expect(stored).toContainEqual([bytes(9), bytes(104)]);
    expect(stored.filter(([, root]) => root?.[0] !== 104)).toEqual([
      [bytes(105), bytes(106)],
      [null, bytes(105)],
    ]);
  });

  test('asks no block for a root whose block before is not stored: behind a gap, and behind what retention deleted', async () => {
    const { ledger, report, retention } = (await begin().open()).mirror;
    const bytes = (fill: number) => Buffer.alloc(48, fill);
    const unit = (number: number, header: Partial<LedgerUnit['header']>) =>
      recordUnit(
        `${number}`,
        { transactions: [aTransaction(START + BigInt(number) * DAY)] },
        { hash: bytes(number), previousHash: bytes(number - 1), blockNumber: BigInt(number), ...header },
      );
    const native = { kind: 'block', isNative: true, version: 7 } as const;
    const behindGap = { ...native, previousHash: bytes(103), previousRoot: bytes(103), root: bytes(104) };
    await ledger.commitUnits([unit(1, { root: bytes(101) }), unit(4, behindGap)]);
    expect((await report.continuity()).unlinked).toEqual([]);
    // Nothing is before the first unit that is kept.
    await ledger.commitUnits([
      unit(5, {}),
      unit(7, { ...native, previousHash: bytes(5), previousRoot: bytes(9) }),
    ]);
    expect((await report.continuity()).unlinked).toEqual(['7']);
    await retention.prune(1);
    expect(await report.continuity()).toMatchObject({ units: 1, unlinked: [] });
  });

  test('has the end of its chain, with the roots of blocks as far as they are known', async () => {
    const { ledger } = (await begin().open()).mirror;
    const bytes = (fill: number) => Buffer.alloc(48, fill);
    const unit = (
      name: string,
      time: bigint,
      header: Partial<LedgerUnit['header']>,
      tree: number | null,
    ) => ({
      ...recordUnit(name, { transactions: [aTransaction(time)] }, { hash: bytes(1), version: 6, ...header }),
      tree: tree === null ? null : bytes(tree),
    });
    const end = async () => {
      const found = await ledger.chainEnd();
      const plain = (each: Uint8Array | null | undefined) => (each ? Buffer.from(each) : null);
      return { ...found, hash: plain(found?.hash), root: plain(found?.root), tree: plain(found?.tree) };
    };
    await ledger.commitUnit(unit('wrapped', START, { kind: 'block', blockNumber: 8n, root: bytes(3) }, 2));
    const wrapped = {
      kind: 'block',
      isNative: false,
      version: 6,
      blockNumber: 8n,
      hash: bytes(1),
      root: bytes(3),
      tree: bytes(2),
    };
    expect(await end()).toEqual(wrapped);
    await ledger.commitUnit(fixtureUnit('outside', { transactions: [aTransaction(START + 1n)] }));
    expect(await end()).toEqual(wrapped);

    await ledger.commitUnit(
      unit('record', START + 2n, { blockNumber: 9n, hash: bytes(4), previousHash: bytes(1) }, null),
    );
    const record = { kind: 'record', blockNumber: 9n, hash: bytes(4), root: null, tree: null };
    expect(await end()).toMatchObject(record);

    const native = {
      kind: 'block',
      isNative: true,
      version: 7,
      blockNumber: 10n,
      hash: bytes(6),
      root: bytes(6),
    } as const;
    await ledger.commitUnit(unit('native', START + 3n, { ...native, previousHash: bytes(4) }, 7));
    expect(await end()).toMatchObject({ ...native, tree: bytes(7) });
    expect(await ledger.lastUnit()).toMatchObject({ isNative: true, version: 7 });
  });

  test('is not changed by a unit that it has', async () => {
    const store = await begin().open();
    const rows = {
      transactions: [aTransaction(START, { transfers: [aTransfer(3n, 5n), aTransfer(4n, -5n)] })],
    };
    await commit(store, 'a', rows);
    const stamp = await store.mirror.reader.stamp();
    expect(await commit(store, 'a', rows)).toBe('already-stored');
    expect(await store.mirror.reader.stamp()).toBe(stamp);
    expect(await balance(store, 3n)).toBe(5n);
  });

  test('stores a transaction that two units share once and moves balances once', async () => {
    const store = await begin().open();
    const shared = aTransaction(START, { hash: Buffer.alloc(48, 1), transfers: [aTransfer(3n, 5n)] });
    await commit(store, 'a', { transactions: [shared] });
    expect(await commit(store, 'b', { transactions: [shared, aTransaction(START + 1n)] })).toBe('stored');
    expect((await store.mirror.report.size()).transactions).toBe(2);
    expect(await balance(store, 3n)).toBe(5n);
  });

  test('refuses another hash at a stored time with all of its unit, and of the units beside it', async () => {
    const store = await begin().open();
    await commit(store, 'a', { transactions: [aTransaction(START, { hash: Buffer.alloc(48, 1) })] });
    const good = fixtureUnit('good', { transactions: [aTransaction(START + 1n)] });
    const bad = fixtureUnit('bad', {
      transactions: [
        aTransaction(START, { hash: Buffer.alloc(48, 2), transfers: [aTransfer(3n, 5n)] }),
        aTransaction(START + 2n),
      ],
    });
    await expect(store.mirror.ledger.commitUnits([good, bad])).rejects.toMatchObject({
      code: 'duplicate_conflict',
      details: { consensusTimestamp: '1700000000.000000000' },
    });
    expect((await store.mirror.report.size()).transactions).toBe(1);
    expect(await store.mirror.ledger.lastUnit()).toMatchObject({ name: 'a' });
    expect(await balance(store, 3n)).not.toBe(5n);
  });

  test('knows the balances of accounts that it saw created or stated, and from genesis of all', async () => {
    const late = await begin().open();
    await late.mirror.ledger.commitUnit(
      recordUnit(
        'a',
        {
          balances: [{ account: entityId(2n), balance: 100n, timestamp: consensusTimestamp(START - 1n) }],
          transactions: [
            aTransaction(START, {
              type: 11,
              entityId: entityId(2000n),
              transfers: [aTransfer(2n, -7n), aTransfer(3n, -3n), aTransfer(2000n, 10n)],
            }),
          ],
        },
        { blockNumber: 77n },
      ),
    );
    expect([await balance(late, 2n), (await balance(late, 3n)) ?? null, await balance(late, 2000n)]).toEqual([
      93n,
      null,
      10n,
    ]);
    const genesis = await begin().open();
    const transactions = [aTransaction(START, { transfers: [aTransfer(3n, -3n)] })];
    await genesis.mirror.ledger.commitUnit(recordUnit('a', { transactions }));
    expect(await balance(genesis, 3n)).toBe(-3n);
  });

  test('takes a balance beyond int64 for unknown, and an entry that never happened for none', async () => {
    const store = await begin().open();
    const huge = 9_223_372_036_854_775_807n;
    await commit(store, 'a', {
      transactions: [
        aTransaction(START, {
          transfers: [
            aTransfer(3n, huge),
            aTransfer(3n, huge),
            aTransfer(4n, -2n),
            { ...aTransfer(4n, -5n), neverHappened: true },
          ],
        }),
      ],
    });
    expect([await balance(store, 3n), await balance(store, 4n)]).toEqual([null, -2n]);
  });

  test('takes a snapshot two minutes after the first unit, then every quarter of an hour, of what changed', async () => {
    const store = await begin().open();
    const move = (minute: bigint, from: bigint, to: bigint) =>
      commit(store, `${minute}`, {
        transactions: [
          aTransaction(START + minute * MINUTE, { transfers: [aTransfer(from, -1n), aTransfer(to, 1n)] }),
        ],
      });
    await move(0n, 3n, 4n);
    await move(1n, 4n, 5n);
    const { balances } = store.mirror;
    const newest = async () =>
      (await balances.newest({ lower: 0n, upper: MAX_INT64, excluded: [] }))?.at ?? START;
    expect(await newest()).toBe(START);
    await move(2n, 2000n, 5n);
    expect(await newest()).toBe(START + 2n * MINUTE);
    await move(16n, 3n, 4n);
    expect(await newest()).toBe(START + 2n * MINUTE);
    await move(17n, 3n, 5n);
    expect(await newest()).toBe(START + 17n * MINUTE);
    const at = async (minute: bigint, since: bigint) => {
      const snapshot = { at: START + minute * MINUTE, since: START + since * MINUTE };
      const page = await balances.page(EVERY_BALANCE, snapshot);
      return page.map(({ account, balance: tinybars }) => [account, tinybars]);
    };
    expect(await at(1n, 0n)).toEqual([]);
    const first = [
      [3n, -1n],
      [4n, 0n],
      [5n, 2n],
      [2000n, -1n],
    ];
    expect(await at(2n, 0n)).toEqual(first);
    expect(await at(16n, 0n)).toEqual(first);
    expect(await at(17n, 0n)).toEqual([
      [3n, -3n],
      [4n, 1n],
      [5n, 3n],
      [2000n, -1n],
    ]);
    expect((await at(17n, 17n)).map(([account]) => account)).toEqual([3n, 4n, 5n]);
  });

  test('forgets the rows of snapshots before a jump', async () => {
    const store = await begin().open();
    const moved = (minute: bigint) => ({
      transactions: [
        aTransaction(START + minute * MINUTE, { transfers: [aTransfer(3n, -1n), aTransfer(4n, 1n)] }),
      ],
    });
    const [a, b] = [recordUnit('a', moved(0n)), recordUnit('b', moved(2n), { blockNumber: 1n })];
    const c = recordUnit('c', moved(60n), { blockNumber: 9n });
    await store.mirror.ledger.commitUnit(a);
    await store.mirror.ledger.commitUnit({ ...b, header: { ...b.header, previousHash: a.header.hash } });
    await store.mirror.ledger.commitUnit({
      ...c,
      header: { ...c.header, previousHash: Buffer.alloc(48, 1) },
    });
    const { balances } = store.mirror;
    const find = (upper: bigint) => balances.newest({ lower: 0n, upper, excluded: [] });
    expect(await find(MAX_INT64)).toEqual({ at: START + 60n * MINUTE, since: START + 2n * MINUTE + 1n });
  });

  test('tells of each balance when it was last moved, whatever else its unit held', async () => {
    const store = await begin().open();
    await commit(store, 'a', {
      transactions: [
        aTransaction(START, { transfers: [aTransfer(3n, -1n), aTransfer(4n, 1n)] }),
        aTransaction(START + 1n, { transfers: [aTransfer(3n, -1n), aTransfer(5n, 1n)] }),
        aTransaction(START + 2n),
      ],
    });
    const times = [3n, 4n, 5n].map(async (num) => (await store.mirror.entities.find(num))?.balanceTimestamp);
    expect(await Promise.all(times)).toEqual([START + 1n, START, START + 1n]);
  });

  test('tells the signers at a time from the book and the stake update of that time', async () => {
    const store = await begin().open();
    const { ledger } = store.mirror;
    await commit(store, 'a', {
      transactions: [aTransaction(START)],
      addressBooks: [bookOf(1n, 'aa'), bookOf(START + 1n, 'bb')],
      stakeUpdates: [aStakeUpdate(START)],
    });
    expect(await ledger.nodeKeysAt(consensusTimestamp(0n))).toBeNull();
    expect((await ledger.nodeKeysAt(consensusTimestamp(START - 1n)))?.nodes).toMatchObject([
      { publicKey: 'aa', stake: 0n },
    ]);
    expect((await ledger.nodeKeysAt(consensusTimestamp(START + 1n)))?.nodes).toMatchObject([
      { publicKey: 'bb', stake: 13n },
    ]);
  });

  test('tells the signers of a unit that begins before the end of the one that named them', async () => {
    const { ledger } = (await begin().open()).mirror;
    const named = {
      transactions: [aTransaction(START)],
      addressBooks: [bookOf(1n, 'aa'), bookOf(START + 1n, 'bb')],
      stakeUpdates: [aStakeUpdate(START)],
    };
    await ledger.commitUnit(recordUnit('a', named));
    const early = consensusTimestamp(START - 9n);
    expect((await ledger.nodeKeysAt(early))?.nodes).toMatchObject([{ publicKey: 'bb', stake: 13n }]);
    // Of one that is checked again the keys are those that it was checked with.
    expect((await ledger.nodeKeysAt(early, true))?.nodes).toMatchObject([{ publicKey: 'aa', stake: 0n }]);
  });

  test('tells signers, nodes, stakes and ledger ids in the order of the chain, whatever the times', async () => {
    const { ledger, network, report, retention } = (await begin().open()).mirror;
    const told = (at: bigint, publicKey: string, stake: bigint) => ({
      filePieces: [
        {
          file: entityId(102n),
          consensusTimestamp: consensusTimestamp(at),
          transactionType: 19 as const,
          contents: new Uint8Array([1]),
        },
      ],
      addressBooks: [bookOf(at + 1n, publicKey)],
      stakeUpdates: [aStakeUpdate(at)].map((update) => ({
        ...update,
        nodes: update.nodes.map((node) => ({ ...node, stake })),
      })),
      publications: [
        {
          consensusTimestamp: consensusTimestamp(at),
          ledgerId: Buffer.from(publicKey, 'hex'),
          body: NO_BYTES,
        },
      ],
    });
    const unit = (index: bigint, times: readonly bigint[], rows: FixtureRows) => {
      const made = recordUnit(`${index}`, rows, { blockNumber: index });
      // A fixture would have them ascending.
      return { ...made, transactions: times.map((time) => aTransaction(time)) };
    };
    const [first, second, third, fourth] = [9n, 10n, 5n, 3n].map((time) => START + time) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    await ledger.commitUnits([
      unit(0n, [first], { transactions: [aTransaction(first)], addressBooks: [bookOf(1n, 'aa')] }),
      unit(1n, [second], { transactions: [aTransaction(second)], ...told(second, 'bb', 1n) }),
      unit(2n, [third, fourth], {
        transactions: [aTransaction(fourth), aTransaction(third)],
        ...told(fourth, 'cc', 2n),
      }),
    ]);
    const nodesAt = async (...asked: Parameters<typeof ledger.nodeKeysAt>) =>
      (await ledger.nodeKeysAt(...asked))?.nodes;
    // The next unit is checked with what was told last.
    expect(await nodesAt(consensusTimestamp(START))).toMatchObject([{ publicKey: 'cc', stake: 2n }]);
    // Those that are stored, with what was told before them.
    expect(await nodesAt(consensusTimestamp(third), true)).toMatchObject([{ publicKey: 'bb', stake: 1n }]);
    expect(await nodesAt(consensusTimestamp(second), true)).toMatchObject([{ publicKey: 'aa', stake: 0n }]);
    const expectNewest = async () => {
      expect(await nodesOf(network)).toMatchObject([{ publicKey: 'cc', stake: { stake: 2n } }]);
      expect(await network.newestStake()).toMatchObject({ consensusTimestamp: fourth });
      const published = (await ledger.knownTrust()).publications.map(({ ledgerId }) => bareHex(ledgerId));
      expect(published).toEqual(['bb', 'cc']);
      expect((await report.ledgerIds()).map(({ ledgerId }) => bareHex(ledgerId))).toEqual(['bb', 'cc']);
    };
    await expectNewest();
    // They outlive their transactions, and with them their order.
    const late = START + 3n * DAY;
    await ledger.commitUnits([unit(3n, [late], { transactions: [aTransaction(late)] })]);
    for (const deleted of [0, 3]) {
      if (deleted > 0) expect(await retention.prune(1)).toEqual({ transactions: 4, units: deleted });
      await expectNewest();
      for (const asked of [[late], [late, true]] as const) {
        const nodes = await nodesAt(consensusTimestamp(asked[0]), asked[1]);
        expect(nodes).toMatchObject([{ publicKey: 'cc', stake: 2n }]);
      }
    }
  });

  test('shows a book and stakes that another mirror told, and checks nothing with them', async () => {
    const store = await begin().open();
    const { ledger, network } = store.mirror;
    const book = (publicKey: string, isTold: boolean) => ({ ...bookOf(1n, publicKey), isTold });
    const nodes = () => nodesOf(network);
    await commit(store, 'told', {
      transactions: [aTransaction(START)],
      addressBooks: [book('aa', true)],
      stakeUpdates: [{ ...aStakeUpdate(START), isTold: true }],
    });
    const now = consensusTimestamp(START + 9n);
    expect(await ledger.nodeKeysAt(now)).toBeNull();
    expect(await nodes()).toMatchObject([{ publicKey: 'aa', stake: { stake: 13n } }]);
    await commit(store, 'vouched', {
      transactions: [aTransaction(START + 1n)],
      addressBooks: [book('bb', false)],
    });
    await commit(store, 'told again', {
      transactions: [aTransaction(START + 2n)],
      addressBooks: [book('cc', true)],
    });
    expect((await ledger.nodeKeysAt(now))?.nodes).toMatchObject([{ publicKey: 'bb', stake: 0n }]);
    expect(await nodes()).toMatchObject([{ publicKey: 'bb' }]);
  });

  test('keeps the gaps that an operator accepted', async () => {
    const { gaps } = (await begin().open()).mirror;
    const [expectedHash, foundHash] = [new Uint8Array(48).fill(1), new Uint8Array(48).fill(2)];
    expect(await gaps.accepted()).toEqual([]);
    await gaps.accept({ from: 10n, to: 20n, unit: 'u', expectedHash, foundHash, reason: 'lost' });
    expect(await gaps.accepted()).toMatchObject([{ from: 10n, to: 20n, unit: 'u', reason: 'lost' }]);
    expect([
      await gaps.accepts(expectedHash, foundHash, 30n),
      await gaps.accepts(foundHash, expectedHash, 20n),
    ]).toEqual([true, false]);
    await gaps.accept({
      from: 30n,
      to: 40n,
      unit: 'v',
      expectedHash,
      foundHash: expectedHash,
      reason: 'lost',
    });
    expect([
      await gaps.accepts(expectedHash, expectedHash, 40n),
      await gaps.accepts(expectedHash, expectedHash, 41n),
    ]).toEqual([true, false]);
    expect([await gaps.covers(15n), await gaps.covers(20n), await gaps.covers(21n)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('deletes what is older than an operator keeps, but never the newest unit', async () => {
    const store = await begin().open();
    const { report, retention, transactions } = store.mirror;
    for (const day of [0n, 1n, 9n]) {
      const transactions = [aTransaction(START + day * DAY, { transfers: [aTransfer(3n, 1n)] })];
      await commit(store, `day ${day}`, { transactions });
    }
    expect(await retention.hasPruned()).toBe(false);
    expect(await retention.prune(2)).toEqual({ transactions: 2, units: 2 });
    expect(await retention.hasPruned()).toBe(true);
    expect(await retention.prune(0)).toEqual({ transactions: 0, units: 0 });
    expect(await transactions.oldestTimestamp()).toBe(START + 9n * DAY);
    expect((await report.size()).transactions).toBe(1);
    expect(await balance(store, 3n)).toBe(3n);
  });

  test('reports units in runs, or each by itself', async () => {
    const { ledger, report } = (await begin().open()).mirror;
    for (const [index, name] of ['a', 'b'].entries()) {
      await ledger.commitUnit(recordUnit(name, { transactions: [aTransaction(START + BigInt(index))] }));
    }
    expect(await report.unitRuns()).toMatchObject([
      { units: 2, transactions: 2, firstName: 'a', lastName: 'b', first: START, last: START + 1n },
    ]);
    expect((await report.unitRuns(true)).map(({ firstName }) => firstName)).toEqual(['a', 'b']);
    expect(await report.ledgerIds()).toEqual([]);
  });

  test('keeps every publication of a ledger id, and what proofs of blocks showed', async () => {
    const { ledger, report } = (await begin().open()).mirror;
    expect(await ledger.knownTrust()).toEqual(NO_KNOWN_TRUST);
    const publication = (at: bigint, fill: number) => ({
      consensusTimestamp: consensusTimestamp(at),
      ledgerId: new Uint8Array(32).fill(fill),
      body: Uint8Array.of(fill),
    });
    const [key, later] = [1, 2].map((fill) => new Uint8Array(1096).fill(fill)) as [Uint8Array, Uint8Array];
    const stateLedgerId = new Uint8Array(32).fill(7);
    const units = [
      recordUnit(
        'claimed',
        { transactions: [aTransaction(START)], publications: [publication(START, 1)] },
        { verification: 'chain' },
      ),
      recordUnit(
        'signed',
        {
          transactions: [aTransaction(START + 1n)],
          publications: [publication(START + 1n, 2)],
          proofs: [{ generation: 1, keys: [key], stateLedgerId }],
        },
        { verification: 'signatures', isNative: true, proof: 'generation 1' },
      ),
      recordUnit(
        'later',
        {
          transactions: [aTransaction(START + 2n)],
          proofs: [{ generation: null, keys: [later, key], stateLedgerId: new Uint8Array(32) }],
        },
        { isNative: true },
      ),
    ];
    let previousHash: Uint8Array = new Uint8Array(48);
    let known = NO_KNOWN_TRUST;
    for (const unit of units) {
      const linked = { ...unit, header: { ...unit.header, previousHash } };
      await ledger.commitUnit(linked);
      previousHash = unit.header.hash;
      known = knownTrustAfter(known, linked, false);
      expect(plainTrust(await ledger.knownTrust())).toEqual(plainTrust(known));
    }
    expect(known).toMatchObject({ generation: 1, keys: [later, key], stateLedgerId });
    expect(known.publications.map(({ isSigned }) => isSigned)).toEqual([false, true]);
    expect((await report.ledgerIds()).map(({ ledgerId, isSigned }) => [ledgerId[0], isSigned])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect((await report.unitRuns()).map(({ proof }) => proof)).toEqual([null, 'generation 1', null]);
    expect((await ledger.lastUnit())?.proof).toBeUndefined();
    const jump = recordUnit('jump', { transactions: [aTransaction(START + 9n)] }, { isNative: true });
    await ledger.commitUnit(jump);
    expect(await ledger.knownTrust()).toMatchObject({ generation: 1, keys: [] });
  });

  test('reports blocks in one run, whether their own proof or that of a later one was checked', async () => {
    const { ledger, report } = (await begin().open()).mirror;
    const notes = [
      'generation 2',
      noteByLater('generation 2', 'c'),
      'generation 2',
      'generation 1, not allowed',
    ];
    for (const [index, proof] of notes.entries()) {
      const rows = { transactions: [aTransaction(START + BigInt(index))] };
      await ledger.commitUnit(recordUnit(`${index}`, rows, { proof }));
    }
    expect((await report.unitRuns()).map(({ proof, units }) => [units, proof])).toEqual([
      [3, 'generation 2'],
      [1, 'generation 1, not allowed'],
    ]);
    expect((await report.unitRuns(true)).map(({ proof }) => proof)).toEqual(notes);
  });

  test('is rebuilt from its units beside the one that is served', async () => {
    const store = await begin().open();
    const { ledger, rebuild } = store.mirror;
    const unit = recordUnit('a', { transactions: [aTransaction(START, { transfers: [aTransfer(3n, 4n)] })] });
    await ledger.commitUnit(unit);
    expect(await rebuild().units.count()).toBe(1);
    expect(await rebuild().units.next(null)).toMatchObject({ name: 'a' });
    expect(await rebuild().units.next(START)).toBeNull();
    const state = await rebuild().beginState();
    await state.add(
      storedUnit({
        ...unit,
        transactions: unit.transactions.map((row) => ({ ...row, transfers: [aTransfer(3n, 9n)] })),
      }),
    );
    expect(await balance(store, 3n)).toBe(4n);
    expect(await state.replace()).toBe('replaced');
    expect(await balance(store, 3n)).toBe(9n);
    await state.close();
    await state.close();
  });

  test('gives the bytes of its units back, and takes their transactions written anew', async () => {
    const { ledger, rebuild, transactions, reader } = (await begin().open()).mirror;
    const bytes = { transactionBytes: Buffer.of(1, 2), recordBytes: Buffer.of(3) };
    const unit = recordUnit('a', { transactions: [aTransaction(START, bytes), aTransaction(START + 1n)] });
    const whole = recordUnit(
      'b',
      { transactions: [aTransaction(START + 2n, bytes)] },
      { previousHash: unit.header.hash },
    );
    await ledger.commitUnits([unit, whole]);
    expect(await rebuild().units.items(storedUnit(unit).header)).toBeNull();
    const items = (await rebuild().units.items(storedUnit(whole).header)) ?? [];
    expect(items.map((item) => [[...item.transaction], [...item.record]])).toEqual([[[1, 2], [3]]]);
    const stamp = await reader.stamp();
    const hash = Buffer.alloc(48, 7);
    const anew = [aTransaction(START, { ...bytes, hash }), aTransaction(START + 1n, bytes)];
    await rebuild().units.rewrite(
      storedUnit({ ...unit, transactions: anew, gas: { used: 21n, bloom: null, receiptsRoot: null } }),
    );
    expect(await rebuild().units.items(storedUnit(unit).header)).toHaveLength(2);
    expect(await transactions.findByHash(hash, 2)).toMatchObject([{ consensusTimestamp: START }]);
    expect(await reader.stamp()).not.toBe(stamp);
  });

  test('lets one import in at a time', async () => {
    const { importLock } = (await begin().open()).mirror;
    const lease = await importLock.take();
    expect(lease).not.toBeNull();
    await lease?.release();
    const next = await importLock.take();
    expect(next).not.toBeNull();
    await next?.release();
  });

  test.skipIf(isLeftOut(isShared ? null : NOT_SHARED))(
    'lets no import in while another process has the right',
    async () => {
      const database = begin();
      const [one, two] = [await database.open(), await database.open()];
      const lease = await one.mirror.importLock.take();
      expect(await two.mirror.importLock.take()).toBeNull();
      await lease?.release();
      const next = await two.mirror.importLock.take();
      expect(next).not.toBeNull();
      await next?.release();
    },
  );

  test('has the last value of each slot of a contract, also of several in one commit', async () => {
    const { contractState, ledger } = (await begin().open()).mirror;
    const contract = entityId(2004n);
    const change = (at: bigint, slot: number, written: number | null, isMigration = false) => ({
      ...{ contract, consensusTimestamp: consensusTimestamp(at), isMigration, leavesState: true },
      ...{ slot: Uint8Array.of(slot), valueRead: Uint8Array.of(9) },
      valueWritten: written === null ? null : Uint8Array.of(...(written === 0 ? [] : [written])),
    });
    const unit = (name: string, at: bigint, changes: ReturnType<typeof change>[]) =>
      fixtureUnit(name, { transactions: [aTransaction(at)], contractStateChanges: changes });
    const first = unit('first', START, [change(START, 1, 5), change(START, 2, 5), change(START, 3, null)]);
    const second = unit('second', START + 1n, [change(START + 1n, 1, 6), change(START + 1n, 4, null, true)]);
    await ledger.commitUnits([first, second]);
    await ledger.commitUnit(unit('third', START + 2n, [change(START + 2n, 2, 0), change(START + 2n, 1, 7)]));
    const found = await contractState.page({
      ...{ contract, lower: new Uint8Array(32), upper: new Uint8Array(32).fill(0xff), equal: null },
      ...{ times: null, order: 'asc', limit: 10 },
    });
    expect(found.map(({ slot, value, consensusTimestamp: at }) => [slot.at(-1), [...value], at])).toEqual([
      [1, [7], START + 2n],
      [2, [], START + 2n],
      [4, [9], START + 1n],
    ]);
  });

  test('gives the sidecars of its units back', async () => {
    const { ledger, rebuild } = (await begin().open()).mirror;
    const hash = new Uint8Array(48).fill(3);
    const unit = fixtureUnit('told', {
      transactions: [aTransaction(START)],
      sidecars: [
        { id: 2, types: [3, 62], hash, contents: null },
        { id: 1, types: [1, 2], hash, contents: Uint8Array.of(7) },
      ],
    });
    await ledger.commitUnit(unit);
    await ledger.commitUnit(fixtureUnit('silent', { transactions: [aTransaction(START + 1n)] }));
    const sidecars = await rebuild().units.sidecars(storedUnit(unit).header);
    expect(sidecars.map(({ contents, id, types }) => [id, types, contents && [...contents]])).toEqual([
      [1, [1, 2], [7]],
      [2, [3, 62], null],
    ]);
  });
});
