import { type ConsensusTimestamp, timestampFromParts } from './consensus-timestamp.ts';

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/**
 * Reads an instant such as `2024-01-31T00:00:00Z`, with up to nine fraction digits.
 *
 * @returns null for any other text, an impossible date, and times before 1970.
 */
export function parseUtcInstant(text: string): ConsensusTimestamp | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, seconds = '', fraction = ''] = match;
  const date = new Date(`${seconds}Z`);
  // Date turns some impossible dates into others.
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
  if (!isReal || date.getTime() < 0) return null;
  return timestampFromParts(BigInt(date.getTime() / 1000), Number(fraction.padEnd(9, '0')));
}
