import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { StorageFaultError } from '../../values/storage-errors.ts';
import type { Work } from '../../values/work.ts';
import { DatabaseFile } from '../database-file.ts';
import type { HealthWrites } from '../health-writes.sql.ts';
import { openSqlite, type SqliteDatabase } from '../sqlite.ts';
import { DISK_FULL_REASON } from '../sqlite-errors.ts';
import { WriteLoop } from './write-loop.ts';
import { monotonicMs, type WriteOperations } from './writer.ts';
import { sendError, type WriterMessage, type WriterRequest, type WriterSetup } from './writer-messages.ts';

/** The pages that writes of one kind touch again and again; readers have a cache of their own. */
const PAGE_CACHE_KIB = 8192;
/** Waiting in the driver is what hands the lock over quickest. */
const SLICE_MS = 20;
/** How often the file is looked at, and a failing database tried again, milliseconds. */
const WATCH_MS = 1_000;
/** A write of a page and its entry in the log need less. */
const NO_SPACE_BYTES = 65_536;

/** The writes of every area, and the one that shows whether the database works. */
interface WriteTables extends Readonly<Record<string, WriteOperations>> {
  readonly health: HealthWrites;
}

/**
 * The writer's thread: answers requests of the port with a connection of its own until it is told to close.
 *
 * When the path does not hold the file any more that the server has opened, it says so and ends.
 *
 * @param operationsOf the tables of all areas by name, on the connection.
 */
export function serveWrites(
  { identity, path }: WriterSetup,
  port: MessagePort,
  operationsOf: (database: SqliteDatabase) => WriteTables,
): void {
  const file = new DatabaseFile(path, identity);
  const gone = file.objection();
  // To open a path without a file would make one.
  if (gone !== null) {
    port.postMessage({ kind: 'state', state: { writes: 'refused', reason: gone } });
    return;
  }
  const database = openSqlite(path, { busyTimeoutMs: SLICE_MS });
  database.pragma(`cache_size = -${PAGE_CACHE_KIB}`);
  const tables = operationsOf(database);
  const tell = (message: WriterMessage) => port.postMessage(message);
  const loop = new WriteLoop({
    database,
    objection: () => file.objection(),
    onState: (state) => tell({ kind: 'state', state }),
    describe: (error) =>
      hasNoSpace(path) ? new StorageFaultError(DISK_FULL_REASON, { cause: error }) : error,
    sliceMs: SLICE_MS,
    gathers: true,
  });

  const watch = setInterval(() => {
    // A healthy database is only looked at; a failing one is tried, so that it is known to work before somebody asks.
    if (loop.state.writes === 'working' && !loop.isLocked && file.objection() === null) return;
    loop.submit({
      run: () => tables.health.touch(Date.now()),
      deadline: monotonicMs(),
      settle: () => undefined,
    });
  }, WATCH_MS);

  port.on('message', (request: WriterRequest) => {
    if (request.kind === 'close') {
      clearInterval(watch);
      void loop.idle().then(() => {
        database.close();
        port.close();
      });
      return;
    }
    const { args, deadline, id, name } = request;
    loop.submit({
      run: () => operationOf(tables, name)(args),
      deadline,
      settle: (outcome) =>
        tell(
          outcome.kind === 'stored'
            ? { kind: 'stored', id, value: outcome.value }
            : { kind: 'refused', id, error: sendError(outcome.error) },
        ),
    });
  });
}

function operationOf(tables: WriteTables, name: string): (args: unknown) => Work<unknown> {
  const [area = '', operation = ''] = name.split('.');
  const found = tables[area]?.[operation];
  if (found === undefined) throw new Error(`There is no write operation ${name}`);
  return found as unknown as (args: unknown) => Work<unknown>;
}

/** Some calls of the operating system tell a full disk as a fault of the disk. */
function hasNoSpace(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < NO_SPACE_BYTES;
  } catch {
    // The folder is gone as well: the fault has a better reason.
    return false;
  }
}
