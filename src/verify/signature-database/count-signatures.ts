import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../values/clock.ts';
import type { SignatureType } from '../signatures.ts';
import type { SignatureRepository } from './signature-repository.ts';

const ROWS_AT_ONCE = 2000;
const KEEP_MS = 60_000;

/** How many signatures of each kind there were at a moment, milliseconds since the epoch. */
interface SignatureStatistics {
  readonly kinds: Readonly<Record<SignatureType, number>>;
  readonly countedAt: number;
}

/** Counts signatures in parts, at most once a minute, and once for all who ask meanwhile. */
export function createSignatureCounter(
  repository: SignatureRepository,
  clock: Clock,
): () => Promise<SignatureStatistics> {
  let kept: SignatureStatistics | null = null;
  let running: Promise<SignatureStatistics> | null = null;

  async function count(): Promise<SignatureStatistics> {
    const kinds = { function: 0, event: 0, error: 0 };
    const countedAt = clock.now();
    for (let last: string | null = ''; last !== null; ) {
      const part = await repository.countAfter(last, ROWS_AT_ONCE);
      for (const type of ['function', 'event', 'error'] as const) kinds[type] += part.kinds[type];
      last = part.last;
      await setImmediate();
    }
    kept = { kinds, countedAt };
    return kept;
  }

  return async () => {
    if (kept !== null && clock.now() - kept.countedAt < KEEP_MS) return kept;
    running ??= count().finally(() => {
      running = null;
    });
    return running;
  };
}
