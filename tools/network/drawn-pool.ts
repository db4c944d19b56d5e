import type { RandomSource } from './seeded-random.ts';

/** Things of which one is drawn, added or taken out in constant time. */
export class DrawnPool<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  add(item: T): void {
    if (this.#places.has(item)) return;
    this.#places.set(item, this.#items.length);
    this.#items.push(item);
  }

  delete(item: T): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop() as T;
    if (last === item) return;
    this.#items[place] = last;
    this.#places.set(last, place);
  }

  /** Null when there is nothing in it. */
  draw(random: RandomSource): T | null {
    return this.#items.length === 0 ? null : (this.#items[random.below(this.#items.length)] as T);
  }

  /** One that fits, of a few that are drawn; null when none of them does. */
  drawWhere(random: RandomSource, fits: (item: T) => boolean, tries = 12): T | null {
    for (let left = tries; left > 0; left--) {
      const item = this.draw(random);
      if (item === null || fits(item)) return item;
    }
    return null;
  }
}
