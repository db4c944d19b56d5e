import { fileIdentity } from '../storage/database-file.ts';
import type { WriterSetup } from '../storage/writer/writer-messages.ts';
import { type StartedWriter, WriterThread, type WriterThreadParts } from '../storage/writer/writer-thread.ts';
import { startThread } from '../threads/start-thread.ts';

/** Sources of 30 MB and what was compiled of them, with room; otherwise it needs a tenth. */
const HEAP_MIB = 384;

/**
 * Starts the thread that writes to a database file.
 *
 * @param path of the file as this process has just opened it.
 */
export function startWriterThread(path: string, log: WriterThreadParts['log']): WriterThread {
  const setup: WriterSetup = { path, identity: fileIdentity(path) };
  return new WriterThread({ start: () => startWorker(setup), log });
}

function startWorker(setup: WriterSetup): StartedWriter {
  return startThread('store/writer-worker.sqlite', {
    data: setup,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 4 },
  });
}
