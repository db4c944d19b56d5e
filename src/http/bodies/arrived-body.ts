import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type BodyBudget, SMALL_BODY_BYTES } from './body-budget.ts';
import type { ReadBody } from './body-reading.ts';

/**
 * Takes a small plain body that has arrived whole while its request waited for its turn.
 *
 * Listening to its stream, and being watched for slowness, would cost more than most of what is done with it.
 *
 * @returns null when it has not, is not small, is not as long as announced, or finds no room: it is read as any other.
 */
export function takeArrived(
  payload: Readable,
  contentLength: string | undefined,
  limitBytes: number,
  budget: BodyBudget,
): ReadBody | null {
  if (!(payload instanceof IncomingMessage && payload.complete)) return null;
  const size = payload.readableLength;
  if (size === 0 || size > limitBytes || size > SMALL_BODY_BYTES || size !== Number(contentLength))
    return null;
  if (!budget.take(size, size)) return null;
  const bytes = payload.read() as Buffer;
  let held = size;
  return {
    bytes: size,
    parts: [bytes],
    release(keptBytes = 0) {
      const given = Math.max(0, held - keptBytes);
      budget.give(given);
      held -= given;
    },
  };
}
