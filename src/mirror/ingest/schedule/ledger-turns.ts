import type { Clock } from '../../../values/clock.ts';
import { joinSignals } from '../../../values/joined-signal.ts';
import { IngestError } from '../errors.ts';
import type { Pause } from '../pause.ts';
import type { LedgerTurn, LedgerTurns } from '../run/ledger-turns.ts';
import type { ImportLock } from './import-lock.ts';

interface LedgerTurnsParts {
  /** Of the ledger, for other processes. */
  readonly lock: ImportLock;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** A source that others wait for must store something within this time. */
const STALL_MS = 10_000;
const LOOK_MS = 1000;
const RETRY_MS = 100;

interface Holder {
  readonly ending: AbortController;
  readonly released: Promise<void>;
  storedAtMs: number;
}

/** Turns of the sources in one process, each with the lock of the ledger for other processes. */
export function createLedgerTurns({ clock, lock, pause }: LedgerTurnsParts): LedgerTurns {
  let holder: Holder | null = null;

  /** The holder may continue as long as it stores, or nobody has waited for long. */
  const hurry = (waitingSinceMs: number): void => {
    if (holder === null || clock.now() - Math.max(holder.storedAtMs, waitingSinceMs) < STALL_MS) return;
    holder.ending.abort(
      new IngestError(
        'source_unreachable',
        `Nothing arrived for ${STALL_MS / 1000} s while another source had units: that one is imported now`,
      ),
    );
  };
  const othersInProcess = async (signal: AbortSignal): Promise<void> => {
    const sinceMs = clock.now();
    while (holder !== null && !signal.aborted) {
      const waited = joinSignals(signal);
      await Promise.race([holder.released, pause(LOOK_MS, waited.signal)]);
      waited.end();
      hurry(sinceMs);
    }
  };
  const hold = (): { readonly mine: Holder; readonly letGo: () => void } => {
    let settle = (): void => {};
    const released = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const mine: Holder = { ending: new AbortController(), released, storedAtMs: clock.now() };
    holder = mine;
    return {
      mine,
      letGo() {
        if (holder === mine) holder = null;
        settle();
      },
    };
  };

  return {
    async take(given, look): Promise<LedgerTurn | null> {
      const signal = given ?? new AbortController().signal;
      await othersInProcess(signal);
      if (signal.aborted) return null;
      const { letGo, mine } = hold();
      try {
        while (!signal.aborted) {
          const lease = await lock.take();
          if (lease !== null) {
            return {
              ending: mine.ending.signal,
              stored() {
                mine.storedAtMs = clock.now();
              },
              release: () => lease.release().finally(letGo),
            };
          }
          await look();
          await pause(RETRY_MS, signal);
        }
      } catch (error) {
        letGo();
        throw error;
      }
      letGo();
      return null;
    },
  };
}
