import { parseBase32, toBase32 } from '../../values/base32.ts';
import type { EntityHome } from './entity-id-text.ts';

/** An alias in a parameter. */
interface AliasText {
  readonly alias: Uint8Array;
  /** Written before the alias; null where it is left out. */
  readonly shard: bigint | null;
  readonly realm: bigint | null;
}

/** Shard and realm may stand before it, or the realm alone. */
const ALIAS = /^(?:(?:(\d{1,5})\.)?(\d{1,5})\.)?([A-Z2-7]{1,1024})$/;

/**
 * Reads an account alias: base32 without padding, upper case.
 *
 * @returns null for any other text, also for another spelling of the same bytes.
 * @see RFC 4648 section 6, contracts/mirror-entities.md section 1.1
 */
export function parseAliasText(text: string): AliasText | null {
  const match = ALIAS.exec(text);
  if (match === null) return null;
  const [, shard, realm, digits = ''] = match;
  const alias = parseBase32(digits);
  if (alias === null || toBase32(alias) !== digits) return null;
  return { alias, shard: numberOrNull(shard), realm: numberOrNull(realm) };
}

/** Whether what stands before an alias or address names this network, whose accounts alone are known. */
export function isOfHome({ realm, shard }: Omit<AliasText, 'alias'>, home: EntityHome): boolean {
  return (shard === null || shard === home.shard) && (realm === null || realm === home.realm);
}

function numberOrNull(digits: string | undefined): bigint | null {
  return digits === undefined ? null : BigInt(digits);
}
