import { DrawnPool } from './drawn-pool.ts';

/** Keys that a token may have, by their member of the creation. */
export const TOKEN_KEYS = [
  'adminKey',
  'kycKey',
  'freezeKey',
  'wipeKey',
  'supplyKey',
  'feeScheduleKey',
  'pauseKey',
  'metadataKey',
] as const;
export type TokenKey = (typeof TOKEN_KEYS)[number];

/** What an account has of a token. */
interface Holding {
  /** Units, or how many NFTs. */
  balance: bigint;
  isFrozen: boolean;
  hasKyc: boolean;
}

interface LivingNft {
  owner: bigint;
  spender: bigint | null;
}

/** A fee in hbar that transfers of a token pay. */
interface HbarFee {
  readonly amount: bigint;
  readonly collector: bigint;
}

/** A token of a made-up ledger as the network would have it in its state. */
export class WorldToken {
  readonly num: bigint;
  readonly isUnique: boolean;
  readonly keys: Set<TokenKey>;
  readonly #freezeDefault: boolean;
  treasury: bigint;
  supply = 0n;
  lastSerial = 0n;
  isPaused = false;
  isDeleted = false;
  fee: HbarFee | null = null;
  readonly holdings = new Map<bigint, Holding>();
  /** Accounts that are associated. */
  readonly holders = new DrawnPool<bigint>();
  readonly nfts = new Map<bigint, LivingNft>();
  readonly serials = new DrawnPool<bigint>();

  constructor(
    num: bigint,
    treasury: bigint,
    kind: { readonly isUnique: boolean; readonly keys: readonly TokenKey[]; readonly freezeDefault: boolean },
  ) {
    this.num = num;
    this.treasury = treasury;
    this.isUnique = kind.isUnique;
    this.keys = new Set(kind.keys);
    this.#freezeDefault = kind.freezeDefault && this.keys.has('freezeKey');
    this.associate(treasury, true);
  }

  get isUsable(): boolean {
    return !this.isDeleted && !this.isPaused;
  }

  /** @param isTrusted whether it may move the token at once, as treasuries and collectors of a creation do */
  associate(account: bigint, isTrusted = false): void {
    if (this.holdings.has(account)) return;
    this.holders.add(account);
    this.holdings.set(account, {
      balance: 0n,
      isFrozen: !isTrusted && this.#freezeDefault,
      hasKyc: isTrusted || !this.keys.has('kycKey'),
    });
  }

  dissociate(account: bigint): void {
    this.holdings.delete(account);
    this.holders.delete(account);
  }

  balanceOf(account: bigint): bigint {
    return this.holdings.get(account)?.balance ?? 0n;
  }

  /** Whether the account may send or receive it now. */
  canMove(account: bigint): boolean {
    const holding = this.holdings.get(account);
    return holding?.isFrozen === false && holding.hasKyc && this.isUsable;
  }

  /** Whether an account that is not associated could receive it at once. */
  get opensFreely(): boolean {
    return this.isUsable && !this.keys.has('kycKey') && !this.#freezeDefault;
  }

  add(account: bigint, amount: bigint): void {
    const holding = this.holdings.get(account);
    if (holding === undefined || holding.balance + amount < 0n) {
      throw new Error(`account ${account} cannot have ${amount} more of token ${this.num}`);
    }
    holding.balance += amount;
  }

  mintNft(): bigint {
    const serial = ++this.lastSerial;
    this.nfts.set(serial, { owner: this.treasury, spender: null });
    this.serials.add(serial);
    this.add(this.treasury, 1n);
    this.supply += 1n;
    return serial;
  }

  moveNft(serial: bigint, to: bigint): void {
    const nft = this.#nft(serial);
    this.add(nft.owner, -1n);
    this.add(to, 1n);
    this.nfts.set(serial, { owner: to, spender: null });
  }

  endNft(serial: bigint): void {
    this.add(this.#nft(serial).owner, -1n);
    this.nfts.delete(serial);
    this.serials.delete(serial);
    this.supply -= 1n;
  }

  /** Everything that the treasury has goes to another. */
  changeTreasury(to: bigint): bigint {
    const moved = this.balanceOf(this.treasury);
    this.add(this.treasury, -moved);
    this.add(to, moved);
    for (const nft of this.nfts.values()) {
      if (nft.owner !== this.treasury) continue;
      nft.owner = to;
      nft.spender = null;
    }
    this.treasury = to;
    return moved;
  }

  #nft(serial: bigint): LivingNft {
    const nft = this.nfts.get(serial);
    if (nft === undefined) throw new Error(`token ${this.num} has no NFT ${serial}`);
    return nft;
  }
}
