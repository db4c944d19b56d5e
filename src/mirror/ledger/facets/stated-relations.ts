import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { flag, idIn, integer, oneOf, required, time } from '../../items/fixture-members.ts';
import type { FreezeStatus, KycStatus } from '../rows.ts';
import type { Facet } from './facet.ts';
import { FREEZE_STATUS, KYC_STATUS, TOKEN_RELATION } from './relation-table.ts';

/** A relation as it is, told by a fixture; null is what it does not tell. */
export interface StatedRelation {
  readonly account: EntityId;
  readonly token: EntityId;
  readonly isAssociated: boolean;
  readonly isAutomatic: boolean | null;
  readonly createdTimestamp: ConsensusTimestamp | null;
  /** Null means that of the token. */
  readonly freezeStatus: FreezeStatus | null;
  readonly kycStatus: KycStatus | null;
  /** Its balance, and when that changed. */
  readonly balance: bigint | null;
  readonly balanceTimestamp: ConsensusTimestamp | null;
}

const readFreezeStatus = oneOf<FreezeStatus>('NOT_APPLICABLE', 'FROZEN', 'UNFROZEN');
const readKycStatus = oneOf<KycStatus>('NOT_APPLICABLE', 'GRANTED', 'REVOKED');

/** Lines of kind `token_relation`: an item of `accounts/{id}/tokens` with its account. */
export const statedRelations: Facet<'statedRelations', StatedRelation> = {
  name: 'statedRelations',

  fixture: {
    kind: 'token_relation',
    read: (line, { home }) => ({
      rows: [
        {
          account: required(line, 'account', idIn(home)),
          token: required(line, 'token_id', idIn(home)),
          isAssociated: flag(line, 'associated') ?? true,
          isAutomatic: flag(line, 'automatic_association'),
          createdTimestamp: time(line, 'created_timestamp'),
          freezeStatus: readFreezeStatus(line, 'freeze_status'),
          kycStatus: readKycStatus(line, 'kyc_status'),
          balance: integer(line, 'balance'),
          balanceTimestamp: time(line, 'balance_timestamp'),
        },
      ],
    }),
  },

  touch({ statedRelations: stated }, keys) {
    for (const { account, token } of stated) keys.add(TOKEN_RELATION, account, token);
  },

  fold({ unit }, state) {
    const rows = state.rows(TOKEN_RELATION);
    for (const {
      account,
      createdTimestamp: created,
      freezeStatus,
      isAssociated,
      isAutomatic,
      kycStatus,
      token,
    } of unit.statedRelations) {
      const newest = rows.get(account, token)?.created ?? null;
      if (newest !== null && created !== null && newest > created) continue;
      rows.set({
        account,
        token,
        created,
        isAssociated: isAssociated ? 1n : 0n,
        isAutomatic: isAutomatic === null ? null : isAutomatic ? 1n : 0n,
        freezeStatus: freezeStatus === null ? null : FREEZE_STATUS[freezeStatus],
        kycStatus: kycStatus === null ? null : KYC_STATUS[kycStatus],
      });
    }
  },

  rebuild: { replaced: ['token_balance'] },
};
