import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps one of the objects in which Node queues calls of `process.nextTick`; every request makes several.
 *
 * A collection that finds none of them makes the engine forget their shape, and for the rest of the process each call
 * takes four times as long.
 */
export function keepTickShape(): void {
  process.nextTick(() => {
    kept[0] = executionAsyncResource();
  });
}
