import { id, int, list, type PlainItem, part } from './plain-item.ts';

interface Staking {
  readonly node: bigint | null;
  readonly account: bigint | null;
  readonly declines: boolean;
  /** Day since 1970. */
  readonly start: bigint | null;
  readonly isDeleted: boolean;
}

export interface NaiveStake {
  readonly lower: bigint;
  readonly day: bigint;
  readonly node: bigint;
  readonly total: bigint;
  readonly toMe: bigint;
  readonly pending: bigint;
}

const DAY = 86_400_000_000_000n;
const TINYBARS = 100_000_000n;
const REWARD_ACCOUNT = 800n;
const NOT_STAKED: Staking = { node: null, account: null, declines: false, start: null, isDeleted: false };
const CREATIONS: ReadonlySet<number> = new Set([8, 11]);
const UPDATES: ReadonlySet<number> = new Set([9, 15]);
const DELETIONS: ReadonlySet<number> = new Set([12, 22]);
const NODE_STAKE_UPDATE = 51;

/** Stakes at the ends of staking periods and the rewards that are due, by sections 11.3 and 11.8. */
export class NaiveStakes {
  /** All rows of each account, the newest last. */
  readonly rows = new Map<bigint, readonly NaiveStake[]>();
  readonly #staking = new Map<bigint, Staking>();
  /** Of each day and node. */
  readonly #rates = new Map<string, bigint>();

  /** Steps 1 and 2. */
  handle({ at, data, receipt, type }: PlainItem): void {
    const account =
      id(receipt['accountID']) ??
      id(receipt['contractID']) ??
      id(data['accountIDToUpdate']) ??
      id(data['deleteAccountID']) ??
      id(data['contractID']) ??
      0n;
    if (CREATIONS.has(type)) this.#staking.set(account, changed(NOT_STAKED, data, at / DAY, false));
    const before = this.#staking.get(account) ?? NOT_STAKED;
    if (UPDATES.has(type)) this.#staking.set(account, changed(before, data, at / DAY, true));
    if (DELETIONS.has(type)) this.#staking.set(account, { ...before, isDeleted: true });
  }

  /** Step 4. */
  pay({ at, record }: PlainItem): void {
    for (const { accountID } of list(record, 'paidStakingRewards')) {
      const account = id(accountID) ?? 0n;
      const before = this.#staking.get(account) ?? NOT_STAKED;
      const yesterday = at / DAY - 1n;
      if ((before.start ?? -1n) < yesterday) this.#staking.set(account, { ...before, start: yesterday });
    }
  }

  /** After everything else of a successful item. */
  end({ at, data, type }: PlainItem, hbar: ReadonlyMap<bigint, { readonly balance: bigint }>): void {
    if (type !== NODE_STAKE_UPDATE) return;
    // That of the day before, which has ended.
    const day = at / DAY - 1n;
    for (const each of list(data, 'nodeStake')) {
      this.#rates.set(`${day}/${int(each, 'nodeId')}`, int(each, 'rewardRate'));
    }
    const balance = (account: bigint) => hbar.get(account)?.balance ?? 0n;
    const living = [...this.#staking].filter(([, { isDeleted }]) => !isDeleted);
    const toNodes = living.filter(
      ([, { account, declines, node }]) => account === null && node !== null && !declines,
    );
    for (const account of new Set([...toNodes.map(([num]) => num), REWARD_ACCOUNT])) {
      const { node, start } = new Map(toNodes).get(account) ?? NOT_STAKED;
      const toMe = living
        .filter(([, staking]) => staking.account === account)
        .reduce((sum, [num]) => sum + balance(num), 0n);
      const rows = this.rows.get(account) ?? [];
      const row = {
        lower: at,
        day,
        node: node ?? -1n,
        total: node === null ? 0n : balance(account) + toMe,
        toMe,
        pending: this.#pending(rows.at(-1), start ?? -1n, day),
      };
      this.rows.set(account, [...rows, row]);
    }
  }

  #pending(former: NaiveStake | undefined, start: bigint, day: bigint): bigint {
    if (former === undefined || former.node === -1n) return 0n;
    const hbars = former.total / TINYBARS;
    const rate = this.#rates.get(`${day}/${former.node}`);
    if (rate === undefined) return former.pending;
    if (start > day - 1n) return 0n;
    if (start === day - 1n) return rate * hbars;
    if (day - start <= 365n) return former.pending + rate * hbars;
    return former.pending + (rate - (this.#rates.get(`${day - 365n}/${former.node}`) ?? 0n)) * hbars;
  }
}

function changed(before: Staking, data: PlainItem['data'], day: bigint, isUpdate: boolean): Staking {
  const isStaked = data['stakedNodeId'] != null || data['stakedAccountId'] != null;
  const told = data['declineReward'];
  const isDeclineTold = isUpdate && told != null;
  const declines = isUpdate ? part(data, 'declineReward')['value'] === true : told === true;
  const node = data['stakedNodeId'] == null ? null : int(data, 'stakedNodeId');
  return {
    ...before,
    ...(isStaked ? { node: node === -1n ? null : node, account: id(data['stakedAccountId']) } : {}),
    ...(isDeclineTold || !isUpdate ? { declines } : {}),
    ...(isStaked || isDeclineTold ? { start: day } : {}),
  };
}
