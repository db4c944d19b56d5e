// Preloaded into an attacked server: appends each long turn of its event loop to the file that ATTACK_TURNS names.
import { openSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const LOOK_EVERY_MS = 2;
/** Shorter turns are far from the bar, and writing each down would lengthen the next. */
const MIN_MS = 10;

const path = process.env['ATTACK_TURNS'];
if (isMainThread && path !== undefined) {
  // Open from the start: an attack may take all descriptors.
  const file = openSync(path, 'a');
  let last = performance.eventLoopUtilization();
  // Timers run once in a turn. Its time without work does not count: the thread may have waited for a processor.
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const ms = now.active - last.active;
    last = now;
    if (ms >= MIN_MS) writeSync(file, `${Date.now()} ${ms.toFixed(1)}\n`);
  }, LOOK_EVERY_MS).unref();
}
