import { bareHex } from '../../../values/hex.ts';
import type {
  AccountAmountFields,
  AccountIdFields,
  HookCallFields,
  KeyFields,
  KeyListFields,
  TokenTransferListFields,
  TransferFields,
} from '../decode/transaction-fields.ts';
import { type KnownState, printTokenId } from './fee-state.ts';

/** How many units of one extra a transaction has. */
export interface CountedUnits {
  /** Name of the extra in the schedule, for example `KEYS`. */
  readonly name: string;
  /** Exact: the size of a transaction keeps it far below 2^53. */
  readonly count: number;
}

/** Shortens the tables: `units('KEYS', 3)`. */
export function units(name: string, count: number): CountedUnits {
  return { name, count };
}

/** No hook can be charged for more gas. @see contracts/fees-estimate.md section 5.2 */
const MAX_HOOK_GAS = 15_000_000;

/**
 * Counts the units of a CryptoTransfer or TokenAirdrop, in the order of the answer.
 *
 * @param state tokens of all lists, or null for an estimate from the bytes alone.
 * @see contracts/fees-estimate.md section 5.2
 */
export function countTransfers(body: TransferFields, state: KnownState | null): readonly CountedUnits[] {
  const counted = [units('ACCOUNTS', accountsOf(body).size)];
  const hooks = countHooks(body);
  if (hooks.executions > 0) {
    counted.push(units('HOOK_EXECUTION', hooks.executions), units('GAS', hooks.gas));
  }
  if (body.tokenTransfers !== undefined) {
    counted.push(
      ...(state === null ? countEntriesByList(body.tokenTransfers) : countTokens(body.tokenTransfers, state)),
    );
  }
  return counted;
}

/** An alias and a number are different ids, even if the ledger knows them as one account. */
function accountsOf(body: TransferFields): ReadonlySet<bigint | string> {
  const accounts = new Set<bigint | string>();
  for (const amount of body.transfers?.accountAmounts ?? []) accounts.add(accountKey(amount.accountID));
  for (const list of body.tokenTransfers ?? []) {
    for (const amount of list.transfers ?? []) accounts.add(accountKey(amount.accountID));
    for (const nft of list.nftTransfers ?? []) {
      accounts.add(accountKey(nft.senderAccountID));
      accounts.add(accountKey(nft.receiverAccountID));
    }
  }
  return accounts;
}

/** Equal for equal ids. Nearly all are numbers of shard and realm 0, which need no text. */
function accountKey({
  alias,
  accountNum = 0n,
  realmNum = 0n,
  shardNum = 0n,
}: AccountIdFields = {}): bigint | string {
  if (alias === undefined && shardNum === 0n && realmNum === 0n) return accountNum;
  return `${shardNum}.${realmNum}.${alias === undefined ? accountNum : `alias ${bareHex(alias)}`}`;
}

interface HookUse {
  executions: number;
  gas: number;
}

function countHooks(body: TransferFields): HookUse {
  const use: HookUse = { executions: 0, gas: 0 };
  for (const amount of body.transfers?.accountAmounts ?? []) addAmountHooks(use, amount);
  for (const list of body.tokenTransfers ?? []) {
    for (const amount of list.transfers ?? []) addAmountHooks(use, amount);
    for (const nft of list.nftTransfers ?? []) {
      addHook(use, nft.preTxSenderAllowanceHook, 1);
      addHook(use, nft.prePostTxSenderAllowanceHook, 2);
      addHook(use, nft.preTxReceiverAllowanceHook, 1);
      addHook(use, nft.prePostTxReceiverAllowanceHook, 2);
    }
  }
  return use;
}

function addAmountHooks(use: HookUse, amount: AccountAmountFields): void {
  addHook(use, amount.preTxAllowanceHook, 1);
  // A pre-post hook runs before and after the transfer.
  addHook(use, amount.prePostTxAllowanceHook, 2);
}

function addHook(use: HookUse, hook: HookCallFields | undefined, runs: number): void {
  if (hook === undefined) return;
  const limit = hook.evmHookCall?.gasLimit ?? 0n;
  use.executions += runs;
  use.gas += runs * (limit > MAX_HOOK_GAS ? MAX_HOOK_GAS : Number(limit));
}

/** Without state every list is an entry of its own, with an included unit of its own. */
function countEntriesByList(lists: readonly TokenTransferListFields[]): readonly CountedUnits[] {
  return lists.map((list) =>
    units('TOKEN_TYPES', (list.transfers?.length ?? 0) + (list.nftTransfers?.length ?? 0)),
  );
}

function countTokens(lists: readonly TokenTransferListFields[], state: KnownState): readonly CountedUnits[] {
  let types = 0;
  let hasCustomFees = false;
  for (const list of lists) {
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
  return [units(base, 1), units('TOKEN_TYPES', types)];
}

/**
 * Counts the primitive keys of a key structure.
 *
 * ed25519, ECDSA secp256k1 and ECDSA 384 count 1 each; lists and threshold keys count all nested keys, whatever
 * the threshold; contract ids and RSA count 0, as does an absent key.
 *
 * @see contracts/fees-estimate.md section 4.1
 */
export function countKeys(...keys: readonly (KeyFields | undefined)[]): number {
  let count = 0;
  for (const key of keys) {
    if (key === undefined) continue;
    if (key.keyList !== undefined) count += countKeyList(key.keyList);
    else if (key.thresholdKey !== undefined) count += countKeyList(key.thresholdKey.keys);
    else if (key.ed25519 ?? key.ECDSASecp256k1 ?? key.ECDSA_384) count += 1;
  }
  return count;
}

/** Counts the primitive keys of a key list; 0 when it is absent or empty. */
export function countKeyList(list: KeyListFields | undefined): number {
  return countKeys(...(list?.keys ?? []));
}
