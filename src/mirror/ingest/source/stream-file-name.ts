import { type ConsensusTimestamp, timestampFromParts } from '../../../values/consensus-timestamp.ts';

/** What the name of a file in a stream tells. */
export type StreamFileName =
  | { readonly kind: 'record'; readonly instant: ConsensusTimestamp }
  | { readonly kind: 'signature'; readonly instant: ConsensusTimestamp }
  | { readonly kind: 'sidecar'; readonly instant: ConsensusTimestamp; readonly id: number }
  /** `node_0.0.3.rcd_sig` beside a single record file. */
  | { readonly kind: 'node-signature'; readonly account: string };

const STREAM_FILE =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d)_(\d\d)_(\d\d)(?:\.(\d{1,9}))?Z(?:_(\d\d))?\.(rcd|rcd\.gz|rcd_sig)$/;
const NODE_SIGNATURE = /^node_(\d+\.\d+\.\d+)\.rcd_sig$/;

/**
 * Reads the name of a record, signature or sidecar file; letter case matters.
 *
 * @returns null for any other name, which a source ignores.
 * @see contracts/streams.md section 3
 */
export function parseStreamFileName(name: string): StreamFileName | null {
  const ofNode = NODE_SIGNATURE.exec(name);
  if (ofNode !== null) return { kind: 'node-signature', account: ofNode[1] ?? '' };
  const match = STREAM_FILE.exec(name);
  if (match === null) return null;
  const instant = instantOf(match);
  if (instant === null) return null;
  const [sidecar, extension] = [match[8], match[9]];
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

/** Date keeps whole seconds only, and turns impossible dates into others: those are no names. */
function instantOf(match: RegExpExecArray): ConsensusTimestamp | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal = date.getUTCDate() === day && date.getUTCHours() === hour && date.getUTCSeconds() === second;
  if (!isReal || date.getTime() < 0) return null;
  return timestampFromParts(BigInt(date.getTime() / 1000), Number((match[7] ?? '').padEnd(9, '0')));
}
