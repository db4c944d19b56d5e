import type { Sql } from '../../../storage/sql/sql.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import type { Work } from '../../../values/work.ts';
import { createFileReader } from './file-code.sql.ts';
import type { FileVersion, StoredFiles } from './file-repository.ts';

interface PieceRow {
  readonly consensus_ts: bigint;
  readonly contents: Buffer;
  readonly is_told: bigint;
  readonly begins: bigint | boolean;
}

interface ClockRow {
  readonly step_back: bigint;
  readonly stream_end_ts: bigint | null;
}

/** Both included. */
type Span = readonly [first: bigint, last: bigint];

const BEGINS_VERSION = 'tx_type in (17, 19)';
/** Reads `file_piece`. */
export function createFileRepository(sql: Sql): StoredFiles {
  const newestStart = sql.prepareExactValue<[bigint, bigint, bigint], bigint>(
    `select consensus_ts from file_piece where file_id = ? and consensus_ts between ? and ?
     and ${BEGINS_VERSION} order by consensus_ts desc limit 1`,
  );
  const firstStart = sql.prepareExactValue<[bigint, bigint], bigint>(
    `select consensus_ts from file_piece where file_id = ? and consensus_ts >= ? and ${BEGINS_VERSION}
     order by consensus_ts limit 1`,
  );
  const pieces = sql.prepareExact<[bigint, bigint, bigint, bigint], PieceRow>(
    `select consensus_ts, contents, is_told, ${BEGINS_VERSION} as begins from file_piece
     where file_id = ? and consensus_ts between ? and ? and place < ? order by place, seq`,
  );
  const clock = sql.prepareExact<[], ClockRow>(
    'select step_back, stream_end_ts from ledger_state where only_row = 1',
  );

  /** The last version in the order of the chain that begins within bounds of time, of the pieces in a window of time. */
  const assemble = function* (
    file: bigint,
    [first, last]: Span,
    [lower, upper]: Span,
    { until = upper, before = MAX_INT64 } = {},
  ): Work<FileVersion | null> {
    const rows = yield* pieces.all(file, first, last < MAX_INT64 ? last : MAX_INT64, before);
    const start = rows.findLastIndex(
      ({ begins, consensus_ts: at }) => Boolean(begins) && at >= lower && at <= upper,
    );
    const begin = rows[start];
    if (begin === undefined) return null;
    const next = rows.findIndex(({ begins }, index) => index > start && Boolean(begins));
    const own = rows
      .slice(start, next < 0 ? rows.length : next)
      .filter(({ consensus_ts: at }) => at <= until);
    return {
      contents: Buffer.concat(own.map((row) => row.contents)),
      firstTimestamp: begin.consensus_ts,
      lastTimestamp: own.reduce((most, { consensus_ts: at }) => (at > most ? at : most), begin.consensus_ts),
      isTold: own.some((row) => row.is_told === 1n),
    };
  };
  // What lies further apart than times ever stepped back stands in the order of time.
  return {
    newestVersion: sql.reading(function* (file, lower, upper) {
      const newest = yield* newestStart.get(file, lower, upper);
      if (newest === undefined) return null;
      const back = (yield* clock.get())?.step_back ?? 0n;
      return yield* assemble(file, [newest - back, upper + back], [lower, upper]);
    }),
    firstVersion: sql.reading(function* (file, lower) {
      const start = yield* firstStart.get(file, lower);
      if (start === undefined) return null;
      const back = (yield* clock.get())?.step_back ?? 0n;
      const following = (yield* firstStart.get(file, start + back + 1n)) ?? MAX_INT64;
      return yield* assemble(file, [start - back, following + back], [start, start], { until: MAX_INT64 });
    }),
    versionBefore: sql.reading(function* (file, time, place) {
      const { step_back: back = 0n, stream_end_ts: end = null } = (yield* clock.get()) ?? {};
      const newest = (yield* newestStart.get(file, 0n, time - back - 1n)) ?? 0n;
      // A fixture may tell of later.
      const reached = end === null || place < end ? place : end;
      const upper = end !== null && reached > time ? reached : time;
      return yield* assemble(file, [newest - back, upper], [0n, upper], { before: place });
    }),
  };
}

/** Reads files of users. */
export type UserFiles = ReturnType<typeof createUserFiles>;

/** Reads the transactions that wrote files. */
export function createUserFiles(sql: Sql) {
  const read = createFileReader(sql);
  return {
    /** What a file had before the transaction of a time, from the stored ones that wrote it; null when they do not tell. */
    async contentsBefore(file: EntityId, time: bigint) {
      return sql.read(() => read(file, time));
    },
  };
}
