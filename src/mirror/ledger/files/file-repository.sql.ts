import type { Sql } from '../../../storage/sql/sql.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import type { Work } from '../../../values/work.ts';
import { createFileReader } from './file-code.sql.ts';
import type { FileRepository, FileVersion, UserFiles } from './file-repository.ts';

interface PieceRow {
  readonly consensus_ts: bigint;
  readonly contents: Buffer;
  readonly is_told: bigint;
}

const BEGINS_VERSION = 'tx_type in (17, 19)';
/** Reads `file_piece`. */
export function createFileRepository(sql: Sql): FileRepository {
  const newestStart = sql
    .prepare<[bigint, bigint, bigint], bigint>(
      `select consensus_ts from file_piece where file_id = ? and consensus_ts between ? and ?
       and ${BEGINS_VERSION} order by consensus_ts desc limit 1`,
    )
    .safeIntegers(true)
    .pluck();
  const firstStart = sql
    .prepare<[bigint, bigint], bigint>(
      `select consensus_ts from file_piece where file_id = ? and consensus_ts >= ? and ${BEGINS_VERSION}
       order by consensus_ts limit 1`,
    )
    .safeIntegers(true)
    .pluck();
  const pieces = sql
    .prepare<[bigint, bigint, bigint], PieceRow>(
      `select consensus_ts, contents, is_told from file_piece where file_id = ? and consensus_ts between ? and ?
       order by consensus_ts`,
    )
    .safeIntegers(true);

  const assemble = function* (
    file: bigint,
    start: bigint | undefined,
    upper: bigint,
  ): Work<FileVersion | null> {
    if (start === undefined) return null;
    const rows = yield* pieces.all(file, start, upper);
    return {
      contents: Buffer.concat(rows.map((row) => row.contents)),
      firstTimestamp: start,
      lastTimestamp: rows.at(-1)?.consensus_ts ?? start,
      isTold: rows.some((row) => row.is_told === 1n),
    };
  };
  return {
    newestVersion: sql.reading(function* (file, lower, upper) {
      return yield* assemble(file, yield* newestStart.get(file, lower, upper), upper);
    }),
    firstVersion: sql.reading(function* (file, lower) {
      const start = yield* firstStart.get(file, lower);
      if (start === undefined) return null;
      const following = yield* firstStart.get(file, start + 1n);
      return yield* assemble(file, start, following === undefined ? MAX_INT64 : following - 1n);
    }),
  };
}

/** Reads the transactions that wrote files. */
export function createUserFiles(sql: Sql): UserFiles {
  const read = createFileReader(sql);
  return {
    async contentsBefore(file, time) {
      return sql.read(() => read(file, time));
    },
  };
}
