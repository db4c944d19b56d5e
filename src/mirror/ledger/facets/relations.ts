import type { FoldState } from '../fold/fold-state.ts';
import type { FreezeStatus, KycStatus, TokenRelation } from '../rows.ts';
import { decodeRelations } from './decode-relations.ts';
import type { Facet } from './facet.ts';
import {
  FREEZE_STATUS,
  KYC_STATUS,
  newRelation,
  type RelationRow,
  TOKEN_RELATION,
} from './relation-table.ts';

declare module '../rows.ts' {
  interface FacetRows {
    /** In the order of the transactions. */
    readonly tokenRelations: readonly TokenRelation[];
  }
}

const NO_STATUS = { freezeStatus: null, kycStatus: null };

/**
 * Which tokens accounts hold since when, and whether they are frozen or known to the issuer there.
 *
 * A relation that ended stays as a row; one that begins again forgets what was said of the former. They are folded
 * with the balances, transaction by transaction: each tells something of the other.
 *
 * @see contracts/mirror-entities.md sections 11.2 and 11.4, docs/adr/0017-ledger-state-is-a-fold.md
 */
export const relations: Facet<'tokenRelations'> = {
  name: 'tokenRelations',

  decodeUnit: ({ isSuccessful, items, resolveAt }) => ({
    rows: items.flatMap((item) => decodeRelations(item, isSuccessful(item), resolveAt)),
  }),
};

/** @param mayBeHeld whether the account may hold the token already, should no relation be known */
export function changeRelation(change: TokenRelation, mayBeHeld: boolean, state: FoldState): void {
  const { account, consensusTimestamp: at, isAssociated, token } = change;
  const rows = state.rows(TOKEN_RELATION);
  const row = rows.get(account, token) ?? newRelation(account, token);
  if (isAssociated === false) {
    rows.set({ ...row, isAssociated: 0n });
  } else if (isAssociated === undefined) {
    rows.set({ ...row, isAssociated: 1n, ...statusOf(change, row) });
  } else if (row.isAssociated === 1n && (change.isIfMissing === true || row.created === at)) {
    return;
  } else if (change.isIfMissing === true && row.isAssociated === null && mayBeHeld) {
    // It began at a time that is not known.
    rows.set({ ...row, isAssociated: 1n });
  } else {
    rows.set({
      account,
      token,
      created: at,
      isAssociated: 1n,
      isAutomatic: change.isAutomatic === true ? 1n : 0n,
      ...statusOf(change, NO_STATUS),
    });
  }
}

function statusOf(
  change: { readonly freezeStatus?: FreezeStatus; readonly kycStatus?: KycStatus },
  before: Pick<RelationRow, 'freezeStatus' | 'kycStatus'>,
): Pick<RelationRow, 'freezeStatus' | 'kycStatus'> {
  const { freezeStatus, kycStatus } = change;
  return {
    freezeStatus: freezeStatus === undefined ? before.freezeStatus : FREEZE_STATUS[freezeStatus],
    kycStatus: kycStatus === undefined ? before.kycStatus : KYC_STATUS[kycStatus],
  };
}
