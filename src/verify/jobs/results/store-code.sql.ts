import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Sql } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';

/** SHA-256, the key of codes. */
export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Stores a code unless it is known, null as the empty one. @returns its key. */
export type StoreCode = (code: Uint8Array | null) => Work<Buffer>;

/** To be called inside a write transaction. */
export function prepareStoreCode(sql: Sql): StoreCode {
  const insert = sql.prepare(
    'INSERT INTO code (code_hash, code_hash_keccak, code) VALUES (?, ?, ?) ON CONFLICT (code_hash) DO NOTHING',
  );
  const isKnown = sql.prepare('SELECT 1 FROM code WHERE code_hash = ?');
  return function* (code) {
    if (code === null) {
      yield* insert.run(Buffer.alloc(0), Buffer.alloc(0), null);
      return Buffer.alloc(0);
    }
    const hash = sha256(code);
    // keccak256 in JavaScript takes milliseconds, and most codes of clones are known.
    if ((yield* isKnown.get(hash)) === undefined) {
      yield* insert.run(hash, Buffer.from(keccak_256(code)), Buffer.from(code));
    }
    return hash;
  };
}

/** The bytes of hex with or without 0x, as columns hold them. */
export function toBytes(hex: string): Buffer {
  return Buffer.from(bareDigits(hex), 'hex');
}

function bareDigits(hex: string): string {
  return hex.startsWith('0x') ? hex.slice(2) : hex;
}
