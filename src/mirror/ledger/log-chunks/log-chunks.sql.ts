import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../../storage/sql/sql.ts';
import { insertTable } from '../../../values/stored-tables.ts';
import { answer, type Work } from '../../../values/work.ts';
import { DROP_LOG_CHUNKS } from './drop-log-chunks.ts';
import { CHUNK_SCALE, type ChunkScale, makeLogChunk } from './log-chunk.ts';

interface BuildOptions {
  /** Default {@link CHUNK_SCALE}. */
  readonly scale?: ChunkScale;
  /** Ends it after the chunk in hand. */
  readonly signal?: AbortSignal;
}

/** Where chunks end, and how often stored logs were changed. */
interface ChunkEnd {
  readonly last: bigint | null;
  /** Where the full ones end, which come before the early ones. */
  readonly lastFull: bigint | null;
  readonly rewrites: bigint;
}

/** The times of a chunk. */
interface ChunkTimes {
  /** Without this one. */
  readonly after: bigint;
  readonly last: bigint;
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

/** Chunks of logs, by which those with several keys that are each in many of them are found. */
export type LogChunks = ReturnType<typeof createLogChunks>;

/**
 * Makes chunks: they follow each other from the first log on, each from where the one before it ends, so that no log
 * up to the end of the last one is in none. Early ones give way to a full one once they and what follows are enough.
 */
export function createLogChunks(sql: Sql, beginCommit: () => Work<void> = () => answer(undefined)) {
  const chunkEnd = sql.prepareExact<[number], ChunkEnd>(
    `select (select max(last_ts) from contract_log_chunk) as last,
       (select max(last_ts) from contract_log_chunk where log_count >= ?) as "lastFull", rewrites
     from ledger_edition`,
  );
  const firstEndFrom = sql.prepareExactValue<[bigint], bigint | null>(
    'select min(last_ts) from contract_log_chunk where last_ts >= ?',
  );
  const endOfLogs = sql.prepareExactValue<[bigint, number], bigint>(
    `select consensus_ts from contract_log
     where consensus_ts > ? and is_hidden = 0 and consensus_ts <= (select max(place) from ledger_unit)
     order by consensus_ts, log_index limit 1 offset ?`,
  );
  const logs = sql.prepareExact<[bigint, bigint], LogRow>(
    `select consensus_ts as "consensusTimestamp", log_index as "index", contract_id as contract,
       topic0, topic1, topic2, topic3
     from contract_log where consensus_ts > ? and consensus_ts <= ? and is_hidden = 0
     order by consensus_ts, log_index`,
  );

  const dropWithin = sql.prepare<[bigint, bigint]>(DROP_LOG_CHUNKS.within);

  /** Null as long as too few logs are behind the last chunk. */
  function* nextChunk(end: ChunkEnd, { fullSize, size }: ChunkScale): Work<ChunkTimes | null> {
    const after = end.last ?? BEFORE_ALL;
    const last = yield* endOfLogs.get(after, size - 1);
    if (last === undefined) return null;
    const afterFull = end.lastFull ?? BEFORE_ALL;
    const lastOfFull = yield* endOfLogs.get(afterFull, fullSize - 1);
    if (lastOfFull === undefined) return { after, last };
    // An early one that is partly in it is all in it.
    return { after: afterFull, last: (yield* firstEndFrom.get(lastOfFull)) ?? lastOfFull };
  }

  function* storeChunk({ after, last }: ChunkTimes, fewestOfKey: number): Work<void> {
    const rows = yield* logs.all(after, last);
    // They were deleted meanwhile.
    if (rows.length === 0) return;
    yield* dropWithin.run(after, last);
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
    /**
     * Cuts the logs that are in no chunk into chunks, as far as they fill them, and puts a full one in the place of early
     * ones. Logs that come meanwhile in between end it; the next call goes on.
     *
     * @returns how many chunks were made, those in the place of others too
     * @throws StorageBusyError when another server imports, which does this then.
     */
    async build({ scale = CHUNK_SCALE, signal }: BuildOptions = {}) {
      let begun: bigint | undefined;
      for (let built = 0; ; built++) {
        const { end, next } = await sql.readTogether(function* () {
          const end = yield* chunkEnd.get(scale.fullSize);
          return { end, next: end === undefined ? null : yield* nextChunk(end, scale) };
        });
        begun ??= end?.rewrites;
        // While units are written anew, what is built behind them is dropped with each.
        if (signal?.aborted === true || next === null || end?.rewrites !== begun) return built;
        const isStored = await sql.write(function* () {
          yield* beginCommit();
          const now = yield* chunkEnd.get(scale.fullSize);
          const isAsBefore =
            now?.last === end?.last && now?.lastFull === end?.lastFull && now?.rewrites === end?.rewrites;
          if (isAsBefore) yield* storeChunk(next, scale.fewestOfKey);
          return isAsBefore;
        });
        if (!isStored) return built;
        await setImmediate();
      }
    },
  };
}
