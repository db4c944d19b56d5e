import type { EntityState } from '../ledger/entity-reader.ts';

/**
 * What is known of a contract at a time: the newest settings when they held by then, otherwise what never changes.
 *
 * Older settings are not stored, and a nonce has no time at all: both are null rather than those of another time.
 */
export function contractStateAt(entity: EntityState, time: bigint): EntityState {
  const since = entity.changedTimestamp ?? entity.createdTimestamp;
  if (since !== null && since <= time) return { ...entity, ethereumNonce: null };
  return {
    ...entity,
    changedTimestamp: entity.createdTimestamp,
    key: null,
    memo: null,
    autoRenewPeriod: null,
    autoRenewAccount: null,
    expiryTimestamp: null,
    isDeleted: null,
    maxAutomaticAssociations: null,
    ethereumNonce: null,
    proxyAccount: null,
    obtainer: null,
    isPermanentRemoval: null,
  };
}
