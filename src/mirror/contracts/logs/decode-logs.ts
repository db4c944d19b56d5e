import type { Hex } from '../../../values/hex.ts';
import { wordOfHex } from '../../evm/quantities.ts';
import {
  bytesOfHex,
  type DecodedMembers,
  type DecodeRows,
  type LedgerDecodeRequest,
  shownDecoded,
} from '../decode-rows.ts';
import type { StoredLog } from './contract-log-repository.ts';

const NOTHING: Uint8Array = new Uint8Array();

/** What `decode=true` adds to logs: `decoded`, the event with its arguments. */
export async function decodeLogs(
  logs: readonly StoredLog[],
  addressOf: ReadonlyMap<bigint, string | null>,
  decode: DecodeRows,
): Promise<readonly DecodedMembers[]> {
  const requests: LedgerDecodeRequest[] = [];
  const places = logs.map((log) => {
    const address = bytesOfHex(addressOf.get(log.contract) ?? null);
    if (address === null) return -1;
    // Shorter ones count as words, as they are shown.
    const topics = log.topics.flatMap((topic) => (topic === null ? [] : [bytesOfWord(topic)]));
    const data = log.data === null || log.data === '0x' ? NOTHING : bytesOfWord(log.data);
    return requests.push({ kind: 'log', address, data, topics }) - 1;
  });
  const decoded = requests.length === 0 ? [] : await decode(requests);
  return places.map((place) => ({ decoded: shownDecoded(decoded[place] ?? null) }));
}

function bytesOfWord(hex: Hex): Uint8Array {
  return bytesOfHex(wordOfHex(hex)) ?? NOTHING;
}
