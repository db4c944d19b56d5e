import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TopicMessage } from '../../src/mirror/ledger/facets/topic-messages.ts';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerRepository } from '../../src/mirror/ledger/ledger-repository.ts';
import type {
  FilePiece,
  LedgerTransaction,
  LedgerUnit,
  StoredUnitHeader,
} from '../../src/mirror/ledger/rows.ts';
import type { MirrorStore, RebuildStore } from '../../src/mirror/mirror-store.ts';
import { consensusTimestamp, printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../src/values/entity-id.ts';
import { MAX_INT64, MIN_INT64 } from '../../src/values/int64.ts';
import { ledgerItem } from '../../tools/network/ledger-item.ts';
import { aTransaction, aTransfer } from '../kit/mirror/ledger-rows.ts';
import { buildMirrorApp } from '../kit/mirror/mirror-app.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { forEachBackend } from './backends.ts';
import {
  createChangeDrawer,
  type DrawnChange,
  type Random,
  replayed,
  replayedStates,
  rowsOfChanges,
  storedStates,
} from './drawn-changes.ts';
import { MINUTE, recordUnit, START } from './ledger-units.ts';

/** `npm run test:crash` asks for 10 000, which takes minutes. */
const BLOCKS = Number(process.env['ODD_BLOCKS'] ?? 400);
const ACCOUNTS = [1000n, 1001n, 1002n, 1003n, 1004n];
/** What hangs is found all the same; PostgreSQL takes several times as long as SQLite. */
const timeout = 60_000 + BLOCKS * 600;
const BATCH = 25;
const ALL = {
  lower: MIN_INT64,
  upper: MAX_INT64,
  equal: null,
  excluded: new Set<bigint>(),
  lowerEnd: MIN_INT64,
  upperEnd: MAX_INT64,
  only: null,
  excludedEnds: new Set<bigint>(),
  order: 'asc' as const,
  limit: BLOCKS + 1,
};

interface OddLedger {
  readonly units: readonly LedgerUnit[];
  /** Of each unit, in its order. */
  readonly changes: readonly (readonly DrawnChange[])[];
}

/** Blocks whose times step back and overlap; no two transactions share a time, some blocks are empty. */
function oddLedger(random: Random): OddLedger {
  const used = new Set<bigint>();
  const draw = createChangeDrawer(random);
  const changes: DrawnChange[][] = [];
  let previousHash: Uint8Array = new Uint8Array(48);
  const units = Array.from({ length: BLOCKS }, (_, number) => {
    const spread = random(4) === 0 ? 3000 : 90;
    const transactions: LedgerTransaction[] = [];
    const own: DrawnChange[] = [];
    changes.push(own);
    for (let count = random(6); count > 0; count--) {
      const at = consensusTimestamp(START + BigInt(number * 100 + random(spread) - (spread > 90 ? 1500 : 0)));
      if (at < START || used.has(at)) continue;
      used.add(at);
      const bytes = { transactionBytes: Buffer.from(`${at}`), recordBytes: Buffer.from(`record ${at}`) };
      const hash = createHash('sha384').update(`${at}`).digest();
      const transfers = [aTransfer(ACCOUNTS[random(ACCOUNTS.length)] ?? 0n, 1n), aTransfer(98n, -1n)];
      const change = draw(at);
      own.push(change);
      const { nftTransfers = [] } = change;
      transactions.push(aTransaction(at, { ...bytes, hash, transfers, nftTransfers }));
    }
    const times = transactions.map(({ consensusTimestamp: at }) => at);
    if (times.length === 0) times.push(consensusTimestamp(START + BigInt(number * 100 - random(500))));
    const hash = createHash('sha384').update(`block ${number}`).digest();
    const unit = recordUnit(
      `block-${number}`,
      { ...rowsOfChanges(own), transactions },
      {
        kind: 'block',
        isNative: true,
        version: 7,
        blockNumber: BigInt(number),
        hash,
        previousHash,
        fileHash: hash,
        count: transactions.length,
        consensusStart: times.reduce((least, at) => (at < least ? at : least)),
        consensusEnd: times.reduce((greatest, at) => (at > greatest ? at : greatest)),
      },
    );
    previousHash = hash;
    // A fixture would have them ascending.
    return { ...unit, transactions };
  });
  return { units, changes };
}

function drawn(): OddLedger & { readonly random: Random } {
  const next = numbersFrom(freshSeed());
  const random: Random = (below) => Math.floor(next() * below);
  return { ...oddLedger(random), random };
}

async function commitTwice(
  units: readonly LedgerUnit[],
  ledger: LedgerRepository,
  check: (count: number) => Promise<void> = async () => {},
) {
  for (let first = 0; first < BLOCKS; first += BATCH) {
    const batch = units.slice(first, first + BATCH);
    expect(new Set(await ledger.commitUnits(batch))).toEqual(new Set(['stored']));
    // As after a crash before the answer: what is stored is stored.
    expect(new Set(await ledger.commitUnits(batch))).toEqual(new Set(['already-stored']));
    await check(first + batch.length);
  }
}

/** Folds the same units once more beside the ledger. */
async function rebuildState(units: readonly LedgerUnit[], rebuild: RebuildStore) {
  const state = await rebuild.beginState();
  let place: bigint | null = null;
  for (const unit of units) {
    const header: StoredUnitHeader | null = await rebuild.units.next(place);
    if (header === null) expect.fail('a unit is missing');
    await state.add({ ...unit, header });
    place = header.place;
  }
  expect(await state.replace()).toBe('replaced');
  await state.close();
}

const timesOf = ({ transactions }: LedgerUnit) =>
  transactions.map(({ consensusTimestamp: at }): bigint => at);
const ascending = <Time extends bigint>(times: readonly Time[]) =>
  [...times].sort((one, other) => (one < other ? -1 : 1));

/** Bounds of times compare the ends of blocks, wherever they stand. */
async function expectPages(units: readonly LedgerUnit[], blocks: MirrorStore['blocks'], random: Random) {
  for (let count = 0; count < 60; count++) {
    const [lowerEnd, upperEnd] = ascending([0, 0].map(() => START + BigInt(random(BLOCKS * 100))));
    const selection = { ...ALL, lowerEnd: lowerEnd ?? 0n, upperEnd: upperEnd ?? 0n, limit: 1 + random(30) };
    const within = units
      .filter(({ header: { consensusEnd: end } }) => end >= selection.lowerEnd && end <= selection.upperEnd)
      .map(({ header }) => header.blockNumber);
    const numbers = async (order: 'asc' | 'desc') =>
      (await blocks.page({ ...selection, order })).map(({ number }) => number);
    expect(await numbers('asc')).toEqual(within.slice(0, selection.limit));
    expect(await numbers('desc')).toEqual(within.toReversed().slice(0, selection.limit));
  }
}

const FILE = entityId(5000n);
const WRITES = { 16: 'fileAppend', 17: 'fileCreate', 19: 'fileUpdate' } as const;

/** The same transaction, writing its time into the file. */
function writing(transaction: LedgerTransaction, type: keyof typeof WRITES): LedgerTransaction {
  const { consensusTimestamp: at, payer } = transaction;
  const data = { [WRITES[type]]: { contents: Buffer.from(`${at} `) } };
  const item = { consensus: at, validStart: at, payer: payer ?? 0n, data, status: 22, fee: 0n, node: 3n };
  const { transaction: transactionBytes } = ledgerItem(item, { shard: 0n, realm: 0n });
  return { ...transaction, type, entityId: FILE, transactionBytes };
}

/** Every list whole: transactions, those of each account, blocks. */
async function expectWalks(units: readonly LedgerUnit[], store: MirrorStore) {
  const { app, close } = await buildMirrorApp({ store });
  const walk = async (path: string, name: string) => {
    const rows: Record<string, unknown>[] = [];
    for (let next: string | null = `/api/v1/${path}`; next !== null; ) {
      const page: { links: { next: string | null } } = (await app.inject(next)).json();
      rows.push(...((page as unknown as Record<string, []>)[name] ?? []));
      next = page.links.next;
    }
    return rows;
  };
  const times = (transactions: readonly LedgerTransaction[]) =>
    ascending(transactions.map(({ consensusTimestamp: at }) => at)).map((at) => printTimestamp(at));
  const walked = async (query: string) =>
    (await walk(`transactions?order=asc&limit=100${query}`, 'transactions')).map(
      ({ consensus_timestamp: at }) => at,
    );
  const all = units.flatMap(({ transactions }) => transactions);
  try {
    expect(await walked('')).toEqual(times(all));
    for (const account of ACCOUNTS) {
      const own = all.filter(
        ({ payer, transfers, nftTransfers }) =>
          [payer, ...transfers.map((each) => each.account)].includes(entityId(account)) ||
          nftTransfers.some(({ receiver, sender }) => [receiver, sender].includes(entityId(account))),
      );
      expect(await walked(`&account.id=0.0.${account}`)).toEqual(times(own));
    }
    const blocks = await walk('blocks?order=asc&limit=100', 'blocks');
    expect(blocks.map(({ count, number }) => [number, count])).toEqual(
      units.map(({ header, transactions }) => [Number(header.blockNumber), transactions.length]),
    );
  } finally {
    await close();
  }
}

/** A rebuild gets the bytes of each unit in the order in which they came. */
async function expectStoredItems(units: readonly LedgerUnit[], stored: RebuildStore['units']) {
  let place: bigint | null = null;
  for (const unit of units) {
    const header: StoredUnitHeader | null = await stored.next(place);
    if (header === null) expect.fail('a unit is missing');
    expect(header.name).toBe(unit.header.name);
    const items = (await stored.items(header)) ?? [];
    expect(items.map(({ transaction }) => Buffer.from(transaction).toString())).toEqual(
      timesOf(unit).map(String),
    );
    place = header.place;
  }
  expect(await stored.next(place)).toBeNull();
}

/** @see contracts/streams.md section 11: order is block number and place in the block, times are data */
forEachBackend('a ledger whose times step back and overlap', (begin) => {
  test('has every transaction once, in the block that holds it', { timeout }, async () => {
    const { random, units } = drawn();
    const { mirror } = await begin().open();
    await commitTwice(units, mirror.ledger);
    const all = units.flatMap(timesOf);
    expect(all.length).toBeGreaterThan(BLOCKS);
    const listed = await mirror.blocks.page(ALL);
    expect(
      listed.map(({ number, consensusStart, consensusEnd }) => [number, consensusStart, consensusEnd]),
    ).toEqual(units.map(({ header }) => [header.blockNumber, header.consensusStart, header.consensusEnd]));
    const numberOf = new Map(
      units.flatMap((unit) => timesOf(unit).map((at) => [at, unit.header.blockNumber])),
    );
    const holding = await mirror.blocks.holding(all);
    expect(new Map([...holding].map(([at, { number }]) => [at, number]))).toEqual(numberOf);
    for (const [index, block] of listed.entries()) {
      const { equal, excluded } = await mirror.blocks.ownTimes(block);
      const between = all.filter((at) => at >= block.consensusStart && at <= block.consensusEnd);
      const own = between.filter((at) => !excluded.has(at) && (equal?.has(at) ?? true));
      expect(ascending(own)).toEqual(ascending(timesOf(units[index] as LedgerUnit)));
    }
    for (const { consensusTimestamp: at, hash, payer, validStart } of units.flatMap(
      ({ transactions }) => transactions,
    )) {
      const found = { consensusTimestamp: at };
      expect(await mirror.transactions.findByHash(hash ?? new Uint8Array(), 2)).toMatchObject([found]);
      expect(await mirror.transactions.findById(payer ?? 0n, validStart ?? 0n)).toMatchObject([found]);
    }
    await expectWalks(units, mirror);
    await expectPages(units, mirror.blocks, random);
    await expectStoredItems(units, mirror.rebuild().units);
  });

  test('has the state that change after change makes, also after a rebuild', { timeout }, async () => {
    const { changes, random, units } = drawn();
    const { mirror } = await begin().open();
    const expectStates = async (count: number, times: readonly bigint[] = []) => {
      const expected = replayedStates(replayed(changes.slice(0, count).flat()), times);
      expect(await storedStates(mirror, times)).toEqual(expected);
    };
    await commitTwice(units, mirror.ledger, expectStates);
    const times = Array.from({ length: 60 }, () => START + BigInt(random(BLOCKS * 100)));
    await expectStates(BLOCKS, times);
    await rebuildState(units, mirror.rebuild());
    await expectStates(BLOCKS, times);
  });

  test.each([
    ['has every move in the next copy of balances', 0n],
    ['keeps what a fixture states of later', 90n * MINUTE],
  ])('%s', async (_what, stated) => {
    const { mirror } = await begin().open();
    const [alice, bob] = [1000n, 1001n].map(entityId) as [EntityId, EntityId];
    const changedTimestamp = consensusTimestamp(START + stated);
    const account = { account: bob, balance: 0n, timestamp: consensusTimestamp(START) };
    const fixture = {
      balances: [account],
      entityChanges: [{ entity: bob, changedTimestamp, memo: 'stated' }],
    };
    await mirror.ledger.commitUnit(fixtureUnit('fixture', fixture));
    let previousHash: Uint8Array = new Uint8Array(48);
    for (const [number, minutes] of [1n, 20n, 10n, 40n].entries()) {
      const at = consensusTimestamp(START + minutes * MINUTE);
      const transfers = [aTransfer(alice, -minutes), aTransfer(minutes === 10n ? bob : 98n, minutes)];
      const entityChanges = [{ entity: bob, changedTimestamp: at, memo: `${minutes}` }];
      const rows = { transactions: [aTransaction(at, { transfers })], entityChanges };
      const unit = recordUnit(`block-${number}`, rows, {
        kind: 'block',
        blockNumber: BigInt(number),
        previousHash,
      });
      await mirror.ledger.commitUnit(unit);
      previousHash = unit.header.hash;
    }
    expect((await mirror.entities.find(bob))?.memo).toBe(stated === 0n ? '40' : 'stated');
    if (stated > 0n) return;
    const { app, close } = await buildMirrorApp({ store: mirror });
    const later = printTimestamp(consensusTimestamp(START + 41n * MINUTE));
    const { json } = await app.inject(`/api/v1/balances?account.id=0.0.1001&timestamp=${later}`);
    expect(json()).toMatchObject({ balances: [{ balance: 10 }] });
    await close();
  });

  test('gives NFTs to a new treasury and then to others, whatever the times', async () => {
    const { mirror } = await begin().open();
    const token = entityId(6000n);
    const [alice, bob, carol] = [1000n, 1001n, 1002n].map(entityId) as [EntityId, EntityId, EntityId];
    const moves = [
      { at: 300n, sender: alice, receiver: alice, serial: 1n },
      { at: 200n, sender: alice, receiver: bob, serial: -1n },
      { at: 100n, sender: bob, receiver: carol, serial: 1n },
    ];
    const holders: (bigint | null | undefined)[] = [];
    let previousHash: Uint8Array = new Uint8Array(48);
    for (const [number, { at, ...move }] of moves.entries()) {
      const nftTransfers = [{ ...move, token, isApproval: false }];
      const transactions = [aTransaction(START + at, { nftTransfers })];
      const header = { kind: 'block', blockNumber: BigInt(number), previousHash } as const;
      const unit = recordUnit(`block-${number}`, { transactions }, header);
      await mirror.ledger.commitUnit(unit);
      holders.push((await mirror.nfts.find(token, 1n))?.account);
      previousHash = unit.header.hash;
    }
    expect(holders).toEqual([alice, bob, carol]);
  });

  test('finds the messages of a topic by their numbers, in the order of their times', {
    timeout,
  }, async () => {
    const { random, units } = drawn();
    const { mirror } = await begin().open();
    const topic = entityId(77n);
    const told: TopicMessage[] = [];
    for (const unit of units) {
      const topicMessages = timesOf(unit).map((at, index) => ({
        ...{ consensusTimestamp: consensusTimestamp(at), topic, payer: entityId(1000n), chunk: null },
        sequenceNumber: BigInt(told.length + index + 1),
        ...{ runningHash: Buffer.of(1), runningHashVersion: 3n, message: Buffer.of(2) },
      }));
      told.push(...topicMessages);
      await mirror.ledger.commitUnit({ ...unit, topicMessages });
    }
    const byTime = [...told].sort((one, other) =>
      one.consensusTimestamp < other.consensusTimestamp ? -1 : 1,
    );
    for (let count = 0; count < 200; count++) {
      const [lower = 0n, upper = 0n] = ascending([0, 0].map(() => BigInt(random(told.length + 2))));
      const excluded = new Set([BigInt(random(told.length))]);
      const order = random(2) === 0 ? 'asc' : 'desc';
      const limit = 1 + random(20);
      const times = {
        lower: START + BigInt(random(2) * random(BLOCKS * 100)),
        upper: MAX_INT64,
        excluded: ALL.excluded,
      };
      const found = await mirror.topicMessages.page({
        topic,
        numbers: { lower, upper, excluded },
        times,
        order,
        limit,
      });
      const expected = byTime
        .filter(({ consensusTimestamp: at }) => at >= times.lower)
        .map(({ sequenceNumber }) => sequenceNumber)
        .filter((number) => number >= lower && number <= upper && !excluded.has(number));
      if (order === 'desc') expected.reverse();
      expect(found.map(({ sequenceNumber }) => sequenceNumber)).toEqual(expected.slice(0, limit));
    }
  });

  test('joins the pieces of a file in the order of the chain', { timeout }, async () => {
    const { random, units } = drawn();
    const { mirror } = await begin().open();
    const { files, ledger } = mirror;
    const file = entityId(111n);
    type TestPiece = FilePiece & { readonly unit: number };
    const pieces: TestPiece[] = [];
    const versionOf = (start: TestPiece | undefined, until: bigint, before = units.length) => {
      if (start === undefined) return null;
      const first = pieces.indexOf(start);
      const next = pieces.findIndex(({ transactionType }, index) => index > first && transactionType !== 16);
      const own = pieces.slice(first, next < 0 ? pieces.length : next);
      return own
        .filter(({ consensusTimestamp: at, unit }) => at <= until && unit < before)
        .map(({ contents }) => `${Buffer.from(contents)}`)
        .join('');
    };
    const text = (version: { readonly contents: Uint8Array } | null) =>
      version && `${Buffer.from(version.contents)}`;
    const leftBefore = (unit: number) =>
      versionOf(
        pieces.findLast((piece) => piece.unit < unit && piece.transactionType !== 16),
        MAX_INT64,
        unit,
      );
    for (const [unit, each] of units.entries()) {
      for (const at of timesOf(each).slice(0, 2)) {
        const found = await ledger.fileContents(111n, consensusTimestamp(at), MAX_INT64);
        expect(text(found)).toBe(leftBefore(unit));
      }
      const filePieces = timesOf(each)
        .filter(() => random(3) > 0)
        .map((at) => ({
          ...{ file, consensusTimestamp: consensusTimestamp(at), contents: Buffer.from(`${at} `) },
          transactionType: random(3) === 0 ? (19 as const) : (16 as const),
        }));
      pieces.push(...filePieces.map((piece) => ({ ...piece, unit })));
      await ledger.commitUnit({ ...each, filePieces });
    }
    const starts = pieces.filter(({ transactionType }) => transactionType !== 16);
    for (let count = 0; count < 200; count++) {
      const [lower = 0n, upper = 0n] = ascending([0, 0].map(() => START + BigInt(random(BLOCKS * 100))));
      const start = starts.findLast(({ consensusTimestamp: at }) => at >= lower && at <= upper);
      expect(text(await files.newestVersion(file, lower, upper))).toBe(versionOf(start, upper));
      const later = ascending(starts.map(({ consensusTimestamp: at }) => at)).find((at) => at >= lower);
      const first = starts.find(({ consensusTimestamp: at }) => at === later);
      expect(text(await files.firstVersion(file, lower))).toBe(versionOf(first, MAX_INT64));
    }
    const { units: stored } = mirror.rebuild();
    let place: bigint | null = null;
    for (const [unit, each] of units.entries()) {
      place = (await stored.next(place))?.place ?? 0n;
      for (const at of timesOf(each).slice(0, 1)) {
        const found = await ledger.fileContents(111n, consensusTimestamp(at), place);
        expect(text(found)).toBe(leftBefore(unit));
      }
    }
  });

  test('tells what a file of a user had before each transaction of the chain', { timeout }, async () => {
    const { random, units } = drawn();
    const { mirror } = await begin().open();
    const written = units.map((unit) => ({
      ...unit,
      transactions: unit.transactions.map((each) => {
        const type = ([16, 16, 16, 17, 19] as const)[random(30)];
        return type === undefined ? each : writing(each, type);
      }),
    }));
    for (const unit of written) await mirror.ledger.commitUnit(unit);
    let contents: string | null = null;
    for (const { consensusTimestamp: at, type } of written.flatMap(({ transactions }) => transactions)) {
      const found = await mirror.userFiles.contentsBefore(FILE, at);
      expect(found && `${Buffer.from(found)}`).toBe(contents);
      if (type === 17 || type === 19) contents = `${at} `;
      else if (type === 16 && contents !== null) contents += `${at} `;
    }
    expect(contents).not.toBeNull();
  });
});
