import { isSuccess } from '../../vocabulary/response-codes.ts';
import {
  bytesOfHex,
  type DecodedMembers,
  type DecodeRows,
  type LedgerDecodeRequest,
  shownDecoded,
} from '../decode-rows.ts';
import type { StoredResult } from './contract-result-repository.ts';

const NOTHING: Uint8Array = new Uint8Array();

/**
 * What `decode=true` adds to results: `decoded`, the function with its arguments and what it returned, and
 * `decoded_error` of one that was reverted. Creations have neither.
 */
export async function decodeResults(
  results: readonly StoredResult[],
  addressOf: ReadonlyMap<bigint, string | null>,
  decode: DecodeRows,
): Promise<readonly DecodedMembers[]> {
  const requests: LedgerDecodeRequest[] = [];
  /** Places of the requests of each result. */
  const places = results.map((result) => {
    const address = bytesOfHex(addressOf.get(result.contract) ?? null);
    const isCall = address !== null && !result.createdContracts.includes(result.contract);
    const data = bytesOfHex(result.functionParameters) ?? NOTHING;
    const revert = bytesOfHex(result.errorMessage);
    const place = { call: -1, revert: -1 };
    if (isCall && data.length > 0) {
      const returned = isSuccess(result.result) ? bytesOfHex(result.callResult) : null;
      place.call =
        requests.push({ kind: 'call', address, data, ...(returned === null ? {} : { returned }) }) - 1;
    }
    if (isCall && revert !== null && !isSuccess(result.result)) {
      place.revert = requests.push({ kind: 'revert', address, data: revert }) - 1;
    }
    return place;
  });
  const decoded = requests.length === 0 ? [] : await decode(requests);
  return places.map(({ call, revert }) => ({
    decoded: shownDecoded(decoded[call] ?? null),
    decoded_error: shownDecoded(decoded[revert] ?? null),
  }));
}
