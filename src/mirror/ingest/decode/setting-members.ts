import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import type { AccountId } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';

/** What a transaction sets of an entity, without saying which and when. */
export type Settings = Omit<EntityChange, 'entity' | 'changedTimestamp'>;

/** The member when there is a value; nothing otherwise. */
export function given<N extends keyof Settings>(
  name: N,
  value: Settings[N] | null | undefined,
): Pick<Settings, N> {
  return (value === null || value === undefined ? {} : { [name]: value }) as Pick<Settings, N>;
}

/** The original bytes of the key in a field of the transaction's own part of the body; null when there is none. */
export function keyOf({ bodyBytes, type }: DecodedItem, field: number): Uint8Array | null {
  const data = rawField(bodyBytes, type);
  const key = data === null ? null : rawField(data, field);
  return key === null ? null : Uint8Array.from(key);
}

/** Who pays for the next period: 0.0.0 takes the account away, and nobody is named by an unknown alias. */
export function renewalAccount(id: AccountId | null, resolve: ResolveAlias): Settings {
  if (id === null) return {};
  const account = accountId(id, resolve);
  return account === null && id.account === 'alias' ? {} : { autoRenewAccount: account };
}

export function seconds(
  duration: { readonly seconds: Parameters<typeof toBigInt>[0] } | null,
): bigint | null {
  return duration === null ? null : toBigInt(duration.seconds);
}
