import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest, messages } from '../errors.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { tokenInPath } from '../parameters/token-in-path.ts';

const SERIAL = /^\d{1,19}$/;

/** The check of one `serialnumber` value with its operator. */
export function isSerialCondition(text: string): boolean {
  const filter = parseFilter(text);
  return filter !== null && isSerial(filter.value);
}

/**
 * The NFT that a path names; it need not exist.
 *
 * @throws MirrorApiError 400 `Invalid parameter: tokenid` or `serialnumber`.
 * @see contracts/mirror-entities.md section 7.2
 */
export function nftInPath(
  { serialNumber, tokenId }: { readonly tokenId: string; readonly serialNumber: string },
  home: EntityHome,
): { readonly token: bigint; readonly serial: bigint } {
  const token = tokenInPath(tokenId, home);
  if (!isSerial(serialNumber)) throw invalidRequest([messages.invalidParameter('serialnumber')]);
  return { token, serial: BigInt(serialNumber) };
}

function isSerial(text: string): boolean {
  return SERIAL.test(text) && BigInt(text) >= 1n && BigInt(text) <= MAX_INT64;
}
