import type { Sql } from '../../storage/sql/sql.ts';
import { toHex } from '../../values/hex.ts';
import { COMPILATIONS_OF_A_TOPIC, type DecodingRepository } from './decoding-repository.ts';

const LONGEST_SIGNATURE = 2048;
const REST_OF_A_HASH = 56;
/** In no name of any language. */
const SEPARATOR = '\n';

interface SizedRow {
  readonly id: bigint;
  readonly bytes: bigint;
}

/** Reads what decoding needs. */
export function createDecodingRepository(sql: Sql): DecodingRepository {
  const { each, eachText, list, textList, orderedJoin, bytesOf, boundLimit } = sql.dialect;
  const ofAddresses = sql
    .prepare<unknown[], SizedRow & { readonly address: Buffer }>(
      `SELECT match.address, compiled.id, octet_length(compiled.compilation_artifacts) AS bytes
       FROM ${eachText('asked')}
       ${orderedJoin} verification_match AS match
         ON match.address = ${bytesOf('asked.value')} AND match.chain_id = ?
       ${orderedJoin} verified_contract AS verified ON verified.id = match.verified_contract_id
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = verified.compilation_id`,
    )
    .safeIntegers(true);
  const artifacts = sql
    .prepare<unknown[], { readonly id: bigint; readonly artifacts: string }>(
      `SELECT compiled.id, compiled.compilation_artifacts AS artifacts FROM ${each('asked')}
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = asked.value`,
    )
    .safeIntegers(true);
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
           AND octet_length(known.signature) + 0 <= ${LONGEST_SIGNATURE}
           AND (SELECT count(*) FROM (SELECT 1 FROM compiled_contract_signature AS link
             WHERE link.signature_type = ? AND link.signature_hash_32 = known.signature_hash_32
             LIMIT 1) AS used) = 1
         ORDER BY known.signature_hash_32 LIMIT ${boundLimit}) AS few) AS signatures
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
  const ofTopics = sql
    .prepare<unknown[], SizedRow & { readonly topic: string }>(
      `SELECT found.topic, compiled.id, octet_length(compiled.compilation_artifacts) AS bytes
       FROM (${atPlace.join(' UNION ALL ')}) AS found
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = found.id`,
    )
    .safeIntegers(true);

  const sized = ({ id, bytes }: SizedRow) => ({ compilationId: id, bytes: Number(bytes) });
  return {
    async listOfAddresses(chainId, addresses) {
      const digits = textList(addresses.map((address) => address.slice(2)));
      const rows = await sql.read(() => ofAddresses.all(digits, chainId));
      return rows.map((row) => ({ ...sized(row), address: toHex(row.address) }));
    },
    async readArtifacts(compilationIds) {
      const rows = await sql.read(() => artifacts.all(list(compilationIds)));
      return rows.map(({ id, artifacts: text }) => ({ compilationId: id, artifacts: text }));
    },
    async listOfSelectors(type, selectors, each) {
      const rows = await sql.read(() => ofSelectors.all(type, each, textList(selectors)));
      return rows.flatMap(({ selector, signatures }) =>
        (signatures?.split(SEPARATOR) ?? []).map((signature) => ({ selector, signature })),
      );
    },
    async listOfTopics(topics) {
      const rows = await sql.read(() => ofTopics.all(...atPlace.map(() => textList(topics))));
      return rows.map((row) => ({ ...sized(row), topic: row.topic }));
    },
  };
}
