import { gzipSync } from 'node:zlib';
import { ZERO_HASH } from '../../../../src/mirror/ingest/sha384.ts';
import { streamInstant } from '../../../../src/mirror/ingest/units/stream-file-name.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { makeNodeSigners } from '../../../../tools/network/node-signer.ts';
import { writeRecordFile, writeSignatureFile } from '../../../../tools/network/record-file-writer.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { type StreamOptions, writtenLedger } from '../../../../tools/network/written-ledger.ts';

export const NODES = 3;
const SIGNERS = makeNodeSigners(NODES, seededRandom('odd deliveries'), 1024);
const STRANGERS = makeNodeSigners(NODES, seededRandom('another network'), 1024);
const SECOND = 1_000_000_000n;
/** Files whose deliveries are mixed with each other. */
const WINDOW = 10;

/** Puts a file where readers see it, over what was there. */
export type Put = (path: string, bytes: Uint8Array) => void;

/** A stream that comes file by file in odd order, with damaged files and those of another network among them. */
export interface OddDeliveries {
  /** What a clean delivery would have brought, without anything odd. */
  readonly clean: ReadonlyMap<string, Uint8Array>;
  readonly files: number;
  /** Delivers some more; null when all is delivered. How many files of the chain can be taken now, at least. */
  next(put: Put): number | null;
}

interface Delivery {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What it is good for; null for what is odd. */
  readonly good: { readonly number: number; readonly node: number; readonly isSignature: boolean } | null;
}

/**
 * Draws what comes in which order. Of each file a copy and the signatures of the nodes come in the end; before and beside
 * them come damaged ones, those of other networks under the names of this one, and under names between them.
 *
 * @param random from 0 to below 1
 * @param isSigned whether a file can be taken only with the signature of one of the three nodes
 */
export function drawDeliveries(
  random: () => number,
  { isSigned, ...options }: StreamOptions & { readonly isSigned: boolean },
): OddDeliveries {
  const below = (count: number): number => Math.floor(random() * count);
  const { book, units } = writtenLedger({ traces: false, nodes: NODES, ...options, signers: SIGNERS });
  const written = [...units];
  const clean = new Map<string, Uint8Array>([['address_book.bin', book]]);
  const strange = (instant: bigint, previous: Uint8Array, number: number) => {
    const consensus = consensusTimestamp(instant);
    const payer = 801n;
    const event = {
      consensus,
      validStart: consensus,
      payer,
      data: { cryptoTransfer: {} },
      status: 22,
      fee: 0n,
      node: null,
    };
    const item = ledgerItem(event as never, { shard: 0n, realm: 0n });
    return writeRecordFile([item], previous, BigInt(number), [0, 65, 0]);
  };
  const folders = SIGNERS.map(({ accountNum }) => `recordstreams/record0.0.${accountNum}/`);
  const odd = (path: string, bytes: Uint8Array): Delivery => ({ path, bytes, good: null });
  /** A hash of the ledger where signatures have to tell; one that no file has where the first comer would be taken. */
  const anyHash = (): Uint8Array =>
    isSigned && below(3) > 0
      ? (written[below(written.length)]?.file.endHash ?? ZERO_HASH)
      : Buffer.alloc(48, 1 + below(250));
  const damaged = (bytes: Uint8Array): Uint8Array => {
    if (below(4) === 0) return bytes.subarray(0, below(bytes.length));
    const changed = Buffer.from(bytes);
    const at = below(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << below(8));
    return changed;
  };
  const waiting: { readonly delivery: Delivery; readonly at: number }[] = [];
  const later = (delivery: Delivery, at: number) => waiting.push({ delivery, at });
  for (const [number, { file, first }] of written.entries()) {
    const name = streamInstant(first);
    const bytes = gzipSync(file.bytes);
    const holder = below(NODES);
    for (const [node, folder] of folders.entries()) {
      const signature = writeSignatureFile(file, SIGNERS[node] as never);
      clean.set(`${folder}${name}.rcd.gz`, bytes);
      clean.set(`${folder}${name}.rcd_sig`, signature);
      const isLate = number < 2 ? 0 : number + random() * WINDOW;
      const record = `${folder}${name}.rcd.gz`;
      const kind = number < 2 ? 9 : below(10);
      if (kind < 3)
        later(
          odd(record, damaged(file.bytes.length % 2 === 0 ? bytes : gzipSync(damaged(file.bytes)))),
          isLate * random(),
        );
      if (kind === 3)
        later(odd(record, gzipSync(strange(first, anyHash(), below(written.length * 2)).bytes)), isLate);
      if (kind === 4) later(odd(record, new Uint8Array()), isLate * random());
      // Some copies stay as they are.
      if (kind > 5 || node === holder)
        later({ path: record, bytes, good: { number, node, isSignature: false } }, isLate);
      const signed = `${folder}${name}.rcd_sig`;
      if (number >= 2 && below(6) === 0) later(odd(signed, damaged(signature)), isLate * random());
      later(
        { path: signed, bytes: signature, good: { number, node, isSignature: true } },
        number < 2 ? 0 : number + random() * WINDOW,
      );
    }
    if (number < 2 || below(3) > 0) continue;
    const at = first + BigInt(below(4_000_000_000)) - 2n * SECOND;
    const stray = strange(at, anyHash(), below(written.length * 2));
    const folder = folders[below(NODES)] ?? '';
    later(
      odd(`${folder}${streamInstant(consensusTimestamp(at))}.rcd.gz`, gzipSync(stray.bytes)),
      number + random() * WINDOW,
    );
    if (below(2) === 0) {
      const signature = writeSignatureFile(stray, STRANGERS[0] as never);
      later(
        odd(`${folder}${streamInstant(consensusTimestamp(at))}.rcd_sig`, signature),
        number + random() * WINDOW,
      );
    }
  }
  // What is odd may come after what is good, but not in its place.
  const order = waiting.sort((one, other) => one.at - other.at).map(({ delivery }) => delivery);
  const good = new Map<string, boolean>();
  const has = (number: number, isSignature: boolean): boolean =>
    folders.some((_, node) => good.has(`${number} ${node} ${isSignature}`));
  const placed = new Set<string>();
  let isBegun = false;
  return {
    clean,
    files: written.length,
    next(put) {
      if (order.length === 0) return null;
      if (!isBegun) put('address_book.bin', book);
      const count = isBegun ? 1 + below(12) : order.findIndex(({ good: is }) => is === null || is.number > 1);
      isBegun = true;
      for (const { bytes, good: is, path } of order.splice(0, Math.max(1, count))) {
        if (is === null && placed.has(path)) continue;
        put(path, bytes);
        if (is === null) continue;
        placed.add(path);
        good.set(`${is.number} ${is.node} ${is.isSignature}`, true);
      }
      const missing = written.findIndex(
        (_, number) => !has(number, false) || (isSigned && !has(number, true)),
      );
      return missing < 0 ? written.length : missing;
    },
  };
}
