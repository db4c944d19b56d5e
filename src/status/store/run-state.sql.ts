import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { Downtime } from '../model/page-state.ts';
import type { LastSigns } from './status-repository.ts';

/** What the server knows about its own runs. */
export function createRunState(sql: Sql) {
  const parts = sql.prepareValue<unknown[], string>('SELECT probe FROM status_part');
  const insertPart = sql.prepare('INSERT INTO status_part (probe) VALUES (?)');
  const lastBeat = sql.prepareValue('SELECT at FROM status_heartbeat');
  const lastEvents = sql.prepare<unknown[], { readonly id: string; readonly at: number }>(
    'SELECT component_id AS id, max(at) AS at FROM status_component_event GROUP BY component_id',
  );
  const beat = sql.prepare(
    'INSERT INTO status_heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  );
  const insertDowntime = sql.prepare(
    'INSERT INTO status_downtime (started_at, ended_at) VALUES (@from, @to)',
  );
  const downtimes = sql.prepare<unknown[], Downtime>(
    `SELECT started_at AS "from", ended_at AS "to" FROM status_downtime
     WHERE ended_at > ? AND started_at < ? ORDER BY seq`,
  );
  function* readLastBeat(): Work<number | null> {
    return ((yield* lastBeat.get()) as number | undefined) ?? null;
  }

  return {
    lastBeat: readLastBeat,
    /** The parts that earlier starts knew. */
    *parts(): Work<ReadonlySet<string>> {
      return new Set((yield* parts.all()) as string[]);
    },
    *insertPart(probe: string): Work<void> {
      yield* insertPart.run(probe);
    },
    *lastSigns(): Work<LastSigns> {
      return {
        lastBeat: yield* readLastBeat(),
        lastEvents: new Map((yield* lastEvents.all()).map(({ id, at }) => [id, at])),
      };
    },
    *beat(now: number): Work<void> {
      yield* beat.run(now);
    },
    *insertDowntime(downtime: Downtime): Work<void> {
      yield* insertDowntime.run(downtime);
    },
    downtimes: (from: number, to: number): Work<readonly Downtime[]> => downtimes.all(from, to),
  };
}
