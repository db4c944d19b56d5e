import {
  type FixtureObject,
  flag,
  idIn,
  integer,
  oneOf,
  required,
  time,
} from '../../items/fixture-members.ts';
import type { Facet, FixtureContext } from './facet.ts';
import { FREEZE_STATUSES, KYC_STATUSES, storedStatus, TOKEN_RELATION } from './relations.ts';

const readFreezeStatus = oneOf(...FREEZE_STATUSES);
const readKycStatus = oneOf(...KYC_STATUSES);

const readRelation = (line: FixtureObject, { home }: FixtureContext) => ({
  account: required(line, 'account', idIn(home)),
  token: required(line, 'token_id', idIn(home)),
  isAssociated: flag(line, 'associated') ?? true,
  isAutomatic: flag(line, 'automatic_association'),
  createdTimestamp: time(line, 'created_timestamp'),
  /** Null means that of the token. */
  freezeStatus: readFreezeStatus(line, 'freeze_status'),
  kycStatus: readKycStatus(line, 'kyc_status'),
  /** Its balance, and when that changed. */
  balance: integer(line, 'balance'),
  balanceTimestamp: time(line, 'balance_timestamp'),
});

/** A relation as it is, told by a fixture; null is what it does not tell. */
export type StatedRelation = Readonly<ReturnType<typeof readRelation>>;

/** Lines of kind `token_relation`: an item of `accounts/{id}/tokens` with its account. */
export const statedRelations: Facet<'statedRelations', StatedRelation> = {
  name: 'statedRelations',

  fixture: {
    kind: 'token_relation',
    read: (line, context) => ({ rows: [readRelation(line, context)] }),
  },

  touch({ statedRelations: stated }, keys) {
    for (const { account, token } of stated) keys.add(TOKEN_RELATION, account, token);
  },

  fold({ unit }, state) {
    const rows = state.rows(TOKEN_RELATION);
    for (const { account, createdTimestamp: created, token, ...stated } of unit.statedRelations) {
      const { freezeStatus, isAssociated, isAutomatic, kycStatus } = stated;
      const newest = rows.get(account, token)?.created ?? null;
      if (newest !== null && created !== null && newest > created) continue;
      rows.set({
        account,
        token,
        created,
        isAssociated: isAssociated ? 1n : 0n,
        isAutomatic: isAutomatic === null ? null : isAutomatic ? 1n : 0n,
        freezeStatus: freezeStatus === null ? null : storedStatus(FREEZE_STATUSES, freezeStatus),
        kycStatus: kycStatus === null ? null : storedStatus(KYC_STATUSES, kycStatus),
      });
    }
  },

  rebuild: { replaced: ['token_balance'] },
};
