import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { bareHex, type Hex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { rowTable } from '../../values/row-table.ts';
import { prepareFiles } from '../compiled-files.sql.ts';
import type { AbiSignature } from '../signatures.ts';
import {
  COMPILED,
  type ContractListWindow,
  MATCH,
  NAMED_MATCH,
  type NamedMatch,
  type RecentWindow,
  type SourceFile,
} from './contract-repository.ts';

const SIGNATURE = rowTable<AbiSignature>({
  type: 'link.signature_type',
  signature: 'signature.signature',
  hash: { column: 'signature.signature_hash_32', fromStored: bareHex },
});

const OF_MATCH = `FROM verification_match AS match
  JOIN verified_contract AS verified ON verified.id = match.verified_contract_id`;
const COMPILED_OF_MATCH = `${OF_MATCH}
  JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id`;
const WITH_CONTRACT = `JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
  JOIN contract ON contract.id = deployment.contract_id`;
const AT_PLACE = 'WHERE match.address = ? AND match.chain_id = ?';

/** Reads verified contracts. Written to only by the completion of jobs. */
export type ContractRepository = ReturnType<typeof createContractRepository>;

/** Reads verified contracts. */
export function createContractRepository(sql: Sql) {
  const { orderedJoin } = sql.dialect;
  const matches = (where: string) => prepareSelect(sql, MATCH, `FROM verification_match AS match ${where}`);
  const findMatch = matches(AT_PLACE);
  const findRuntimeHash = sql.prepareValue<unknown[], Buffer>(
    `SELECT contract.runtime_code_hash ${OF_MATCH} ${WITH_CONTRACT} ${AT_PLACE}`,
  );
  const findContract = prepareSelect(
    sql,
    COMPILED,
    `${COMPILED_OF_MATCH} ${WITH_CONTRACT}
     JOIN code AS onchain_creation ON onchain_creation.code_hash = contract.creation_code_hash
     JOIN code AS onchain_runtime ON onchain_runtime.code_hash = contract.runtime_code_hash
     JOIN code AS recompiled_creation ON recompiled_creation.code_hash = compiled.creation_code_hash
     JOIN code AS recompiled_runtime ON recompiled_runtime.code_hash = compiled.runtime_code_hash ${AT_PLACE}`,
  );
  const sizeOfContract = sql.prepareValue<unknown[], number>(
    `SELECT coalesce(octet_length(compiled.metadata), 0) + octet_length(compiled.compilation_artifacts)
         + octet_length(compiled.creation_code_artifacts) + octet_length(compiled.runtime_code_artifacts)
         + coalesce((SELECT sum(octet_length(source.content)) FROM compiled_contract_source AS link
             JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = compiled.id), 0)
       ${COMPILED_OF_MATCH} ${AT_PLACE}`,
  );
  const findName = sql.prepareValue<unknown[], string>(
    `SELECT compiled.name ${COMPILED_OF_MATCH} ${AT_PLACE}`,
  );
  const filesOf = prepareFiles(sql);
  const findSignatures = prepareSelect(
    sql,
    SIGNATURE,
    `FROM compiled_contract_signature AS link
     JOIN signature ON signature.signature_hash_32 = link.signature_hash_32
     WHERE link.compilation_id = ? ORDER BY signature.signature, link.signature_type`,
  );
  const sourcesOfMatch = `${OF_MATCH}
     JOIN compiled_contract_source AS link ON link.compilation_id = verified.compilation_id
     JOIN source ON source.source_hash = link.source_hash ${AT_PLACE}`;
  const listSources = sql.prepare<unknown[], SourceFile>(
    `SELECT link.path, octet_length(source.content) AS bytes ${sourcesOfMatch} ORDER BY link.path`,
  );
  const findSource = sql.prepareValue<unknown[], string>(
    `SELECT source.content ${sourcesOfMatch} AND link.path = ?`,
  );
  const namedMatches = (where: string) => prepareSelect(sql, NAMED_MATCH, `${COMPILED_OF_MATCH} ${where}`);
  const listRecent = namedMatches('WHERE match.match_id < ? ORDER BY match.match_id DESC LIMIT ?');
  const listRecentOfChain = namedMatches(
    'WHERE match.chain_id = ? AND match.match_id < ? ORDER BY match.match_id DESC LIMIT ?',
  );
  const listNamedOfAddress = namedMatches(
    'WHERE match.address = ? ORDER BY length(match.chain_id), match.chain_id',
  );
  // No order: thousands may be alike, and sorting them would hold up everybody.
  const listSimilar = prepareSelect(
    sql,
    NAMED_MATCH,
    `FROM verification_match AS own
     JOIN verified_contract AS own_verified ON own_verified.id = own.verified_contract_id
     JOIN compilation_likeness AS likeness ON likeness.compilation_id = own_verified.compilation_id
     ${orderedJoin} compilation_likeness AS alike ON alike.masked_hash = likeness.masked_hash
     ${orderedJoin} verified_contract AS verified ON verified.compilation_id = alike.compilation_id
     ${orderedJoin} verification_match AS match ON match.verified_contract_id = verified.id
     ${orderedJoin} compiled_contract AS compiled ON compiled.id = alike.compilation_id
     WHERE own.address = ? AND own.chain_id = ? AND match.match_id <> own.match_id LIMIT ?`,
  );
  const listOfCompilation = prepareSelect(
    sql,
    NAMED_MATCH,
    `FROM verified_contract AS verified
     ${orderedJoin} verification_match AS match ON match.verified_contract_id = verified.id
     ${orderedJoin} compiled_contract AS compiled ON compiled.id = verified.compilation_id
     WHERE verified.compilation_id = ? LIMIT ?`,
  );
  const listOfAddress = matches('WHERE address = ? ORDER BY length(chain_id), chain_id');
  const listOfChain = {
    asc: matches('WHERE chain_id = ? AND match_id > ? ORDER BY match_id ASC LIMIT ?'),
    desc: matches('WHERE chain_id = ? AND match_id < ? ORDER BY match_id DESC LIMIT ?'),
  };

  return {
    findMatch: async (chainId: string, address: Hex) =>
      sql.read(() => findMatch.find(toBytes(address), chainId)),
    /** SHA-256 of the code that lay at the address when it was verified; null when it is not verified. */
    findRuntimeHash: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* findRuntimeHash.get(toBytes(address), chainId)) ?? null;
    }),
    /** Name of a verified contract; null when it is not verified. */
    findName: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* findName.get(toBytes(address), chainId)) ?? null;
    }),
    findContract: sql.reading(function* (chainId: string, address: Hex) {
      const found = yield* findContract.find(toBytes(address), chainId);
      if (found === null) return null;
      const { compilationId, contract } = found;
      const sources = yield* filesOf(compilationId);
      return { ...contract, sources, signatures: yield* findSignatures.all(compilationId) };
    }),
    /** The same without its sources and signatures, which are most of it. */
    findCompiled: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* findContract.find(toBytes(address), chainId))?.contract ?? null;
    }),
    /** Bytes that {@link findContract} would read; null when it is not verified. */
    sizeOfContract: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* sizeOfContract.get(toBytes(address), chainId)) ?? null;
    }),
    /** The files that the compilation used, by path; empty when the contract is not verified. */
    listSources: async (chainId: string, address: Hex) =>
      sql.read(() => listSources.all(toBytes(address), chainId)),
    /** The content of one of them; null when there is none of this path. */
    findSource: sql.reading(function* (chainId: string, address: Hex, path: string) {
      return (yield* findSource.get(toBytes(address), chainId, path)) ?? null;
    }),
    /** The newest first. */
    listRecent: sql.reading(function* ({ chainId, limit, beforeMatchId }: RecentWindow) {
      // Numbers begin at 1 and never reach the bound.
      const before = beforeMatchId === null || beforeMatchId > MAX_INT64 ? MAX_INT64 : beforeMatchId;
      return chainId === null
        ? yield* listRecent.all(before, limit)
        : yield* listRecentOfChain.all(chainId, before, limit);
    }),
    /** The same address on every chain, ascending by chain number. */
    listNamedOfAddress: async (address: Hex) => sql.read(() => listNamedOfAddress.all(toBytes(address))),
    /** Others whose runtime code differs in nothing but places that may vary, in no order. */
    listSimilar: async (chainId: string, address: Hex, limit: number) =>
      sql.read(() => listSimilar.all(toBytes(address), chainId, limit)),
    /** Those that show one of these compilations, in their order. */
    listOfCompilations: sql.reading(function* (compilationIds: readonly bigint[], limit: number) {
      const found: NamedMatch[] = [];
      for (const id of compilationIds) {
        const left = limit - found.length;
        if (left > 0) found.push(...(yield* listOfCompilation.all(id, left)));
      }
      return found;
    }),
    /** Ascending by chain number. */
    listMatchesOfAddress: async (address: Hex) => sql.read(() => listOfAddress.all(toBytes(address))),
    listMatchesOfChain: sql.reading(function* (
      chainId: string,
      { sort, limit, afterMatchId }: ContractListWindow,
    ) {
      const bound = afterMatchId ?? (sort === 'asc' ? 0n : MAX_INT64);
      return yield* listOfChain[sort].all(chainId, bound > MAX_INT64 ? MAX_INT64 : bound, limit);
    }),
  };
}

function toBytes(address: Hex): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}
