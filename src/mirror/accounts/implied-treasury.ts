import { encodeEntityId } from '../../values/entity-id.ts';
import type { EntityState } from '../ledger/entity-reader.sql.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { SYSTEM_ACCOUNT } from '../vocabulary/system-accounts.ts';

const MEMO = 'Mirror node created synthetic treasury account';

/** The account that begins with the supply of the network. */
export function treasuryOf({ realm, shard }: EntityHome): bigint {
  return encodeEntityId(shard, realm, SYSTEM_ACCOUNT.TREASURY) ?? SYSTEM_ACCOUNT.TREASURY;
}

/**
 * Whether an account is the treasury that other mirrors write where their ledger does not tell one.
 *
 * @see contracts/mirror-entities.md section 2
 */
export function isMadeUpTreasury(entity: EntityState | null, home: EntityHome): boolean {
  return entity !== null && entity.id === treasuryOf(home) && entity.memo === MEMO;
}
