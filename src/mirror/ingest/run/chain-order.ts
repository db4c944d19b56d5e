import type { ChainEnd } from '../../ledger/chain-end.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamUnit, UnitLink } from '../units/stream-unit.ts';

/** A unit that does not follow the chain as far as it goes. */
interface HeldUnit {
  readonly unit: StreamUnit;
  readonly link: UnitLink;
  /** Why it was not taken; null for one that is before the end of the ledger and may belong nowhere. */
  readonly refusal: Refusal | null;
  /** Hash of the end behind which it was refused: copies of a file may tell different links, so it is tried there once. */
  readonly triedBehind: Uint8Array | null;
}

/** What stops a run when nothing makes the unit follow. */
interface Refusal {
  readonly error: IngestError;
  /** Tells whose copies did not count. */
  readonly tell: () => void;
}

interface ChainOrderParts {
  /** The next unit in the order of names; null at the end. */
  readonly step: () => Promise<StreamUnit | null>;
  /** The end of the chain with the units that wait for their commit. */
  readonly end: () => Promise<ChainEnd | null>;
  /** Whether the unit is before the end of the ledger by its name. */
  readonly isLate: (unit: StreamUnit) => boolean;
  readonly links: UnitLinks;
  /** Whether files are read to find the first one; without it the first one by name begins a ledger. */
  readonly findsFirst: boolean;
}

/** Files whose names may be before that of the file they follow; on public networks about a minute of them. */
export const MAX_HELD = 32;
/** Files among which that one is looked for with which an empty ledger begins. */
const MAX_FIRST = 8;

/**
 * Gives units in the order of the chain, which for record files need not be that of their names: their first times may step
 * back. One that does not follow waits until another one is taken that it follows.
 *
 * @see contracts/streams.md section 11, rows Order of a network and Next unit
 */
export class ChainOrder {
  readonly #parts: ChainOrderParts;
  readonly #held: HeldUnit[] = [];
  /** Were listed to find the first one. */
  readonly #listed: StreamUnit[] = [];
  #hasBegun = false;

  constructor(parts: ChainOrderParts) {
    this.#parts = parts;
  }

  /** The next unit to be tried; null when there is none. */
  async next(): Promise<StreamUnit | null> {
    const { isLate, step } = this.#parts;
    for (;;) {
      const follower = await this.#follower();
      if (follower !== null) return follower;
      const unit = this.#listed.shift() ?? (await step());
      if (unit === null) return null;
      if (isLate(unit)) await this.#keep(unit, null, null);
      else return this.#hasBegun ? unit : this.#begin(unit);
    }
  }

  /** Lets a unit wait that does not follow; false where it cannot, or where too many wait. */
  async hold(unit: StreamUnit, error: unknown, tell: () => void): Promise<boolean> {
    if (!(error instanceof IngestError) || error.code !== 'chain_mismatch') return false;
    if (this.#held.filter(({ refusal }) => refusal !== null).length >= MAX_HELD) return false;
    return this.#keep(unit, { error, tell }, (await this.#parts.end())?.hash ?? null);
  }

  /** The first unit that stops the run when no other one comes; null when none does. */
  get stuck(): (HeldUnit & { readonly refusal: Refusal }) | null {
    for (const each of this.#held) {
      const { refusal } = each;
      if (refusal !== null) return { ...each, refusal };
    }
    return null;
  }

  /** Those before the end of the ledger that nothing leads to. */
  get late(): readonly StreamUnit[] {
    return this.#held.filter(({ refusal }) => refusal === null).map(({ unit }) => unit);
  }

  async #keep(unit: StreamUnit, refusal: Refusal | null, triedBehind: Uint8Array | null): Promise<boolean> {
    const link = unit.isThere ? await this.#parts.links.of(unit) : null;
    if (link === null) return false;
    this.#held.push({ unit, link, refusal, triedBehind });
    return true;
  }

  async #follower(): Promise<StreamUnit | null> {
    if (this.#held.length === 0) return null;
    const end = await this.#parts.end();
    const index = this.#held.findIndex(
      ({ link: { previousHash }, triedBehind }) =>
        end !== null &&
        previousHash !== null &&
        sameBytes(previousHash, end.hash) &&
        (triedBehind === null || !sameBytes(triedBehind, end.hash)),
    );
    return index < 0 ? null : (this.#held.splice(index, 1)[0]?.unit ?? null);
  }

  /** In an empty ledger any file may be the first one: it is the one that none of the next files comes before. */
  async #begin(unit: StreamUnit): Promise<StreamUnit> {
    this.#hasBegun = true;
    const { end, findsFirst } = this.#parts;
    if (!findsFirst || unit.link === undefined || (await end()) !== null) return unit;
    while (this.#listed.length < MAX_FIRST) {
      const next = await this.#parts.step();
      if (next === null) break;
      this.#listed.push(next);
    }
    let [first, link] = [unit, await this.#parts.links.of(unit)];
    const others = await Promise.all(
      this.#listed.map(async (each) => ({ unit: each, link: await this.#parts.links.of(each) })),
    );
    // No more often than there are files: hashes that lead round in a circle are no chain.
    for (let count = others.length; count > 0; count--) {
      const { previousHash = null } = link ?? {};
      const before = others.find(
        (each) => previousHash !== null && each.link !== null && sameBytes(each.link.hash, previousHash),
      );
      if (before === undefined) break;
      ({ link, unit: first } = before);
    }
    if (first === unit) return unit;
    this.#listed.splice(this.#listed.indexOf(first), 1);
    this.#listed.unshift(unit);
    return first;
  }
}

/** Places in the chain as files tell them, each read once. */
export class UnitLinks {
  readonly #known = new Map<string, UnitLink>();
  readonly #repository: Pick<LedgerRepository, 'hasUnit' | 'hashOfBlock'>;

  constructor(repository: Pick<LedgerRepository, 'hasUnit' | 'hashOfBlock'>) {
    this.#repository = repository;
  }

  /** Null where the unit tells none, or cannot be read. */
  async of(unit: StreamUnit): Promise<UnitLink | null> {
    if (unit.link === undefined || !unit.isThere) return null;
    const known = this.#known.get(unit.name);
    if (known !== undefined) return known;
    const link = await unit.link().catch((error: unknown) => {
      if (error instanceof IngestError) return null;
      throw error;
    });
    if (link !== null) this.#known.set(unit.name, link);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return link;
  }

  /** Whether the ledger has the unit, another one in its place, or neither. */
  async standing(unit: StreamUnit): Promise<'stored' | 'fork' | 'unknown'> {
    const link = await this.of(unit);
    if (link === null) return 'unknown';
    if (await this.#repository.hasUnit(link.hash)) return 'stored';
    const hash = link.blockNumber === null ? null : await this.#repository.hashOfBlock(link.blockNumber);
    if (hash === null) return 'unknown';
    return sameBytes(hash, link.hash) ? 'stored' : 'fork';
  }
}

const MAX_KNOWN = 100;
