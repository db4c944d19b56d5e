import type { EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { keccak256 } from '../../../values/keccak256.ts';
import { trimmed, wordOf } from '../../evm/bytes.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { CreatedHooks, HookStorageUpdate } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { Note } from './facet.ts';
import type { HookChange } from './hooks.ts';

/** The types of transactions that tell of hooks. */
export const HOOK_TYPES: readonly number[] = [
  TYPE.CRYPTOCREATEACCOUNT,
  TYPE.CRYPTOUPDATEACCOUNT,
  TYPE.CONTRACTCREATEINSTANCE,
  TYPE.CONTRACTUPDATEINSTANCE,
  TYPE.HOOKSTORE,
];

/** For the log. */
export const UNKNOWN_HOOK_OWNER = 'the owner of a hook is named by an unknown alias: it is skipped';
/** Field numbers of `hookCreationDetails`, and of the admin key in one of them, which keeps its bytes. */
const DETAILS: Readonly<Record<number, number>> = {
  [TYPE.CRYPTOCREATEACCOUNT]: 19,
  [TYPE.CRYPTOUPDATEACCOUNT]: 20,
  [TYPE.CONTRACTCREATEINSTANCE]: 20,
  [TYPE.CONTRACTUPDATEINSTANCE]: 17,
};
const ADMIN_KEY = 4;
const NOTHING = { contract: null, adminKey: null, slots: [] };
const NONE: readonly HookChange[] = [];

/** What a successful item does to hooks; those that it deletes go before those that it creates. */
export function decodeHooks(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly HookChange[] {
  const { body, consensusTimestamp, record } = item;
  if (body.hookStore !== null) return storedSlots(item, resolve, note);
  const members =
    body.cryptoCreateAccount ??
    body.cryptoUpdateAccount ??
    body.contractCreateInstance ??
    body.contractUpdateInstance;
  if (members === null) return NONE;
  const deleted = 'hookIdsToDelete' in members ? members.hookIdsToDelete : [];
  // Nearly every account has none.
  if (members.hookCreationDetails.length === 0 && deleted.length === 0) return NONE;
  const owner =
    accountId(body.cryptoUpdateAccount?.accountIDToUpdate ?? null, resolve) ??
    contractId(body.contractUpdateInstance?.contractID ?? null, resolve) ??
    accountId(record.receipt?.accountID ?? null, resolve) ??
    contractId(record.receipt?.contractID ?? null, resolve);
  if (owner === null) {
    note(UNKNOWN_HOOK_OWNER);
    return NONE;
  }
  return [
    ...deleted.map((id) => ({
      ...{ owner, hookId: toBigInt(id), consensusTimestamp, kind: 'deleted' as const },
      ...NOTHING,
    })),
    ...createdHooks(item, members, owner, resolve),
  ];
}

function createdHooks(
  { bodyBytes, consensusTimestamp, type }: DecodedItem,
  { hookCreationDetails: details }: CreatedHooks,
  owner: EntityId,
  resolve: ResolveAlias,
): readonly HookChange[] {
  const data = rawField(bodyBytes, type) ?? new Uint8Array();
  const keys: (Uint8Array | null)[] = [];
  for (const walk = new FieldWalk(data); walk.next(); ) {
    if (walk.number === DETAILS[type]) keys.push(rawField(walk.bytes, ADMIN_KEY));
  }
  return details.map(({ evmHook, hookId }, index) => ({
    owner,
    hookId: toBigInt(hookId),
    consensusTimestamp,
    kind: 'created',
    contract: contractId(evmHook?.spec?.contractId ?? null, resolve),
    adminKey: keys[index] ?? null,
    slots: slotsOf(evmHook?.storageUpdates ?? []),
  }));
}

function storedSlots(
  { body, consensusTimestamp }: DecodedItem,
  resolve: ResolveAlias,
  note: Note,
): readonly HookChange[] {
  const { hookId, storageUpdates } = body.hookStore ?? { hookId: null, storageUpdates: [] };
  const { accountId: account = null, contractId: contract = null } = hookId?.entityId ?? {};
  const owner = accountId(account, resolve) ?? contractId(contract, resolve);
  if (hookId === null || owner === null) {
    note(UNKNOWN_HOOK_OWNER);
    return NONE;
  }
  const slots = slotsOf(storageUpdates);
  return [{ ...NOTHING, owner, hookId: toBigInt(hookId.hookId), consensusTimestamp, kind: 'stored', slots }];
}

/** Of several updates of a slot the last one holds. */
function slotsOf(updates: readonly HookStorageUpdate[]): HookChange['slots'] {
  const slots = new Map<string, HookChange['slots'][number]>();
  const set = (key: Uint8Array, value: Uint8Array) =>
    slots.set(bareHex(key), { key, value: trimmed(Uint8Array.from(value)) });
  for (const { mappingEntries, storageSlot } of updates) {
    if (storageSlot !== null) set(word(storageSlot.key), storageSlot.value);
    for (const { entryKey, key, preimage, value } of mappingEntries?.entries ?? []) {
      // As Solidity places the entries of a mapping: names of variable length are not padded.
      const name = entryKey === 'preimage' ? Uint8Array.from(preimage) : word(key);
      const place = Buffer.concat([name, word(mappingEntries?.mappingSlot ?? new Uint8Array())]);
      set(keccak256(place), value);
    }
  }
  return [...slots.values()];
}

/** An absent member need not be bytes. */
function word(bytes: ArrayLike<number>): Uint8Array {
  return wordOf(Uint8Array.from(bytes));
}
