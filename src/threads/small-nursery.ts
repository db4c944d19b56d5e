import { setFlagsFromString } from 'node:v8';

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
