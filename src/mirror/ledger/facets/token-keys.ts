/** The keys of a token: their columns, and their numbers among the members of a creation and of an update. */
const TOKEN_KEYS = {
  feeScheduleKey: { column: 'fee_schedule_key', creation: 20, update: 14 },
  freezeKey: { column: 'freeze_key', creation: 8, update: 7 },
  kycKey: { column: 'kyc_key', creation: 7, update: 6 },
  metadataKey: { column: 'metadata_key', creation: 24, update: 17 },
  pauseKey: { column: 'pause_key', creation: 22, update: 15 },
  supplyKey: { column: 'supply_key', creation: 10, update: 9 },
  wipeKey: { column: 'wipe_key', creation: 9, update: 8 },
} as const;

/** One of each key. */
export type OfTokenKeys<Value> = { readonly [Name in keyof typeof TOKEN_KEYS]: Value };

/** Makes something of what is declared of each key. */
export const ofTokenKeys = <Value>(make: (key: (typeof TOKEN_KEYS)[keyof typeof TOKEN_KEYS]) => Value) =>
  Object.fromEntries(
    Object.entries(TOKEN_KEYS).map(([name, key]) => [name, make(key)]),
  ) as OfTokenKeys<Value>;
