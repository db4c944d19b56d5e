import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { trimmed, wordOf } from '../../evm/bytes.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import { executedHook } from '../../items/own-members.ts';
import type { AccountAmount, AccountId, HookCall } from '../../protobuf/message-types.ts';
import { messages, toBigInt } from '../../protobuf/messages.ts';
import { memberBytes } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { UNKNOWN_HOOK_OWNER } from './decode-hooks.ts';
import type { DecodedUnit, FacetOutput } from './facet.ts';
import type { HookChange } from './hooks.ts';

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
  const queues = new Map<bigint, HookRun[]>();
  for (const item of items) {
    if (item.type !== TYPE.CRYPTOTRANSFER) continue;
    const runs = hookRuns(item, resolveAt(item));
    if (runs.length > 0) queues.set(item.consensusTimestamp, runs);
  }
  // Children may stand before their parent.
  for (const item of items) {
    const { consensusTimestamp, parentConsensusTimestamp: parent } = item;
    if (parent === null || !callsHook(item, resolveAt(item))) continue;
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

/** Which hook a call ran by the output of its block; undefined where it does not tell. */
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
