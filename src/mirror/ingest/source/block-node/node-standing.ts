import { type BackOff, backOffMs } from '../../back-off.ts';
import type { BlockNodeFault } from './block-node-error.ts';

/** How a node has served so far; times are milliseconds since the epoch. */
export interface NodeStanding {
  /** Failures since the last block of it that was accepted. */
  readonly errors: number;
  readonly failedAt: number;
  /** How long it is left in peace after the failure. */
  readonly delayMs: number;
  /** Only asked before this time when no other node has the block. */
  readonly asideUntil: number;
  /** What was wrong last; null when nothing is. */
  readonly trouble: { readonly fault: BlockNodeFault /** For people. */; readonly text: string } | null;
}

export const FRESH: NodeStanding = { errors: 0, failedAt: 0, delayMs: 0, asideUntil: 0, trouble: null };

const BACK_OFF: BackOff = { firstMs: 500, longestMs: 60_000 };
/** While nothing else has the block: what is wrong is found to be over within ten seconds. */
const LONELY_DELAY_MS = 8_000;
const MAX_ERRORS = 3;
const READMIT_MS = 60_000;
const BAD_BLOCK_MS = 600_000;

/**
 * After a failure: left in peace for 0.5 s, doubling to 60 s; set aside for a minute by the third in a row.
 *
 * @param jitter from 0 to below 1
 * @see contracts/streams.md section 17.5
 */
export function afterFailure(
  before: NodeStanding,
  trouble: NonNullable<NodeStanding['trouble']>,
  now: number,
  jitter: number,
): NodeStanding {
  const errors = before.errors + 1;
  const aside = errors >= MAX_ERRORS ? now + READMIT_MS : 0;
  return {
    errors,
    trouble,
    failedAt: now,
    delayMs: backOffMs(errors, BACK_OFF, () => jitter),
    asideUntil: Math.max(before.asideUntil, aside),
  };
}

/** After a block that was refused: as after a failure, and set aside for ten minutes. */
export function afterBadBlock(
  before: NodeStanding,
  trouble: NonNullable<NodeStanding['trouble']>,
  now: number,
  jitter: number,
): NodeStanding {
  return { ...afterFailure(before, trouble, now, jitter), asideUntil: now + BAD_BLOCK_MS };
}

/** When a node is asked next: by itself, or because no other node has the block. */
export function askedFrom(standing: NodeStanding, isLonely: boolean): number {
  const { asideUntil, delayMs, failedAt } = standing;
  return isLonely ? failedAt + Math.min(delayMs, LONELY_DELAY_MS) : Math.max(asideUntil, failedAt + delayMs);
}
