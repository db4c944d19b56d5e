import { prepareInsertRows } from '../../../storage/insert-rows.sql.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';
import type { AbiSignature } from '../../signatures.ts';
import { toBytes } from './store-code.sql.ts';

/** A file of a compilation; `hash` is its SHA-256, `keccak` that of the compiler. */
export interface CompiledFile {
  readonly path: string;
  readonly content: string;
  readonly hash: Buffer;
  readonly keccak: Buffer;
}

/** Lists of a new compilation. */
interface CompiledParts {
  readonly files: readonly CompiledFile[];
  readonly signatures: readonly AbiSignature[];
}

/**
 * Stores what many compilations have in common, and links it. To be called inside a write transaction.
 *
 * Always in the order of the hashes: two replicas that store the same in different orders would wait for each other.
 */
export function prepareStoreParts(sql: Sql): (compilationId: number, parts: CompiledParts) => Work<void> {
  const insertSource = sql.prepare(
    'INSERT INTO source (source_hash, source_hash_keccak, content) VALUES (?, ?, ?) ON CONFLICT (source_hash) DO NOTHING',
  );
  const linkSources = prepareInsertRows<readonly [number, string, Buffer]>(
    sql,
    'compiled_contract_source (compilation_id, path, source_hash)',
    3,
  );
  const insertSignatures = prepareInsertRows<readonly [Buffer, string]>(
    sql,
    'signature (signature_hash_32, signature)',
    2,
    'ON CONFLICT (signature_hash_32) DO NOTHING',
  );
  const linkSignatures = prepareInsertRows<readonly [number, string, Buffer]>(
    sql,
    'compiled_contract_signature (compilation_id, signature_type, signature_hash_32)',
    3,
  );
  return function* (id, { files, signatures }) {
    // One by one: a file may have megabytes.
    for (const { content, hash, keccak } of [...files].sort((left, right) => left.hash.compare(right.hash))) {
      yield* insertSource.run(hash, keccak, content);
    }
    yield* linkSources(files.map(({ hash, path }) => [id, path, hash]));
    const known = signatures
      .map(({ hash, signature, type }) => ({ hash: toBytes(hash), signature, type }))
      .sort((left, right) => left.hash.compare(right.hash));
    yield* insertSignatures(known.map(({ hash, signature }) => [hash, signature]));
    yield* linkSignatures(known.map(({ hash, type }) => [id, type, hash]));
  };
}
