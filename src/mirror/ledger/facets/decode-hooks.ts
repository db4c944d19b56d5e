import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { keccak256 } from '../../../values/keccak256.ts';
import { trimmed, wordOf } from '../../evm/bytes.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import { executedHook } from '../../items/own-members.ts';
import type {
  AccountAmount,
  AccountId,
  CreatedHooks,
  HookCall,
  HookStorageUpdate,
} from '../../protobuf/message-types.ts';
import { messages, toBigInt } from '../../protobuf/messages.ts';
import { FieldWalk, memberBytes, rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { DecodedUnit, FacetOutput, Note } from './facet.ts';
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
const UNKNOWN_HOOK_OWNER = 'the owner of a hook is named by an unknown alias: it is skipped';
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

/** The contract that every hook runs as, of each shard and realm. */
const HOOK_CONTRACT = 365n;
const RAN_UNASKED =
  'a hook ran that its transfer does not name: its storage has no known owner and is skipped';

interface HookRun {
  readonly owner: EntityId | null;
  readonly hookId: bigint;
}

/** Whether what a contract stores is what a hook stores. */
export function isHookContract(contract: EntityId): boolean {
  return decodeEntityId(contract).num === HOOK_CONTRACT;
}

/**
 * What hooks stored while a transfer ran them: its children call one contract, whoever's hook they run, so the order of
 * the runs decides whose it is.
 *
 * @see contracts/mirror-entities.md section 10
 */
export function decodeHookRuns({
  isSuccessful,
  items,
  note,
  resolveAt,
  sidecars,
}: DecodedUnit): FacetOutput<HookChange> {
  const rows: HookChange[] = [];
  if (sidecars.size === 0) return { rows };
  // Most units run no hook.
  let queues: ReadonlyMap<bigint, HookRun[]> | null = null;
  // Children may stand before their parent.
  for (const item of items) {
    const { consensusTimestamp, parentConsensusTimestamp: parent } = item;
    if (parent === null || !callsHook(item, resolveAt(item))) continue;
    queues ??= runsOfTransfers(items, resolveAt);
    const run = takeRun(queues.get(parent) ?? [], namedRun(item, resolveAt(item)));
    if (!isSuccessful(item)) continue;
    const slots = writtenSlots(item, resolveAt(item), sidecars);
    if (slots.length === 0) continue;
    const owner = run?.owner ?? null;
    if (run === undefined || owner === null) {
      note(run === undefined ? RAN_UNASKED : UNKNOWN_HOOK_OWNER);
      continue;
    }
    const nothing = { contract: null, adminKey: null };
    rows.push({ ...nothing, owner, hookId: run.hookId, consensusTimestamp, kind: 'stored', slots });
  }
  return { rows };
}

/** By the time of the transfer. */
function runsOfTransfers(
  items: readonly DecodedItem[],
  resolveAt: DecodedUnit['resolveAt'],
): ReadonlyMap<bigint, HookRun[]> {
  const transfers = items.filter(({ type }) => type === TYPE.CRYPTOTRANSFER);
  return new Map(transfers.map((item) => [item.consensusTimestamp, hookRuns(item, resolveAt(item))]));
}

/** Which hook a call ran by the output of its block; undefined where it does not show. */
function namedRun(item: DecodedItem, resolve: ResolveAlias): HookRun | undefined {
  const bytes = executedHook(item);
  if (bytes === null) return undefined;
  const { entityId, hookId } = messages.HookId.decode(bytes);
  const { accountId: account = null, contractId: contract = null } = entityId ?? {};
  return { owner: accountId(account, resolve) ?? contractId(contract, resolve), hookId: toBigInt(hookId) };
}

/** A run that is named leaves the others in their order. */
function takeRun(queue: HookRun[], named: HookRun | undefined): HookRun | undefined {
  if (named === undefined) return queue.shift();
  const place = queue.findIndex(({ hookId, owner }) => hookId === named.hookId && owner === named.owner);
  if (place >= 0) queue.splice(place, 1);
  return named;
}

/** In the order in which the network runs them: before the transfer, then before and after it. */
function hookRuns({ body }: DecodedItem, resolve: ResolveAlias): HookRun[] {
  const transfer = body.cryptoTransfer;
  const once: HookRun[] = [];
  const twice: HookRun[] = [];
  const add = (list: HookRun[], owner: AccountId | null, hook: HookCall | null | undefined) => {
    if (hook != null) list.push({ owner: accountId(owner, resolve), hookId: toBigInt(hook.hookId) });
  };
  const addAmount = ({ accountID, prePostTxAllowanceHook, preTxAllowanceHook }: AccountAmount) => {
    add(once, accountID, preTxAllowanceHook);
    add(twice, accountID, prePostTxAllowanceHook);
  };
  for (const amount of transfer?.transfers?.accountAmounts ?? []) addAmount(amount);
  for (const { nftTransfers, transfers } of transfer?.tokenTransfers ?? []) {
    for (const amount of transfers) addAmount(amount);
    for (const nft of nftTransfers) {
      add(once, nft.senderAccountID, nft.preTxSenderAllowanceHook);
      add(once, nft.receiverAccountID, nft.preTxReceiverAllowanceHook);
      add(twice, nft.senderAccountID, nft.prePostTxSenderAllowanceHook);
      add(twice, nft.receiverAccountID, nft.prePostTxReceiverAllowanceHook);
    }
  }
  return [...once, ...twice, ...twice];
}

function callsHook({ body, type }: DecodedItem, resolve: ResolveAlias): boolean {
  if (type !== TYPE.CONTRACTCALL) return false;
  const contract = contractId(body.contractCall?.contractID ?? null, resolve);
  return contract !== null && isHookContract(contract);
}

function writtenSlots(
  { consensusTimestamp }: DecodedItem,
  resolve: ResolveAlias,
  sidecars: DecodedUnit['sidecars'],
): HookChange['slots'] {
  // Of several changes of a slot the last one holds.
  const slots = new Map<string, HookChange['slots'][number]>();
  for (const { isMigration, stateChanges } of sidecars.get(consensusTimestamp) ?? []) {
    if (isMigration) continue;
    for (const { contractId: id, storageChanges } of stateChanges) {
      const contract = contractId(id, resolve);
      if (contract === null || !isHookContract(contract)) continue;
      for (const { slot, valueWritten } of storageChanges) {
        if (valueWritten === null) continue;
        const key = wordOf(memberBytes(slot));
        slots.set(bareHex(key), { key, value: trimmed(memberBytes(valueWritten.value)) });
      }
    }
  }
  return [...slots.values()];
}
