/** Numbers of the accounts that a network begins with and that the ledger treats apart. */
export const SYSTEM_ACCOUNT = {
  TREASURY: 2n,
  FEE_COLLECTION: 98n,
  STAKING_REWARD: 800n,
  NODE_REWARD: 801n,
} as const;
