import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { SYSTEM_ACCOUNT } from '../../src/mirror/vocabulary/system-accounts.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import type { LedgerEvent } from './ledger-item.ts';
import { FUNGIBLE_TOKEN, REWARD_ACCOUNT, type ScriptContext, SUCCESS } from './script-context.ts';

/** Account 2, which has everything at first and pays what the network itself does. */
export const TREASURY = SYSTEM_ACCOUNT.TREASURY;
/** Coins that exist. */
export const COIN_SUPPLY = 4_000_000_000_000_000_000n;

/** Tinybars that exist. */
const TOTAL_SUPPLY = 5_000_000_000_000_000_000n;
/** A million hbar, which no account spends in a ledger of usual size. */
const HIGHEST_SHARE = 100_000_000_000_000n;
/** What all accounts that act get together, at most. */
const SHARED_OUT = 4_000_000_000_000_000_000n;
const SYSTEM_SHARE = 10_000_000_000_000_000n;
const RECEIVERS_OF_ONE = 100;
const MAX_TRANSFERS = 10;

/**
 * The first transaction of a ledger, which nobody sent: the treasury with all there is.
 *
 * As in the genesis records of a network its transfer list has one side only.
 */
export function treasuryCreation({ account }: ScriptContext, at: ConsensusTimestamp): LedgerEvent {
  return {
    consensus: at,
    validStart: at,
    payer: TREASURY,
    node: null,
    nonce: 1,
    fee: 0n,
    status: SUCCESS,
    data: { cryptoCreateAccount: { initialBalance: TOTAL_SUPPLY } },
    transfers: [[TREASURY, TOTAL_SUPPLY]],
    receipt: { accountID: account(TREASURY) },
  };
}

/** What the treasury gives the accounts that act, so that nobody spends what he never had. */
export function openingTransfers(
  { account, everyUser, token }: ScriptContext,
  hasCoins: boolean,
): readonly Pick<LedgerEvent, 'data' | 'transfers' | 'record'>[] {
  const users = everyUser();
  const share = least(HIGHEST_SHARE, SHARED_OUT / BigInt(users.length));
  const coins = COIN_SUPPLY / BigInt(users.length) / 2n;
  const system: readonly Transfer[] = [REWARD_ACCOUNT, SYSTEM_ACCOUNT.NODE_REWARD].map((num) => [
    num,
    SYSTEM_SHARE,
  ]);
  const length = Math.max(RECEIVERS_OF_ONE, Math.ceil(users.length / MAX_TRANSFERS));
  const parts = Array.from({ length: Math.ceil(users.length / length) }, (_, index) =>
    users.slice(index * length, (index + 1) * length),
  );
  const amounts = (transfers: readonly Transfer[]): readonly MessageObject[] =>
    transfers.map(([num, amount]) => ({ accountID: account(num), amount }));
  return [withSender(system), ...parts.map((part) => withSender(part.map((user) => [user, share])))].map(
    (transfers, index) => {
      const holders = withSender((parts[index - 1] ?? []).map((user) => [user, coins]));
      const tokenTransferLists =
        index === 0 || !hasCoins ? [] : [{ token: token(FUNGIBLE_TOKEN), transfers: amounts(holders) }];
      return {
        data: {
          cryptoTransfer: {
            transfers: { accountAmounts: amounts(transfers) },
            tokenTransfers: tokenTransferLists,
          },
        },
        transfers,
        record: { tokenTransferLists },
      };
    },
  );
}

type Transfer = readonly [account: bigint, amount: bigint];

function withSender(received: readonly Transfer[]): readonly Transfer[] {
  const total = received.reduce((sum, [, amount]) => sum + amount, 0n);
  return [[TREASURY, -total], ...received];
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
