import type { Sql } from '../../storage/sql/sql.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { bodyOf } from '../protobuf/transaction-body.ts';
import { rawField } from '../protobuf/wire.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import { proofStateOf } from './facets/block-proofs.ts';
import { type KnownTrust, NO_PROOF_STATE } from './known-trust.ts';

interface PublicationRow {
  readonly consensus_ts: bigint;
  readonly ledger_id: Buffer;
  readonly body: Buffer | null;
  readonly is_signed: bigint;
  /** Only of rows that were stored before bodies were kept. */
  readonly transaction_bytes: Buffer | null;
}

interface ProofStateRow {
  readonly generation: bigint | null;
  readonly keys: Buffer;
  readonly ledger_id: Buffer | null;
}

/** Reads what the stored units told of keys and ids. */
export function createKnownTrust(sql: Sql): () => Promise<KnownTrust> {
  const publications = sql.prepareExact<[], PublicationRow>(
    `select p.consensus_ts, p.ledger_id, p.body, p.is_signed, s.transaction_bytes
     from ledger_publication p left join tx_source s on s.consensus_ts = p.consensus_ts and p.body is null
     order by p.consensus_ts`,
  );
  const proofState = sql.prepareExact<[], ProofStateRow>(
    'select generation, keys, ledger_id from proof_state',
  );
  return async () =>
    sql.read(function* () {
      const row = yield* proofState.get();
      const state =
        row === undefined
          ? NO_PROOF_STATE
          : proofStateOf({ generation: row.generation, keys: row.keys, ledgerId: row.ledger_id });
      return {
        ...state,
        publications: (yield* publications.all()).map((each) => ({
          consensusTimestamp: consensusTimestamp(each.consensus_ts),
          ledgerId: each.ledger_id,
          body: each.body ?? publicationOf(each.transaction_bytes),
          isSigned: each.is_signed === 1n,
        })),
      };
    });
}

function publicationOf(transaction: Uint8Array | null): Uint8Array | null {
  return transaction === null ? null : rawField(bodyOf(transaction), TYPE.LEDGERIDPUBLICATION);
}
