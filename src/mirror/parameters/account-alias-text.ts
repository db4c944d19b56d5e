import { parseBase32, toBase32 } from '../../values/base32.ts';

/** At least an EVM address of 20 bytes; shard and realm may stand before it. */
const ALIAS = /^(?:\d{1,5}\.){0,2}([A-Z2-7]{32,512})$/;

/**
 * Reads an account alias: base32 without padding, upper case.
 *
 * @returns null for any other text, also for another spelling of the same bytes.
 * @see RFC 4648 section 6, contracts/mirror-roadmap.md, accounts
 */
export function parseAliasText(text: string): Uint8Array | null {
  const digits = ALIAS.exec(text)?.[1];
  const bytes = digits === undefined ? null : parseBase32(digits);
  return bytes === null || toBase32(bytes) !== digits ? null : bytes;
}
