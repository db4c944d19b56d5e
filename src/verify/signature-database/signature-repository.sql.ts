import type { Sql } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import type { AbiSignature, SignatureType } from '../signatures.ts';

/** A part of all signatures. */
interface SignatureWindow {
  /** With what the texts begin. */
  readonly prefix: string;
  /** The text before the first one; empty at the beginning. */
  readonly after: string;
  readonly limit: number;
}

/** A signature and all its kinds: an error may have the text of a function. */
export type KnownSignature = Omit<AbiSignature, 'type'> & { readonly types: readonly SignatureType[] };

/** Nobody reads more meanings of one selector. */
const MAX_OF_ONE_HASH = 100;
/** To tell common from rare, counting further says nothing new. */
const COUNT_USES_TO = 100;
const HASH_BYTES = 32;
/** Beyond the longest that real contracts have. Names cost nothing on chain, so anybody can verify some of megabytes. */
const MAX_BYTES = 2048;
/** Reads the length in the row's head and not the text. */
const isReadable = `octet_length(known.signature) <= ${MAX_BYTES}`;

interface TypedRow {
  readonly hash: Buffer;
  readonly signature: string;
  readonly function: number;
  readonly event: number;
  readonly error: number;
}

const TYPES: readonly SignatureType[] = ['function', 'event', 'error'];

/** Not EXISTS, for which PostgreSQL reads all of a type to hash them. */
const linked = (type: string) =>
  `(SELECT 1 FROM compiled_contract_signature AS link
     WHERE link.signature_type = ${type} AND link.signature_hash_32 = known.signature_hash_32 LIMIT 1) IS NOT NULL`;

/** The signatures of everything that is verified. */
export type SignatureRepository = ReturnType<typeof createSignatureRepository>;

/** Reads signatures. */
export function createSignatureRepository(sql: Sql) {
  const byHash = sql.prepare<unknown[], { readonly signature: string }>(
    `SELECT known.signature FROM signature AS known
     WHERE known.signature_hash_32 BETWEEN @from AND @to AND ${isReadable} AND ${linked('@type')}
     ORDER BY (SELECT count(*) FROM (SELECT 1 FROM compiled_contract_signature AS link
         WHERE link.signature_type = @type AND link.signature_hash_32 = known.signature_hash_32
         LIMIT ${COUNT_USES_TO}) AS used) DESC, known.signature
     LIMIT ${MAX_OF_ONE_HASH}`,
  );
  const { greatestBytes } = sql.dialect;
  const typeColumns = TYPES.map(
    (type) => `CASE WHEN ${linked(`'${type}'`)} THEN 1 ELSE 0 END AS ${type}`,
  ).join(', ');
  const byText = sql.prepare<unknown[], TypedRow>(
    `SELECT known.signature_hash_32 AS hash, known.signature, ${typeColumns} FROM signature AS known
     WHERE known.signature >= ? AND known.signature > ? AND known.signature < ? AND ${isReadable}
     ORDER BY known.signature LIMIT ?`,
  );
  const counted = sql.prepare<
    unknown[],
    Readonly<Record<SignatureType, number | null>> & { readonly last: Buffer | null }
  >(
    `SELECT ${TYPES.map((type) => `sum(${type}) AS ${type}`).join(', ')}, ${greatestBytes('hash')} AS last FROM (
       SELECT known.signature_hash_32 AS hash, ${typeColumns} FROM signature AS known
       WHERE known.signature_hash_32 > ? AND ${isReadable}
       ORDER BY known.signature_hash_32 LIMIT ?) AS part`,
  );

  return {
    /**
     * Lists the signatures of one kind whose hash begins with the given digits, the one that most contracts have first.
     *
     * @param hash hex without 0x, at most 64 digits and an even number of them.
     */
    listByHash: sql.reading(function* (type: SignatureType, hash: string) {
      const bytes = Buffer.from(hash, 'hex');
      const from = Buffer.alloc(HASH_BYTES, 0x00);
      const to = Buffer.alloc(HASH_BYTES, 0xff);
      for (const bound of [from, to]) bytes.copy(bound);
      return (yield* byHash.all({ from, to, type })).map(({ signature }) => signature);
    }),
    /** Reads the next signatures in the order of their text; fewer than `limit` when there are no more. */
    listByText: sql.reading(function* ({ prefix, after, limit }: SignatureWindow) {
      return (yield* byText.all(prefix, after, `${prefix}\u{10ffff}`, limit)).map(toSignature);
    }),
    /** Counts the next signatures in the order of their hash; `last` is that of the last one, hex without 0x, null when there
     * are no more. */
    countAfter: sql.reading(function* (hash: string, limit: number) {
      const row = yield* counted.get(Buffer.from(hash, 'hex'), limit);
      const kinds = { function: row?.function ?? 0, event: row?.event ?? 0, error: row?.error ?? 0 };
      return { kinds, last: row?.last == null ? null : bareHex(row.last) };
    }),
  };
}

function toSignature(row: TypedRow): KnownSignature {
  const types = TYPES.filter((type) => row[type] === 1);
  return { hash: bareHex(row.hash), signature: row.signature, types };
}
