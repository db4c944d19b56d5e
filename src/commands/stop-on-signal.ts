import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Config } from '../config.ts';
import type { Listeners } from '../http/edge/listeners.ts';
import type { Services } from '../services.ts';

/** What ends when the process does. */
type Stoppable = Pick<Services, 'log' | 'beginDraining' | 'close'> & Partial<Pick<Services, 'giveJobsBack'>>;

/**
 * Not ours to handle: the engine uses them itself to catch a compiler's access beyond its WebAssembly memory.
 * A handler would turn such an access into an endless fault.
 */
const FAULT_SIGNALS: ('SIGILL' | 'SIGTRAP' | 'SIGABRT' | 'SIGBUS' | 'SIGFPE' | 'SIGSEGV')[] = [
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
];

/** Signals that ask for the end. npm passes on the one that a terminal sent to both, so it arrives twice. */
const STOP_SIGNALS: ('SIGINT' | 'SIGTERM')[] = ['SIGINT', 'SIGTERM'];

/** A stop signal that soon after the first is the same one again, not somebody's impatience. */
const SAME_SIGNAL_MS = 500;

/** What remains of the grace period when jobs that still run are given back: requests may hold the rest up. */
const FAREWELL_MS = 1500;
/** How long threads may take to end with the process. */
const THREADS_MS = 2000;
const END_PARENT = `
process.stdin.resume().once('end', () => process.exit());
setTimeout(() => process.ppid === ${process.pid} && process.kill(${process.pid}, 'SIGKILL'), ${THREADS_MS});`;

/**
 * Before an exit: Node waits for every thread, also for one that sleeps inside SQLite or starts a program. Process 1 of a
 * container is beyond the signals of others in it: its runtime ends it.
 */
function endForSure(): void {
  if (process.pid === 1) return;
  spawn(process.execPath, ['-e', END_PARENT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  })
    // Without it, the exit takes as long as the threads do.
    .once('error', () => {});
}

/** `stopped` gives the exit code when a signal or a fault has ended everything. */
export function stopOnSignal(
  config: Config,
  services: Stoppable,
  listeners: readonly Listeners[],
): { readonly stopped: Promise<number>; readonly uninstall: () => void } {
  const { log } = services;
  const delay = config.http.drainMs + config.http.shutdownMs;
  let uninstall = () => {};
  const stopped = new Promise<number>((resolve) => {
    let first: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;
    const grace = closeWithGrace(
      {
        delay,
        logger: false,
        skip: [...FAULT_SIGNALS, ...STOP_SIGNALS],
        onTimeout: () => {
          log.error(`gave up after ${delay} ms with requests or jobs still running`);
          endForSure();
        },
        onSecondSignal: (signal) => log.warn({ signal }, 'second signal: stopping at once'),
      },
      async ({ err, signal }) => {
        if (err !== undefined) log.fatal({ err }, 'stopping after a fault');
        else log.info({ signal: signal ?? first?.signal }, 'stopping');
        services.beginDraining();
        const giveBack = () =>
          services.giveJobsBack?.().catch((error) => log.error({ err: error }, 'jobs were not given back'));
        setTimeout(giveBack, Math.max(0, delay - FAREWELL_MS)).unref();
        // A server that has had no connection yet has none to drain.
        const isInUse = listeners.some(({ taken }) => taken > 0);
        if (err === undefined && isInUse) await pause(config.http.drainMs);
        await Promise.all(listeners.map((each) => each.close()));
        await services.close();
        log.info('stopped');
        resolve(err === undefined ? 0 : 1);
      },
    );
    const onStopSignal = (signal: NodeJS.Signals) => {
      if (first === null) {
        first = { signal, at: performance.now() };
        grace.close();
      } else if (performance.now() - first.at > SAME_SIGNAL_MS) {
        log.warn({ signal }, 'second signal: stopping at once');
        endForSure();
        process.exit(1);
      }
    };
    for (const signal of STOP_SIGNALS) process.on(signal, onStopSignal);
    uninstall = () => {
      grace.uninstall();
      for (const signal of STOP_SIGNALS) process.off(signal, onStopSignal);
    };
  });
  return { stopped, uninstall };
}
