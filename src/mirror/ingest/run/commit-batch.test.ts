import { describe, expect, test } from 'vitest';
import { aToken } from '../../../../test/kit/mirror/ledger/a-token.ts';
import { aTransaction, NO_KNOWN_TRUST } from '../../../../test/kit/mirror/ledger-rows.ts';
import { ManualClock } from '../../../values/clock.ts';
import { entityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import { type FixtureRows, fixtureUnit } from '../../ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { createCommitBatch } from './commit-batch.ts';

const NOW_MS = 1_800_000_000_000;
const LONG_AGO = 1_700_000_000_000_000_000n;

/** A batch over a ledger that only notes what it is told to store, and refuses the unit `refused`. */
const STORED_END: ChainEnd = {
  kind: 'record',
  isNative: false,
  version: 6,
  blockNumber: 4n,
  hash: Uint8Array.of(9),
  root: null,
  tree: null,
};

function aBatch(refused: string | null = null) {
  const commits: (readonly string[])[] = [];
  const committed: string[] = [];
  const clock = new ManualClock(NOW_MS);
  const batch = createCommitBatch({
    repository: {
      async commitUnits(units) {
        const names = units.map(({ header }) => header.name);
        if (refused !== null && names.includes(refused)) {
          throw new LedgerlensError('duplicate_conflict', 'another transaction is stored');
        }
        commits.push(names);
        return names.map(() => 'stored');
      },
      knownTrust: async () => NO_KNOWN_TRUST,
      chainEnd: async () => STORED_END,
    },
    lookup: {
      entityByAlias: async () => (commits.length > 0 ? entityId(7n) : null),
      tokenKind: async () => (commits.length > 0 ? 'FUNGIBLE_COMMON' : null),
      evmAddresses: async () => new Map(),
      fileContents: async () => null,
    },
    clock,
    maxUnits: 25,
    onCommitted: ({ header }) => committed.push(header.name),
  });
  return { batch, clock, commits, committed };
}

/** A batch over a ledger that stores when it is told to, as a database on another machine does. */
function aLateBatch() {
  const begun: { readonly names: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const batch = createCommitBatch({
    repository: {
      commitUnits: (units) =>
        new Promise((resolve, reject) => {
          begun.push({
            names: units.map(({ header }) => header.name),
            end: (error) => (error === undefined ? resolve(units.map(() => 'stored')) : reject(error)),
          });
        }),
      knownTrust: async () => NO_KNOWN_TRUST,
      chainEnd: async () => STORED_END,
    },
    lookup: {
      entityByAlias: async () => entityId(7n),
      tokenKind: async () => null,
      evmAddresses: async () => new Map(),
      fileContents: async () => null,
    },
    clock: new ManualClock(NOW_MS),
    maxUnits: 2,
    onCommitted: () => {},
  });
  return { batch, begun };
}

/** Whether a promise is settled when everything else had its turn. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  promise.then(
    () => {
      isDone = true;
    },
    () => {
      isDone = true;
    },
  );
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  return isDone;
}

function aUnit(name: string, at = LONG_AGO, rows: FixtureRows = {}): LedgerUnit {
  return fixtureUnit(name, { transactions: [aTransaction(at)], ...rows });
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `unit ${index}`);

test('twenty-five units far behind the present share a commit', async () => {
  const { batch, commits, committed } = aBatch();
  for (const name of numbered(26)) await batch.add(name, aUnit(name));
  expect(commits).toEqual([numbered(25)]);
  expect(committed).toEqual(numbered(25));
  await batch.commit();
  await batch.commit();
  expect(commits).toEqual([numbered(25), ['unit 25']]);
});

test('many transactions share a commit earlier, for they wait in memory', async () => {
  const { batch, commits } = aBatch();
  const transactions = Array.from({ length: 4000 }, (_, index) => aTransaction(LONG_AGO + BigInt(index)));
  await batch.add('one', aUnit('one', LONG_AGO, { transactions }));
  expect(batch.waiting).toBe(4000);
  await batch.add('two', aUnit('two', LONG_AGO, { transactions }));
  expect(commits).toEqual([['one', 'two']]);
  expect(batch.waiting).toBe(0);
});

test('a unit of the last twenty seconds is committed at once, with those before it', async () => {
  const { batch, commits } = aBatch();
  await batch.add('old', aUnit('old'));
  expect(commits).toEqual([]);
  await batch.add('new', aUnit('new', BigInt(NOW_MS - 19_999) * 1_000_000n));
  expect(commits).toEqual([['old', 'new']]);
});

test('units do not wait longer than five seconds', async () => {
  const { batch, clock, commits } = aBatch();
  await batch.add('one', aUnit('one'));
  clock.advance(4999);
  await batch.add('two', aUnit('two'));
  expect(commits).toEqual([]);
  clock.advance(1);
  await batch.add('three', aUnit('three'));
  expect(commits).toEqual([['one', 'two', 'three']]);
});

test('the chain continues after the newest waiting unit', async () => {
  const { batch } = aBatch();
  expect(await batch.chainEnd()).toBe(STORED_END);
  await batch.add('fixture', aUnit('fixture'));
  expect(await batch.chainEnd()).toBe(STORED_END);
  const unit = aUnit('one');
  const root = Uint8Array.of(7);
  await batch.add('one', {
    ...unit,
    header: { ...unit.header, kind: 'block', root },
    tree: Uint8Array.of(8),
  });
  const { hash } = unit.header;
  expect(await batch.chainEnd()).toMatchObject({
    kind: 'block',
    blockNumber: 5n,
    hash,
    root,
    tree: Uint8Array.of(8),
  });
});

test('asking for an alias or token that waits stores it first, asking for others does not', async () => {
  const alias = Uint8Array.of(1, 2);
  const entity = {
    entity: entityId(7n),
    type: 'ACCOUNT',
    alias,
    evmAddress: null,
    createdTimestamp: null,
  } as const;
  const token = aToken(8n, 1n);
  for (const ask of ['alias', 'token'] as const) {
    const { batch, commits } = aBatch();
    await batch.add('one', aUnit('one', LONG_AGO, { entities: [entity], tokens: [token] }));
    expect(await batch.lookup.entityByAlias(Uint8Array.of(3))).toBeNull();
    expect(await batch.lookup.tokenKind(entityId(9n))).toBeNull();
    expect(commits).toEqual([]);
    if (ask === 'alias') expect(await batch.lookup.entityByAlias(alias)).toBe(7n);
    else expect(await batch.lookup.tokenKind(token.token)).toBe('FUNGIBLE_COMMON');
    expect(commits).toEqual([['one']]);
  }
});

test('a unit that the ledger refuses is named, those before it are stored and those behind it are not', async () => {
  const { batch, commits, committed } = aBatch('unit 2');
  for (const name of numbered(5)) await batch.add(`file of ${name}`, aUnit(name));
  await expect(batch.commit()).rejects.toMatchObject({ code: 'duplicate_conflict' });
  expect(batch.refusedName).toBe('file of unit 2');
  expect(commits).toEqual([['unit 0'], ['unit 1']]);
  expect(committed).toEqual(['unit 0', 'unit 1']);
  await batch.commit();
  expect(commits).toHaveLength(2);
});

describe('a database that answers later', () => {
  const entities = [
    {
      entity: entityId(1001n),
      type: 'ACCOUNT' as const,
      alias: Uint8Array.of(1),
      evmAddress: null,
      createdTimestamp: null,
    },
  ];
  const link = (name: string): LedgerUnit => {
    const unit = aUnit(name);
    return { ...unit, header: { ...unit.header, kind: 'record' } };
  };

  test('stores units while the next ones are read, one commit at a time', async () => {
    const { batch, begun } = aLateBatch();
    await batch.chainEnd();
    for (const name of ['a', 'b']) await batch.add(name, link(name));
    expect(begun.map(({ names }) => names)).toEqual([['a', 'b']]);
    expect(batch.waiting).toBe(2);
    expect(await batch.chainEnd()).toMatchObject({ blockNumber: 6n, hash: link('b').header.hash });
    await batch.add('c', link('c'));
    expect(await batch.chainEnd()).toMatchObject({ blockNumber: 7n, hash: link('c').header.hash });
    const last = batch.add('d', link('d'));
    expect(await isSettled(last)).toBe(false);
    begun[0]?.end();
    await last;
    expect(begun.map(({ names }) => names)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const commit = batch.commit();
    expect(await isSettled(commit)).toBe(false);
    begun[1]?.end();
    await commit;
    expect(batch.waiting).toBe(0);
  });

  test('is asked for an alias once it has the unit that told it', async () => {
    const { batch, begun } = aLateBatch();
    await batch.add('a', aUnit('a', LONG_AGO, { entities }));
    await batch.add('b', aUnit('b'));
    expect(await batch.lookup.entityByAlias(Uint8Array.of(2))).toBe(7n);
    const asked = batch.lookup.entityByAlias(Uint8Array.of(1));
    expect(await isSettled(asked)).toBe(false);
    begun[0]?.end();
    expect(await asked).toBe(7n);
  });

  test('refuses units by the next call, and what waits behind them is dropped', async () => {
    const { batch, begun } = aLateBatch();
    for (const name of ['a', 'b', 'c']) await batch.add(name, link(name));
    begun[0]?.end(new Error('lost'));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(batch.add('d', link('d'))).rejects.toThrow('lost');
    expect(batch.waiting).toBe(0);
    await batch.commit();
    expect(begun).toHaveLength(1);
    expect(await batch.chainEnd()).toBe(STORED_END);
  });
});
