import type { Sql } from '../../../storage/sql/sql.ts';
import { type Hex, toBytes } from '../../../values/hex.ts';
import type { Work } from '../../../values/work.ts';
import { type RankedGrades, takesPlaceOf } from '../../match/better-match.ts';
import type { Language, MatchGrade } from '../../match/compiled-code.ts';
import type { SideMatch } from '../../match/match-runtime.ts';
import { type CodeKeys, prepareStoreCodes, sha256 } from './store-code.sql.ts';
import { prepareStoreCompilation } from './store-compilation.sql.ts';
import type { MatchedVerification } from './verification-result.ts';

interface MatchRow {
  readonly match_id: bigint;
  readonly creation_match: MatchGrade | null;
  readonly runtime_match: MatchGrade | null;
  readonly verified_at: bigint;
  readonly language: Language;
  readonly creation_code_hash: Buffer;
  readonly runtime_code_hash: Buffer;
}

/**
 * Writes a verification in the form of the Verifier Alliance. To be called inside a write transaction. Gives the row that
 * the API shows; null when the stored one is as good or better.
 *
 * @see contracts/verification-engine.md section 8.1 and contracts/verification-api.md section 9
 */
export function prepareStoreVerification(
  sql: Sql,
): (
  chainId: string,
  address: Hex,
  verification: MatchedVerification,
  now: number,
) => Work<{ readonly matchId: bigint; readonly verifiedAt: number } | null> {
  const storeCodes = prepareStoreCodes(sql);
  const storeCompilation = prepareStoreCompilation(sql);
  const storeDeployment = prepareStoreDeployment(sql);
  // Who reads on from the greatest number must not miss a smaller one that is committed later.
  const takeNumber = sql.prepare(sql.dialect.inTurn('verification_match'));
  const findMatch = sql.prepareExact<unknown[], MatchRow>(
    `SELECT match.match_id, match.creation_match, match.runtime_match, match.verified_at,
       contract.creation_code_hash, contract.runtime_code_hash, compiled.language
     FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
     JOIN contract ON contract.id = deployment.contract_id
     JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
     WHERE match.address = ? AND match.chain_id = ?`,
  );
  const upsertVerified = sql.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO verified_contract (deployment_id, compilation_id,
         creation_match, creation_values, creation_transformations, creation_metadata_match,
         runtime_match, runtime_values, runtime_transformations, runtime_metadata_match)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (deployment_id, compilation_id) DO UPDATE SET
         creation_match = excluded.creation_match, creation_values = excluded.creation_values,
         creation_transformations = excluded.creation_transformations,
         creation_metadata_match = excluded.creation_metadata_match,
         runtime_match = excluded.runtime_match, runtime_values = excluded.runtime_values,
         runtime_transformations = excluded.runtime_transformations,
         runtime_metadata_match = excluded.runtime_metadata_match
       RETURNING id`,
  );
  const insertMatch = sql.prepareExact<unknown[], { readonly match_id: bigint }>(
    `INSERT INTO verification_match
       (chain_id, address, verified_contract_id, creation_match, runtime_match, verified_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING match_id`,
  );
  const updateMatch = sql.prepare(
    `UPDATE verification_match
     SET verified_contract_id = ?, creation_match = ?, runtime_match = ?, verified_at = ?
     WHERE match_id = ?`,
  );

  return function* (chainId, address, verification, now) {
    const { creation, runtime } = verification.matches;
    const grades: RankedGrades = {
      creation: creation?.grade ?? null,
      runtime: runtime?.grade ?? null,
      language: verification.compilation.compiler.language,
    };
    const addressBytes = toBytes(address);
    const stored = yield* findMatch.get(addressBytes, chainId);
    const standing = stored === undefined ? null : standingGrades(stored, verification);
    if (standing !== null && !takesPlaceOf(grades, standing)) return null;
    const codes = yield* storeCodes({
      recompiledCreation: verification.recompiledCreation,
      recompiledRuntime: verification.recompiledRuntime,
      creation: verification.creation?.creationCode ?? null,
      runtime: verification.onchainRuntime,
    });
    const compilationId = yield* storeCompilation(verification, codes);
    const deploymentId = yield* storeDeployment(chainId, addressBytes, verification, codes);
    const verified = yield* upsertVerified.get(
      deploymentId,
      compilationId,
      ...sideColumns(creation),
      ...sideColumns(runtime),
    );
    if (stored !== undefined) {
      const verifiedAt = standing === null ? now : Number(stored.verified_at);
      const shown = [grades.creation, grades.runtime, verifiedAt];
      yield* updateMatch.run(verified?.id, ...shown, stored.match_id);
      return { matchId: stored.match_id, verifiedAt };
    }
    yield* takeNumber.get();
    const inserted = yield* insertMatch.get(
      chainId,
      addressBytes,
      verified?.id,
      grades.creation,
      grades.runtime,
      now,
    );
    return inserted === undefined ? null : { matchId: inserted.match_id, verifiedAt: now };
  };
}

/**
 * What is stored, as far as it still counts: nothing when the contract was destroyed and made anew, and no creation
 * when that was another one.
 */
function standingGrades(
  row: MatchRow,
  { onchainRuntime, creation }: MatchedVerification,
): RankedGrades | null {
  if (!row.runtime_code_hash.equals(sha256(onchainRuntime))) return null;
  const isOtherCreation =
    creation !== null &&
    row.creation_code_hash.length > 0 &&
    !row.creation_code_hash.equals(sha256(creation.creationCode));
  return {
    creation: isOtherCreation ? null : row.creation_match,
    runtime: row.runtime_match,
    language: row.language,
  };
}

function prepareStoreDeployment(
  sql: Sql,
): (
  chainId: string,
  address: Buffer,
  verification: MatchedVerification,
  codes: CodeKeys,
) => Work<number | undefined> {
  const findContract = sql.prepareValue<unknown[], number>(
    'SELECT id FROM contract WHERE creation_code_hash = ? AND runtime_code_hash = ?',
  );
  const insertContract = sql.prepare(
    `INSERT INTO contract (creation_code_hash, runtime_code_hash) VALUES (?, ?)
     ON CONFLICT (creation_code_hash, runtime_code_hash) DO NOTHING`,
  );
  const upsertDeployment = sql.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO contract_deployment
       (chain_id, address, transaction_hash, block_number, transaction_index, deployer, contract_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain_id, address, transaction_hash, contract_id)
     DO UPDATE SET block_number = excluded.block_number RETURNING id`,
  );

  /** The row of many clones is not written, which would hold their replicas up. */
  function* contractId({ creation, runtime }: CodeKeys): Work<number | undefined> {
    const known = yield* findContract.get(creation, runtime);
    if (known !== undefined) return known;
    yield* insertContract.run(creation, runtime);
    return yield* findContract.get(creation, runtime);
  }

  return function* (chainId, address, { creation }, codes) {
    const contract = yield* contractId(codes);
    const deployment = yield* upsertDeployment.get(
      chainId,
      address,
      toBytes(creation?.transactionHash ?? ''),
      creation?.blockNumber ?? null,
      creation?.transactionIndex ?? null,
      creation?.deployer == null ? null : toBytes(creation.deployer),
      contract,
    );
    return deployment?.id;
  };
}

function sideColumns(side: SideMatch | null): readonly [number, ...(string | number | null)[]] {
  if (side === null) return [0, null, null, null];
  const isExact = side.grade === 'exact_match';
  return [1, JSON.stringify(side.values), JSON.stringify(side.transformations), isExact ? 1 : 0];
}
