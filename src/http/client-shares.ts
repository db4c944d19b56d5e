/** What one client has. */
interface Share<T> {
  amount: number;
  readonly items: Set<T>;
}

/**
 * What each client has of something scarce, and who gives way: the client with most, if that is more than an eighth of
 * all and at least twice what the other has. With more than an eighth, a client takes nothing from one with less.
 */
export class Shares<T> {
  readonly #eighth: number;
  readonly #ofClients = new Map<string, Share<T>>();
  /** Those above an eighth, of which there can be only a few: the largest is found among them. */
  readonly #large = new Set<Share<T>>();

  constructor(all: number) {
    this.#eighth = all / 8;
  }

  get ofClients(): ReadonlyMap<string, Share<T>> {
    return this.#ofClients;
  }

  of(client: string): number {
    return this.#ofClients.get(client)?.amount ?? 0;
  }

  /** @param amount more of what the item has; negative: less. */
  add(client: string, item: T, amount: number): void {
    const share = this.#ofClients.get(client) ?? { amount: 0, items: new Set() };
    this.#ofClients.set(client, share);
    share.items.add(item);
    share.amount += amount;
    this.#rank(share);
  }

  /** @param amount all that was added for it. */
  delete(client: string, item: T, amount: number): void {
    const share = this.#ofClients.get(client);
    if (!share?.items.delete(item)) return;
    share.amount -= amount;
    this.#rank(share);
    if (share.items.size === 0) this.#ofClients.delete(client);
  }

  #rank(share: Share<T>): void {
    if (share.amount > this.#eighth) this.#large.add(share);
    else this.#large.delete(share);
  }

  /** Who gives way to a client that has so much; null: none. */
  payerFor(amount: number): Share<T> | null {
    let most: Share<T> | null = null;
    for (const share of this.#large) if (share.amount > (most?.amount ?? 0)) most = share;
    return most !== null && most.amount >= 2 * amount ? most : null;
  }

  /** Whether a client that has so much takes nothing from this one. */
  spares(client: string, amount: number): boolean {
    return amount > this.#eighth && this.of(client) < amount;
  }
}
