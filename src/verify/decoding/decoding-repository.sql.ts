import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import type { Hex } from '../../values/hex.ts';
import { hex, int64, rowTable, text } from '../../values/row-table.ts';
import { COMPILATIONS_OF_A_TOPIC, type SizedCompilation } from './decoding-repository.ts';

const MAX_SIGNATURE_LENGTH = 2048;
const REST_OF_A_HASH = 56;
/** In no name of any language. */
const SEPARATOR = '\n';

const SIZED = rowTable<SizedCompilation>({
  compilationId: int64('compiled.id'),
  bytes: 'octet_length(compiled.compilation_artifacts) AS bytes',
});
const OF_ADDRESS = rowTable({ ...SIZED.members, address: hex('match.address') });
const OF_TOPIC = rowTable({ ...SIZED.members, topic: text('found.topic') });
const ARTIFACTS = rowTable({
  compilationId: int64('compiled.id'),
  artifacts: text('compiled.compilation_artifacts'),
});

/** Reads what decoding needs of everything that is verified, for a page at once. */
export type DecodingRepository = ReturnType<typeof createDecodingRepository>;

/** Reads what decoding needs. */
export function createDecodingRepository(sql: Sql) {
  const { each, eachText, list, textList, orderedJoin, bytesOf } = sql.dialect;
  const ofAddresses = prepareSelect(
    sql,
    OF_ADDRESS,
    `FROM ${eachText('asked')}
       ${orderedJoin} verification_match AS match
         ON match.address = ${bytesOf('asked.value')} AND match.chain_id = ?
       ${orderedJoin} verified_contract AS verified ON verified.id = match.verified_contract_id
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = verified.compilation_id`,
  );
  const artifacts = prepareSelect(
    sql,
    ARTIFACTS,
    `FROM ${each('asked')}
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = asked.value`,
  );
  const bound = (digit: string) => bytesOf(`asked.value || '${digit.repeat(REST_OF_A_HASH)}'`);
  // A list in a value and a length plus nothing: else PostgreSQL would compare every selector with every signature, or
  // walk the index that has this condition.
  const ofSelectors = sql.prepare<
    unknown[],
    { readonly selector: string; readonly signatures: string | null }
  >(
    `SELECT asked.value AS selector, (SELECT string_agg(few.signature, '${SEPARATOR}') FROM (
         SELECT known.signature FROM signature AS known
         WHERE known.signature_hash_32 >= ${bound('0')} AND known.signature_hash_32 <= ${bound('f')}
           AND octet_length(known.signature) + 0 <= ${MAX_SIGNATURE_LENGTH}
           AND (SELECT count(*) FROM (SELECT 1 FROM compiled_contract_signature AS link
             WHERE link.signature_type = ? AND link.signature_hash_32 = known.signature_hash_32
             LIMIT 1) AS used) = 1
         ORDER BY known.signature_hash_32 LIMIT ?) AS few) AS signatures
     FROM ${eachText('asked')}`,
  );
  // One search for each place in the list of a topic: PostgreSQL would test every compilation against a list with a limit.
  const atPlace = Array.from(
    { length: COMPILATIONS_OF_A_TOPIC },
    (_, place) => `SELECT asked.value AS topic, (SELECT link.compilation_id
         FROM compiled_contract_signature AS link
         WHERE link.signature_type = 'event' AND link.signature_hash_32 = ${bytesOf('asked.value')}
         ORDER BY link.compilation_id LIMIT 1 OFFSET ${place}) AS id
       FROM ${eachText('asked')}`,
  );
  const ofTopics = prepareSelect(
    sql,
    OF_TOPIC,
    `FROM (${atPlace.join(' UNION ALL ')}) AS found
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = found.id`,
  );

  return {
    /** The compilations that are shown at those of the addresses that are verified. */
    async listOfAddresses(chainId: string, addresses: readonly Hex[]) {
      const digits = textList(addresses.map((address) => address.slice(2)));
      return sql.read(() => ofAddresses.all(digits, chainId));
    },
    /** Texts of JSON objects with `abi`, in no order. */
    readArtifacts: async (compilationIds: readonly bigint[]) =>
      sql.read(() => artifacts.all(list(compilationIds))),
    /**
     * The signatures of functions or errors with these selectors.
     *
     * @param selectors 8 digits each.
     * @param each at most so many of one selector.
     */
    async listOfSelectors(type: 'function' | 'error', selectors: readonly string[], each: number) {
      const rows = await sql.read(() => ofSelectors.all(type, each, textList(selectors)));
      return rows.flatMap(({ selector, signatures }) =>
        (signatures?.split(SEPARATOR) ?? []).map((signature) => ({ selector, signature })),
      );
    },
    /** The first {@link COMPILATIONS_OF_A_TOPIC} compilations with an event of each topic. @param topics 64 digits each. */
    listOfTopics: async (topics: readonly string[]) =>
      sql.read(() => ofTopics.all(...atPlace.map(() => textList(topics)))),
  };
}
