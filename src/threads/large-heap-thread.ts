import { once } from 'node:events';
import type { ResourceLimits } from 'node:worker_threads';
import { startThread } from './start-thread.ts';

/**
 * Room for young objects of a thread that imports: three times 32 MiB, twice what the engine allows.
 *
 * What waits for its commit outlives every collection of young objects, which copies it each time.
 *
 * @see docs/adr/0019-imports.md
 */
export const LARGE_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 96 };

/** What a thread of the program itself is started with. */
export interface RoomyThreadSetup {
  /** Whether its messages go to a terminal, which a thread cannot see. */
  readonly isTerminal: boolean;
}

/**
 * Runs the program with the same words again, in a thread with more room for young objects.
 *
 * @returns its exit code
 * @throws what the thread ends with
 */
export async function runInRoomyThread(words: readonly string[]): Promise<number> {
  const setup: RoomyThreadSetup = { isTerminal: process.stderr.isTTY === true };
  const given = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const thread = startThread('main', {
    data: setup,
    env: Object.fromEntries(given),
    argv: [...words],
    resourceLimits: LARGE_HEAP,
  });
  let exitCode: number | null = null;
  thread.once('message', (code: number) => {
    exitCode = code;
  });
  const [code] = await once(thread, 'exit');
  if (exitCode === null) throw new Error(`The thread of the command exited early, with code ${code}`);
  return exitCode;
}
