import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../../test/support/postgres.ts';
import { CopyIn } from '../../../storage/postgres/copy-rows.ts';
import { migratePostgres } from '../../../storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../../../storage/postgres/postgres-pool.ts';
import { postgresSql } from '../../../storage/postgres/postgres-sql.ts';
import { StorageBusyError } from '../../../values/storage-errors.ts';
import { answer, type Work, waitFor } from '../../../values/work.ts';
import { createPostgresImportLease } from './import-lease.postgres.ts';

let cluster: PostgresCluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startPostgres();
  pool = openPostgresPool(await cluster.createDatabase());
  await migratePostgres(pool);
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});
beforeEach(async () => {
  await pool.query('update import_lease set owner = null, until_ms = 0');
});

/** One that never sends its rows. */
class StandingCopy extends CopyIn {
  override handleCopyInResponse(): void {}
}

/** A process on the database, which gives signs of life when it is told to. */
function aProcess(owner: string, leaseMs = 60_000) {
  const sql = postgresSql(pool);
  let beat = (): void => {};
  const lease = createPostgresImportLease(sql, {
    owner,
    leaseMs,
    pause: (_, signal) =>
      new Promise((resolve) => {
        beat = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  });
  return {
    lock: lease.lock,
    beat: () => beat(),
    commit: (work: () => Work<unknown> = () => answer(null)) =>
      sql.write(function* () {
        yield* lease.check();
        return yield* work();
      }),
  };
}
function aGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
/** What happens to the lease of who is paused beyond it. */
const endLease = () => pool.query('update import_lease set until_ms = 0');
const row = async () => (await pool.query('select token, owner, until_ms from import_lease')).rows[0];

describe('the lease of an import', () => {
  test('is one process’s at a time, of those that ask together too', async () => {
    const processes = Array.from({ length: 5 }, (_, index) => aProcess(`server ${index}`));
    const leases = await Promise.all(processes.map(({ lock }) => lock.take()));
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
    await leases.find((lease) => lease !== null)?.release();
    const [first, second] = processes;
    const lease = await second?.lock.take();
    expect([lease === null, await first?.lock.take(), await second?.lock.take()]).toEqual([
      false,
      null,
      null,
    ]);
    await lease?.release();
  });

  test('lets who has it commit, and nobody else', async () => {
    const [one, other] = [aProcess('one'), aProcess('other')];
    const lease = await one.lock.take();
    expect(await one.commit(() => answer('stored'))).toBe('stored');
    await expect(other.commit()).rejects.toThrow('another server is importing');
    await lease?.release();
    expect(await other.commit(() => answer('stored'))).toBe('stored');
  });

  test('is another’s when its holder gave no sign of life, who then cannot commit until it has it again', async () => {
    const [paused, next] = [aProcess('paused'), aProcess('next')];
    const lost = await paused.lock.take();
    const { token } = await row();
    await endLease();
    const taken = await next.lock.take();
    expect(await row()).toMatchObject({ token: String(BigInt(token) + 1n), owner: 'next' });
    await expect(paused.commit()).rejects.toThrow(StorageBusyError);
    await next.commit();
    await lost?.release();
    expect(await row()).toMatchObject({ owner: 'next' });
    await expect(paused.commit()).rejects.toThrow(StorageBusyError);
    await taken?.release();
    const again = await paused.lock.take();
    await paused.commit();
    await again?.release();
  });

  test('is lost to a holder whose successor is gone as well', async () => {
    const [paused, next] = [aProcess('paused'), aProcess('next')];
    const lost = await paused.lock.take();
    await endLease();
    await (await next.lock.take())?.release();
    await expect(paused.commit()).rejects.toThrow('took over');
    await lost?.release();
  });

  test('is prolonged by signs of life', async () => {
    const holder = aProcess('holder');
    const lease = await holder.lock.take();
    await endLease();
    holder.beat();
    await expect.poll(async () => Number((await row()).until_ms)).toBeGreaterThan(0);
    expect(await aProcess('other').lock.take()).toBeNull();
    await lease?.release();
  });

  test('is prolonged by signs of life in the middle of a commit', async () => {
    const [slow, next] = [aProcess('slow'), aProcess('next')];
    const lease = await slow.lock.take();
    const taken = await slow.commit(function* () {
      yield* waitFor(async () => {
        await endLease();
        slow.beat();
        await expect.poll(async () => Number((await row()).until_ms)).toBeGreaterThan(0);
      });
      return yield* waitFor(() => next.lock.take());
    });
    expect(taken).toBeNull();
    await lease?.release();
  });

  test.each([
    ['between two statements', async (_: pg.ClientBase, goesOn: Promise<void>) => goesOn],
    [
      'inside a COPY',
      async (connection: pg.ClientBase) => {
        await connection.query(new StandingCopy('copy ledger_code (hash, code) from stdin', [])).done;
      },
    ],
  ])('is taken from a commit that stands still %s, which is not stored', async (_, standStill) => {
    const [stopped, next] = [aProcess('stopped'), aProcess('next')];
    const lease = await stopped.lock.take();
    const [stands, goesOn] = [aGate(), aGate()];
    const commit = stopped
      .commit(function* () {
        yield async (connection) => {
          const step = standStill(connection as pg.ClientBase, goesOn.opened);
          stands.open();
          await step;
        };
      })
      .then(
        () => 'stored',
        () => 'not stored',
      );
    await stands.opened;
    await endLease();
    expect(await next.lock.take()).toBeNull();
    let taken: Awaited<ReturnType<typeof next.lock.take>> = null;
    await expect
      .poll(async () => {
        taken ??= await next.lock.take();
        return taken;
      })
      .not.toBeNull();
    await next.commit();
    goesOn.open();
    expect(await commit).toBe('not stored');
    await lease?.release();
  });

  test('is seen by a commit outside an import that waited for whoever took it', async () => {
    const taker = await pool.connect();
    try {
      await taker.query('begin');
      await taker.query('select token from import_fence for update');
      // It may be refused before anybody asks for its end.
      const commit = aProcess('a command')
        .commit()
        .then(
          () => 'stored',
          (error: Error) => error.message,
        );
      await expect
        .poll(
          async () =>
            (await pool.query("select 1 from pg_locks where not granted and locktype = 'transactionid'"))
              .rowCount,
        )
        .toBe(1);
      await taker.query(
        "update import_lease set token = token + 1, owner = 'a server', until_ms = 99999999999999",
      );
      await taker.query('update import_fence set token = (select token from import_lease)');
      await taker.query('commit');
      expect(await commit).toContain('another server is importing');
    } finally {
      taker.release();
    }
  });

  test('changes hands only when somebody gets it', async () => {
    const next = aProcess('next');
    const { token } = await row();
    await aProcess('a command').commit(function* () {
      for (let attempt = 0; attempt < 3; attempt++) {
        expect(yield* waitFor(() => next.lock.take())).toBeNull();
      }
    });
    expect((await row()).token).toBe(token);
  });

  test('is not taken by force from a commit outside an import', async () => {
    const next = aProcess('next');
    const taken = await aProcess('a command').commit(() => waitFor(() => next.lock.take()));
    expect(taken).toBeNull();
    const lease = await next.lock.take();
    expect(lease).not.toBeNull();
    await lease?.release();
  });

  test('is held up for seconds at most by a commit whose process stands still', async () => {
    const sql = postgresSql(pool);
    const limit = sql.prepareValue<[], string>(
      "select current_setting('idle_in_transaction_session_timeout')",
    );
    expect(await aProcess('any').commit(() => limit.get())).toBe('10s');
  });
});
