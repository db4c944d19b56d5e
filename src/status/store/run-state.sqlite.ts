import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Downtime } from '../model/stretches.ts';
import type { LastSigns } from './status-repository.ts';

/** What the server knows about its own runs; the tables are those of `migrations/sqlite/0015-status-monitor.sql`. */
export function createSqliteRunState(database: SqliteDatabase) {
  const parts = database.prepare<unknown[], string>('SELECT probe FROM status_part').pluck();
  const insertPart = database.prepare('INSERT INTO status_part (probe) VALUES (?)');
  const lastBeat = database.prepare('SELECT at FROM status_heartbeat').pluck();
  const lastEvents = database.prepare<unknown[], { readonly id: string; readonly at: number }>(
    'SELECT component_id AS id, max(at) AS at FROM status_component_event GROUP BY component_id',
  );
  const beat = database.prepare(
    'INSERT INTO status_heartbeat (id, at) VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
  );
  const insertDowntime = database.prepare(
    'INSERT INTO status_downtime (started_at, ended_at) VALUES (@from, @to)',
  );
  const downtimes = database.prepare<unknown[], Downtime>(
    `SELECT started_at AS "from", ended_at AS "to" FROM status_downtime
     WHERE ended_at > ? AND started_at < ? ORDER BY seq`,
  );
  return {
    /** The parts that earlier starts knew. */
    parts: (): ReadonlySet<string> => new Set(parts.all() as string[]),
    insertPart: (probe: string): void => void insertPart.run(probe),
    lastSigns: (): LastSigns => ({
      lastBeat: (lastBeat.get() as number | undefined) ?? null,
      lastEvents: new Map(lastEvents.all().map(({ id, at }) => [id, at])),
    }),
    beat: (now: number): void => void beat.run(now),
    insertDowntime: (downtime: Downtime): void => void insertDowntime.run(downtime),
    downtimes: (from: number, to: number): readonly Downtime[] => downtimes.all(from, to),
  };
}
