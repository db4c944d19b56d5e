import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../../test/kit/storage/a-folder.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import { answer, type Work } from '../../values/work.ts';
import { openSqlite, type SqliteDatabase } from '../sqlite.ts';
import type { WriteState } from '../write-state.ts';
import { createInlineWriter } from './inline-writer.ts';
import { WriteLoop, type WriteOutcome } from './write-loop.ts';
import { monotonicMs } from './writer.ts';

function open(path: string): SqliteDatabase {
  const database = openSqlite(path);
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE IF NOT EXISTS t (x INTEGER PRIMARY KEY)');
  return database;
}

const numbers = (database: SqliteDatabase) => database.prepare('SELECT x FROM t ORDER BY x').pluck().all();

const tableWrites = (database: SqliteDatabase) => ({
  add: (x: number) =>
    answer(database.prepare('INSERT INTO t VALUES (?) RETURNING x').pluck().get(x) as number),
  addThenFail: (x: number): Work<never> => {
    database.prepare('INSERT INTO t VALUES (?)').run(x);
    throw new Error('half way');
  },
});

describe('a writer in the thread of its caller', () => {
  test('answers after the commit, and a write that throws leaves nothing', async () => {
    const path = join(aFolder(), 'l.sqlite');
    const database = open(path);
    const other = open(path);
    const writer = createInlineWriter(database, tableWrites(database));
    expect(await writer.write('add', 1)).toBe(1);
    expect(numbers(other)).toEqual([1]);
    await expect(writer.write('addThenFail', 2)).rejects.toThrow('half way');
    expect(numbers(other)).toEqual([1]);
  });

  test('continues without waiting while another connection writes, and stores when it has ended', async () => {
    const path = join(aFolder(), 'l.sqlite');
    const database = open(path);
    const other = open(path);
    const writer = createInlineWriter(database, tableWrites(database));
    other.exec('BEGIN IMMEDIATE');
    const stored = writer.write('add', 1);
    await expect(writer.write('add', 2, { patienceMs: 0 })).rejects.toThrow(StorageBusyError);
    other.exec('COMMIT');
    expect(await stored).toBe(1);
    expect(numbers(other)).toEqual([1]);
  });

  test('two areas on one connection take turns', async () => {
    const path = join(aFolder(), 'l.sqlite');
    const database = open(path);
    const other = open(path);
    other.exec('BEGIN IMMEDIATE');
    const writes = [1, 2].map((x) => createInlineWriter(database, tableWrites(database)).write('add', x));
    other.exec('COMMIT');
    expect(await Promise.all(writes)).toEqual([1, 2]);
  });
});

/** What a test gives at once is work, too. */
function asWork(given: unknown): Work<unknown> {
  return typeof given === 'object' && given !== null && 'next' in given
    ? (given as Work<unknown>)
    : answer(given);
}

describe('writes that share a commit', () => {
  function aLoop(parts: Partial<ConstructorParameters<typeof WriteLoop>[0]> = {}) {
    const database = open(':memory:');
    const states: WriteState[] = [];
    const loop = new WriteLoop({
      database,
      gathers: true,
      onState: (state) => states.push(state),
      ...parts,
    });
    const submit = (run: () => unknown) =>
      new Promise<WriteOutcome>((settle) =>
        loop.submit({ run: () => asWork(run()), deadline: monotonicMs(), settle }),
      );
    return { database, states, submit, ...tableWrites(database) };
  }

  test('are stored together, but for the one that throws', async () => {
    let asked = 0;
    const objection = () => {
      asked++;
      return null;
    };
    const { add, addThenFail, database, submit } = aLoop({ objection });
    const outcomes = await Promise.all([
      submit(() => add(1)),
      submit(() => addThenFail(2)),
      submit(() => add(1)),
      submit(() => add(3)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'refused', 'refused', 'stored']);
    expect(numbers(database)).toEqual([1, 3]);
    // Asked before the begin and before the commit.
    expect(asked).toBe(2);
  });

  test('are all refused when the disk is full, which says so until a write succeeds', async () => {
    const { add, database, states, submit } = aLoop();
    database.pragma('max_page_count = 2');
    const fill = () => database.exec('CREATE TABLE large AS SELECT randomblob(100000)');
    const refused = await Promise.all([submit(() => add(1)), submit(fill), submit(() => add(2))]);
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ kind: 'refused', error: { reason: 'the disk is full' } });
    }
    expect(numbers(database)).toEqual([]);
    expect(await submit(() => add(4))).toEqual({ kind: 'stored', value: 4 });
    expect(states.map(({ writes }) => writes)).toEqual(['failing', 'working']);
  });

  test('are refused when the file is not the right one any more, also between their work and the commit', async () => {
    let asked = 0;
    const { add, database, submit } = aLoop({ objection: () => (asked++ === 1 ? 'gone' : null) });
    expect(await submit(() => add(1))).toMatchObject({
      kind: 'refused',
      error: { code: 'storage_fault', reason: 'gone' },
    });
    expect(await submit(() => add(2))).toMatchObject({ kind: 'stored' });
    expect(numbers(database)).toEqual([2]);
  });
});
