import { bareHex } from '../../values/hex.ts';
import type { CountedUnits } from './counted-units.ts';
import { type KnownState, printTokenId } from './fee-state.ts';
import type { AccountIdFields, HookCallFields, TransferFields } from './transaction-fields.ts';

/** No hook can be charged for more gas. @see contracts/fees-estimate.md section 5.2 */
const MAX_HOOK_GAS = 15_000_000n;

/**
 * Counts the units of a CryptoTransfer or TokenAirdrop, in the order of the answer.
 *
 * @param state tokens of all lists, or null for an estimate from the bytes alone.
 * @see contracts/fees-estimate.md section 5.2
 */
export function countTransfers(body: TransferFields, state: KnownState | null): readonly CountedUnits[] {
  return [
    { name: 'ACCOUNTS', count: BigInt(accountsOf(body).size) },
    ...countHooks(body),
    ...(state === null ? countEntriesByList(body) : countTokens(body, state)),
  ];
}

/** An alias and a number are different ids, even if the ledger knows them as one account. */
function accountsOf(body: TransferFields): ReadonlySet<string> {
  const accounts = new Set<string>();
  const add = (id: AccountIdFields | undefined) => accounts.add(printAccount(id));
  for (const amount of body.transfers?.accountAmounts ?? []) add(amount.accountID);
  for (const list of body.tokenTransfers ?? []) {
    for (const amount of list.transfers ?? []) add(amount.accountID);
    for (const nft of list.nftTransfers ?? []) {
      add(nft.senderAccountID);
      add(nft.receiverAccountID);
    }
  }
  return accounts;
}

function printAccount(id: AccountIdFields = {}): string {
  const account = id.alias === undefined ? `${id.accountNum ?? 0n}` : `alias ${bareHex(id.alias)}`;
  return `${id.shardNum ?? 0n}.${id.realmNum ?? 0n}.${account}`;
}

function countHooks(body: TransferFields): readonly CountedUnits[] {
  let executions = 0n;
  let gas = 0n;
  // A pre-post hook runs before and after the transfer.
  const add = (hook: HookCallFields | undefined, runs: bigint) => {
    if (hook === undefined) return;
    const limit = hook.evmHookCall?.gasLimit ?? 0n;
    executions += runs;
    gas += runs * (limit > MAX_HOOK_GAS ? MAX_HOOK_GAS : limit);
  };
  const amounts = [
    ...(body.transfers?.accountAmounts ?? []),
    ...(body.tokenTransfers ?? []).flatMap((list) => list.transfers ?? []),
  ];
  for (const amount of amounts) {
    add(amount.preTxAllowanceHook, 1n);
    add(amount.prePostTxAllowanceHook, 2n);
  }
  for (const nft of (body.tokenTransfers ?? []).flatMap((list) => list.nftTransfers ?? [])) {
    add(nft.preTxSenderAllowanceHook, 1n);
    add(nft.prePostTxSenderAllowanceHook, 2n);
    add(nft.preTxReceiverAllowanceHook, 1n);
    add(nft.prePostTxReceiverAllowanceHook, 2n);
  }
  if (executions === 0n) return [];
  return [
    { name: 'HOOK_EXECUTION', count: executions },
    { name: 'GAS', count: gas },
  ];
}

/** Without state every list is an entry of its own, with an included unit of its own. */
function countEntriesByList(body: TransferFields): readonly CountedUnits[] {
  return (body.tokenTransfers ?? []).map((list) => ({
    name: 'TOKEN_TYPES',
    count: BigInt((list.transfers?.length ?? 0) + (list.nftTransfers?.length ?? 0)),
  }));
}

function countTokens(body: TransferFields, state: KnownState): readonly CountedUnits[] {
  let types = 0;
  let hasCustomFees = false;
  for (const list of body.tokenTransfers ?? []) {
    const token = state.tokens.get(printTokenId(list.token));
    if (token === undefined) continue;
    const moves =
      token.kind === 'FUNGIBLE_COMMON'
        ? Math.min(list.transfers?.length ?? 0, 1)
        : (list.nftTransfers?.length ?? 0);
    if (moves === 0) continue;
    types += moves;
    hasCustomFees ||= token.customFeeCount > 0;
  }
  if (types === 0) return [];
  const base = hasCustomFees ? 'TOKEN_TRANSFER_BASE_CUSTOM_FEES' : 'TOKEN_TRANSFER_BASE';
  return [
    { name: base, count: 1n },
    { name: 'TOKEN_TYPES', count: BigInt(types) },
  ];
}
