import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { proofStateOf } from './facets/block-proofs.ts';
import { type KnownTrust, NO_PROOF_STATE } from './known-trust.ts';

interface PublicationRow {
  readonly consensus_ts: bigint;
  readonly ledger_id: Buffer;
  readonly body: Buffer | null;
  readonly is_signed: bigint;
}

interface ProofStateRow {
  readonly generation: bigint | null;
  readonly keys: Buffer;
  readonly ledger_id: Buffer | null;
}

/** Reads what the stored units told of keys and ids. */
export function createKnownTrust(database: SqliteDatabase): () => Promise<KnownTrust> {
  const publications = database
    .prepare<[], PublicationRow>(
      'select consensus_ts, ledger_id, body, is_signed from ledger_publication order by consensus_ts',
    )
    .safeIntegers(true);
  const proofState = database
    .prepare<[], ProofStateRow>('select generation, keys, ledger_id from proof_state')
    .safeIntegers(true);
  return async () => {
    const row = proofState.get();
    const state =
      row === undefined
        ? NO_PROOF_STATE
        : proofStateOf({ generation: row.generation, keys: row.keys, ledgerId: row.ledger_id });
    return {
      ...state,
      publications: publications.all().map((each) => ({
        consensusTimestamp: consensusTimestamp(each.consensus_ts),
        ledgerId: each.ledger_id,
        body: each.body,
        isSigned: each.is_signed === 1n,
      })),
    };
  };
}
