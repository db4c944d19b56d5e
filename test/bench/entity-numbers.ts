/** First second of the stream; what it begins with was made before, a row each microsecond. */
export const STREAM_START = 1_700_000_000_000_000_000n;
export const SECOND = 1_000_000_000n;

/** How many there are of each kind in a ledger of `size` NFTs and messages. */
export function entityCounts(size: number) {
  return {
    accounts: size / 10,
    tokens: size / 100,
    /** Unique tokens beside the large collection. */
    collections: size / 200 - 1,
    topics: size / 1000,
    schedules: size / 100,
    /** What one account has of allowances of each kind, and of airdrops. */
    large: size / 100,
    serials: size / 2,
  };
}

export function accountNum(index: number): bigint {
  return 1_000_000n + BigInt(index);
}

/** Even ones are fungible; the second is the large collection. */
export function tokenNum(index: number): bigint {
  return 2_000_000n + BigInt(index);
}

export function topicNum(index: number): bigint {
  return 3_000_000n + BigInt(index);
}

export function scheduleNum(index: number): bigint {
  return 4_000_000n + BigInt(index);
}

/** A serialized Ed25519 key: every tenth is the same. */
export function keyOf(index: number): Uint8Array {
  const bytes = new Uint8Array(34);
  bytes.set([0x12, 0x20]);
  const distinct = index % 10 === 0 ? 0 : index;
  new DataView(bytes.buffer).setUint32(2, distinct);
  return bytes;
}

export function publicKeyOf(index: number): string {
  return Buffer.from(keyOf(index).subarray(2)).toString('hex');
}
