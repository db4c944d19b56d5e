import type Long from 'long';
import type * as types from '../../protobuf/message-types.ts';

/** A decoded message: a member that was not on the wire is absent, 64-bit numbers are bigint. */
export type Fields<T> = T extends Long
  ? bigint
  : T extends Uint8Array | string | number | boolean
    ? T
    : T extends readonly (infer Each)[]
      ? readonly Fields<Each>[]
      : { readonly [Name in keyof T]?: Fields<NonNullable<T[Name]>> };

export type KeyFields = Fields<types.Key>;
export type KeyListFields = NonNullable<KeyFields['keyList']>;
export type AccountIdFields = Fields<types.AccountId>;
export type TokenIdFields = Fields<types.TokenId>;
export type TopicIdFields = Fields<types.TopicId>;
export type TransactionIdFields = Fields<types.TransactionId>;
export type HookCallFields = Fields<types.HookCall>;
export type AccountAmountFields = Fields<types.AccountAmount>;
export type TokenTransferListFields = Fields<types.TokenTransferList>;
/** CryptoTransfer, and TokenAirdrop with no hbar list. */
export type TransferFields = PricedBodies['cryptoTransfer'];
export type TokenKeysFields = Fields<types.TokenKeys>;
export type TopicKeysFields = Fields<types.TopicKeys>;
export type FileFields = PricedBodies['fileCreate'];
export type PendingAirdropsFields = PricedBodies['tokenClaimAirdrop'];

/** Types without a price. */
type UnpricedMember =
  | 'cryptoAddLiveHash'
  | 'cryptoDeleteLiveHash'
  | 'freeze'
  | 'ledgerIdPublication'
  | 'nodeStakeUpdate';

/** The priced members of the oneof `TransactionBody.data` by name. */
export type PricedBodies = {
  readonly [Member in Exclude<keyof types.TransactionData, UnpricedMember>]: Fields<
    NonNullable<types.TransactionData[Member]>
  >;
};
