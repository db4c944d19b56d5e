import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The engine's own value. */
const GROWTH_FACTOR = 2;

/**
 * Does the work of a start without letting the engine's space for young objects grow.
 *
 * Most of what a start makes stays, which the engine answers with 32 MB for young objects; an idle server would keep
 * them for ever. Under load the space grows afterwards as it always does.
 */
export async function withinSmallNursery<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await work();
  } finally {
    setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
  }
}

/**
 * Gives back what a start needed and a server does not.
 *
 * The engine collects when memory is wanted, so an idle server would keep some 15 MB of it. As a last resort it also
 * returns the pages that became empty; a plain collection keeps them for what comes next.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  setFlagsFromString('--no-expose-gc');
  // An older engine takes any argument for the wish to collect young objects only.
  if (Number.parseInt(process.versions.v8, 10) < 12) collect();
  else collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
