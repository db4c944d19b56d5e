import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseUtcInstant } from '../../../values/utc-instant.ts';

/** What the name of a file in a stream tells. */
type StreamFileName =
  | { readonly kind: 'record'; readonly instant: ConsensusTimestamp }
  | { readonly kind: 'signature'; readonly instant: ConsensusTimestamp }
  | { readonly kind: 'sidecar'; readonly instant: ConsensusTimestamp; readonly id: number }
  /** A block, by the number in its name alone; folders may be part of it. */
  | { readonly kind: 'block'; readonly digits: string }
  /** `node_0.0.3.rcd_sig` beside a single record file. */
  | { readonly kind: 'node-signature'; readonly account: string };

const STREAM_FILE = /^(\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d(?:\.\d{1,9})?Z)(?:_(\d\d))?\.(rcd|rcd\.gz|rcd_sig)$/;
const BLOCK_FILE = /^(\d{1,36})\.blk(?:\.gz|\.zstd?)?$/;
const NODE_SIGNATURE = /^node_(\d+\.\d+\.\d+)\.rcd_sig$/;

/**
 * Reads the name of a record, signature, sidecar or block file; letter case matters.
 *
 * @returns null for any other name, which a source ignores.
 * @see contracts/streams.md sections 3 and 9.1
 */
export function parseStreamFileName(name: string): StreamFileName | null {
  const ofNode = NODE_SIGNATURE.exec(name);
  if (ofNode !== null) return { kind: 'node-signature', account: ofNode[1] ?? '' };
  const block = BLOCK_FILE.exec(name);
  if (block !== null) return { kind: 'block', digits: block[1] ?? '' };
  const match = STREAM_FILE.exec(name);
  if (match === null) return null;
  const [, written = '', sidecar, extension] = match;
  const instant = parseUtcInstant(written.replaceAll('_', ':'));
  if (instant === null) return null;
  if (extension === 'rcd_sig') return sidecar === undefined ? { kind: 'signature', instant } : null;
  if (sidecar === undefined) return { kind: 'record', instant };
  return { kind: 'sidecar', instant, id: Number(sidecar) };
}

/** Prints an instant the way file names have it, always with nine fraction digits. */
export function streamInstant(instant: ConsensusTimestamp): string {
  const seconds = new Date(Number(instant / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const nanos = (instant % 1_000_000_000n).toString().padStart(9, '0');
  return `${seconds.replaceAll(':', '_')}.${nanos}Z`;
}

/** The name of the record file of an instant, whose fraction has no more groups of three digits than it needs. */
export function recordFileName(instant: ConsensusTimestamp): string {
  return `${streamInstant(instant).replace(/\.?(?:000){1,3}Z$/, 'Z')}.rcd`;
}
