import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../../storage/sql/sql.ts';
import { answer, type Work } from '../../../values/work.ts';
import { insertTable } from '../fold/tables.ts';
import { CHUNK_SCALE, makeLogChunk } from './log-chunk.ts';
import type { LogChunks } from './log-chunks.ts';

/** Where chunks end, and how often stored logs were changed. */
interface ChunkEnd {
  readonly last: bigint | null;
  readonly rewrites: bigint;
}

interface LogRow {
  readonly consensusTimestamp: bigint;
  readonly index: bigint;
  readonly contract: bigint;
  readonly topic0: Uint8Array | null;
  readonly topic1: Uint8Array | null;
  readonly topic2: Uint8Array | null;
  readonly topic3: Uint8Array | null;
}

const CHUNK = insertTable('contract_log_chunk', 1, ['last_ts', 'log_count', 'places']);
const CHUNK_KEY = insertTable('contract_log_chunk_key', 3, ['position', 'key', 'last_ts', 'places']);
const BEFORE_ALL = -1n;

/**
 * Makes chunks: they follow each other from the first log on, each from where the one before it ends, so that no log
 * up to the end of the last one is in none.
 */
export function createLogChunks(
  sql: Sql,
  beginCommit: () => Work<void> = () => answer(undefined),
): LogChunks {
  const chunkEnd = sql
    .prepare<[], ChunkEnd>(
      `select (select max(last_ts) from contract_log_chunk) as last, rewrites from ledger_edition`,
    )
    .safeIntegers(true);
  const endOfNext = sql
    .prepare<[bigint, number], bigint>(
      `select consensus_ts from contract_log
       where consensus_ts > ? and is_hidden = 0 and consensus_ts <= (select max(consensus_end) from ledger_unit)
       order by consensus_ts, log_index limit 1 offset ${sql.dialect.boundLimit}`,
    )
    .safeIntegers(true)
    .pluck();
  const logs = sql
    .prepare<[bigint, bigint], LogRow>(
      `select consensus_ts as "consensusTimestamp", log_index as "index", contract_id as contract,
         topic0, topic1, topic2, topic3
       from contract_log where consensus_ts > ? and consensus_ts <= ? and is_hidden = 0
       order by consensus_ts, log_index`,
    )
    .safeIntegers(true);

  function* storeChunk(after: bigint, last: bigint, fewestOfKey: number): Work<void> {
    const rows = yield* logs.all(after, last);
    // They were deleted meanwhile.
    if (rows.length === 0) return;
    const chunk = makeLogChunk(
      rows.map(({ consensusTimestamp, contract, index, topic0, topic1, topic2, topic3 }) => ({
        consensusTimestamp,
        contract,
        index,
        topics: [topic0, topic1, topic2, topic3],
      })),
      fewestOfKey,
    );
    yield* sql.store(CHUNK, [[chunk.lastTimestamp, chunk.size, chunk.places]]);
    yield* sql.store(
      CHUNK_KEY,
      chunk.keys.map(({ key, places, position }) => [position, key, chunk.lastTimestamp, places]),
    );
  }

  return {
    async build({ scale: { fewestOfKey, size } = CHUNK_SCALE, signal } = {}) {
      let begun: ChunkEnd | undefined;
      for (let built = 0; ; built++) {
        const { end, next } = await sql.readTogether(function* () {
          const end = yield* chunkEnd.get();
          return { end, next: yield* endOfNext.get(end?.last ?? BEFORE_ALL, size - 1) };
        });
        begun ??= end;
        // While units are written anew, what is built behind them is dropped with each.
        const isOver = signal?.aborted === true || next === undefined || end?.rewrites !== begun?.rewrites;
        if (isOver) return built;
        const isStored = await sql.write(function* () {
          yield* beginCommit();
          const now = yield* chunkEnd.get();
          if (now?.last !== end?.last || now?.rewrites !== end?.rewrites) return false;
          yield* storeChunk(end?.last ?? BEFORE_ALL, next, fewestOfKey);
          return true;
        });
        if (!isStored) return built;
        await setImmediate();
      }
    },
  };
}
