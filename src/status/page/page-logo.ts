import { createHash } from 'node:crypto';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** A picture that stands before the page's name. */
export interface PageLogo {
  readonly type: string;
  readonly bytes: Buffer;
  /** Of its content, for its address. */
  readonly version: string;
}

const MAX_BYTES = 512 * 1024;

/** How the files of each kind begin. */
const KINDS = [
  ['image/png', (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  [
    'image/webp',
    (bytes: Buffer) =>
      bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  ],
  [
    'image/svg+xml',
    (bytes: Buffer) =>
      /^(?:\uFEFF)?\s*(?:<\?xml|<!--|<!DOCTYPE svg|<svg)/.test(bytes.toString()) && bytes.includes('<svg'),
  ],
] as const;

/**
 * Takes a file as logo, by what it holds and not by its name.
 *
 * @throws LedgerlensError `invalid_configuration` for another kind, or for more than 512 KiB.
 */
export function readLogo(bytes: Buffer): PageLogo {
  if (bytes.length > MAX_BYTES) {
    throw wrong(`has ${bytes.length} bytes; the maximum is ${MAX_BYTES}`);
  }
  const type = KINDS.find(([, begins]) => begins(bytes))?.[0];
  if (type === undefined) throw wrong('is not an SVG, PNG or WebP image');
  return { type, bytes, version: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
}

function wrong(what: string): LedgerlensError {
  return new LedgerlensError('invalid_configuration', `STATUS_LOGO_FILE: the file ${what}`);
}
