import { isAuxdataOf } from '../match/auxdata/auxdata-form.ts';
import type { CompilerIdentity } from '../match/compiled-code.ts';

/** What a part of a code is, as far as the code alone tells. */
export type RegionName = 'metadata' | 'immutable' | 'library' | 'call_protection';

/** Bytes that may differ from the chain, `end` excluded. */
export interface NamedRegion {
  readonly name: RegionName;
  readonly start: number;
  readonly end: number;
}

const PUSH1 = 0x60;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
const LENGTH_BYTES = 2;
/** `ipfs`, `bzzr` and `solc` as CBOR keys behind the head of a small map. */
const METADATA_STARTS = ['64697066735822', '65627a7a7230', '65627a7a7231', '64736f6c6343'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
const MAX_METADATA_BYTES = 160;
const SOLIDITY: CompilerIdentity = { language: 'Solidity', version: '0.8.0' };
/** One version of each form in which Vyper writes metadata. */
const VYPER: readonly CompilerIdentity[] = ['0.3.4', '0.3.9', '0.4.0', '0.4.3'].map((version) => ({
  language: 'Vyper',
  version,
}));

/**
 * Finds the places of a recompiled code that a deployment fills or that only name the sources: placeholders hold zeros,
 * metadata have a form of their own.
 *
 * It tells from the bytes what the compiler said when it ran, so it is for people and decides nothing.
 *
 * @returns ordered by their start, none inside another.
 */
export function findRegions(recompiled: Uint8Array): readonly NamedRegion[] {
  const metadata = findMetadata(recompiled);
  const placeholders = findPlaceholders(recompiled).filter(
    ({ start, end }) => !metadata.some((region) => start < region.end && end > region.start),
  );
  return [...metadata, ...placeholders].sort((left, right) => left.start - right.start);
}

/** Metadata at the end and those of contracts that the code creates. */
export function findMetadata(code: Uint8Array): readonly NamedRegion[] {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length);
  const found = new Map<number, NamedRegion>();
  for (const key of METADATA_STARTS) {
    for (let at = bytes.indexOf(key); at > 0; at = bytes.indexOf(key, at + 1)) {
      const start = at - 1;
      const length = metadataLength(code, start);
      if (length !== null) found.set(start, { name: 'metadata', start, end: start + length });
    }
  }
  const ofVyper = found.size === 0 ? vyperMetadata(code) : null;
  if (ofVyper !== null) found.set(ofVyper.start, ofVyper);
  let reached = 0;
  return [...found.values()]
    .sort((left, right) => left.start - right.start)
    .filter(({ start, end }) => {
      const isOutermost = start >= reached;
      reached = Math.max(reached, end);
      return isOutermost;
    });
}

/** With its two length bytes; null when what stands there is no metadata. */
function metadataLength(code: Uint8Array, start: number): number | null {
  for (let length = 8; length <= MAX_METADATA_BYTES; length++) {
    const end = start + length;
    if (((code[end] ?? 0) << 8) + (code[end + 1] ?? 0) !== length) continue;
    if (isAuxdataOf(SOLIDITY, code.subarray(start, end + LENGTH_BYTES))) return length + LENGTH_BYTES;
  }
  return null;
}

function vyperMetadata(code: Uint8Array): NamedRegion | null {
  const counted = ((code.at(-2) ?? 0) << 8) + (code.at(-1) ?? 0);
  for (const length of [11, counted, counted + LENGTH_BYTES]) {
    if (length < 8 || length >= code.length) continue;
    const start = code.length - length;
    if (VYPER.some((compiler) => isAuxdataOf(compiler, code.subarray(start))))
      return { name: 'metadata', start, end: code.length };
  }
  return null;
}

/** Pushes of nothing but zeros: no compiler writes a zero that long for any other reason. */
function findPlaceholders(code: Uint8Array): readonly NamedRegion[] {
  const regions: NamedRegion[] = [];
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] ?? 0;
    if (opcode < PUSH1 || opcode > PUSH32) continue;
    const length = opcode - PUSH1 + 1;
    const start = at + 1;
    const isEmpty =
      start + length <= code.length && code.subarray(start, start + length).every((byte) => byte === 0);
    if (isEmpty && length === WORD_BYTES) regions.push({ name: 'immutable', start, end: start + length });
    if (isEmpty && length === ADDRESS_BYTES && opcode === PUSH20)
      regions.push({ name: at === 0 ? 'call_protection' : 'library', start, end: start + length });
    at += length;
  }
  return regions;
}
