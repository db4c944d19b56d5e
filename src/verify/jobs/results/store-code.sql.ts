import { createHash } from 'node:crypto';
import type { Sql } from '../../../storage/sql/sql.ts';
import { keccak256 } from '../../../values/keccak256.ts';
import type { Work } from '../../../values/work.ts';

/** SHA-256, the key of codes. */
export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** The codes of a verification; null: not known, stored as the empty one. */
interface VerifiedCodes<Code> {
  readonly recompiledCreation: Code;
  readonly recompiledRuntime: Code;
  readonly creation: Code;
  readonly runtime: Code;
}

/** The same by their keys. */
export type CodeKeys = VerifiedCodes<Buffer>;

/** Stores codes unless they are known. To be called inside a write transaction. */
export function prepareStoreCodes(sql: Sql): (codes: VerifiedCodes<Uint8Array | null>) => Work<CodeKeys> {
  const insert = sql.prepare(
    'INSERT INTO code (code_hash, code_hash_keccak, code) VALUES (?, ?, ?) ON CONFLICT (code_hash) DO NOTHING',
  );
  const listKnown = sql.prepareValue<unknown[], Buffer>(
    'SELECT code_hash FROM code WHERE code_hash IN (?, ?, ?, ?)',
  );
  return function* ({ creation, recompiledCreation, recompiledRuntime, runtime }) {
    const given = [recompiledCreation, recompiledRuntime, creation, runtime].map((code) => ({
      code,
      key: code === null ? Buffer.alloc(0) : sha256(code),
    }));
    const keys = given.map(({ key }) => key) as [Buffer, Buffer, Buffer, Buffer];
    // keccak256 in JavaScript takes milliseconds, and most codes of clones are known.
    const known = [...(yield* listKnown.all(...keys))];
    // All in one order, or two replicas that store the same codes would wait for each other.
    for (const { code, key } of given.sort((left, right) => left.key.compare(right.key))) {
      if (known.some((each) => each.equals(key))) continue;
      known.push(key);
      const keccak = code === null ? Buffer.alloc(0) : Buffer.from(keccak256(code));
      yield* insert.run(key, keccak, code === null ? null : Buffer.from(code));
    }
    return { recompiledCreation: keys[0], recompiledRuntime: keys[1], creation: keys[2], runtime: keys[3] };
  };
}
