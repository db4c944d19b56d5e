import { MIN_INT64 } from '../../../values/int64.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamUnit, UnitLink } from '../units/stream-unit.ts';

/** A unit that waits until the chain comes to it. */
export interface HeldUnit {
  readonly unit: StreamUnit;
  /** Why it was not taken; null where it was not tried. */
  readonly refusal: Refusal | null;
  /** The end of the chain behind which it was tried: it is tried there once. */
  readonly triedBehind: ChainEnd | null;
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
  /** Whether files are read to find the first one; without it the first one by name begins a ledger. */
  readonly findsFirst: boolean;
  /** Whether all copies of what waits may be read, asked where nothing follows by their first ones. */
  readonly readsAllCopies: () => boolean;
}

/** Files whose names may be before that of the file they follow; on public networks about a minute of them. */
export const MAX_HELD = 32;
/** Files among which that one is looked for with which an empty ledger begins. */
const MAX_FIRST = 8;

/**
 * Gives units in the order of the chain, which for record files need not be that of their names: their first times may step
 * back, and copies may be late, damaged or of another network.
 *
 * While none waits each is tried in its turn. Where one was refused, those alone are tried that name the end of the chain
 * as theirs; at the end of the walk the first one that waits is, so that it says why.
 *
 * @see contracts/streams.md section 11, rows Order of a network and Next unit
 */
export class ChainOrder {
  readonly #parts: ChainOrderParts;
  #held: HeldUnit[] = [];
  /** Were listed to find the first one. */
  readonly #listed: StreamUnit[] = [];
  #hasBegun = false;
  /** Was given to be tried, and is not held since. */
  #given: StreamUnit | null = null;
  /** The greatest instant of what was taken; those up to it are late. */
  #reached = -1n;
  #readsAll: boolean | null = null;

  constructor(parts: ChainOrderParts) {
    this.#parts = parts;
  }

  /** The next unit to be tried; null when there is none. */
  async next(): Promise<StreamUnit | null> {
    if (this.#given !== null && this.#given.instant > this.#reached) this.#reached = this.#given.instant;
    this.#given = await this.#find();
    return this.#given;
  }

  /** Lets a unit that {@link next} gave wait; false where it cannot. */
  async hold(unit: StreamUnit, error: unknown, tell: () => void): Promise<boolean> {
    if (!(error instanceof IngestError) || isSourceFault(error) || unit.links === undefined) return false;
    this.#given = null;
    this.#held.push({ unit, refusal: { error, tell }, triedBehind: await this.#parts.end() });
    return true;
  }

  /** The unit that stops the run when no other one comes; null when none does. */
  async stuck(): Promise<(HeldUnit & { readonly refusal: Refusal }) | null> {
    const end = await this.#parts.end();
    const refused = this.#held.flatMap((each) =>
      each.refusal === null ? [] : [{ ...each, refusal: each.refusal }],
    );
    const beyond = refused.filter((each) => !this.#isLate(each));
    if (beyond.length === 0) {
      // Named before what was taken, and still of after it: there is something between them.
      for (const each of refused) {
        if (each.refusal.error.code !== 'chain_mismatch' || this.#parts.isLate(each.unit)) continue;
        if (await some(each.unit, ({ blockNumber }) => isBeyond(blockNumber, end))) return each;
      }
      return null;
    }
    // Most often one alone waits for its signatures, and there is no need to read it.
    for (const each of refused.length === 1 ? [] : refused) {
      if (isSameEnd(each.triedBehind, end) && (await this.#follows(each, end, false))) return each;
    }
    return beyond[0] ?? null;
  }

  /** Those before the end of the ledger that nothing leads to. */
  get late(): readonly HeldUnit[] {
    return this.#held.filter((each) => this.#isLate(each));
  }

  async #find(): Promise<StreamUnit | null> {
    const { isLate, step } = this.#parts;
    for (;;) {
      const isNew = !this.#hasBegun || this.#held.length > 0;
      const end = isNew ? await this.#parts.end() : null;
      const follower = await this.#follower(end, false);
      if (follower !== null) return follower;
      const waiting = this.#held.filter((each) => !this.#isLate(each));
      // The first one of a ledger cannot be told from what follows.
      const isOver = waiting.length >= MAX_HELD || (waiting.length > 0 && end === null);
      const unit = isOver ? null : (this.#listed.shift() ?? (await step()));
      if (unit === null) return this.#last(end, waiting);
      if (!isLate(unit)) {
        if (!this.#hasBegun) return this.#begin(unit, end);
        if (waiting.length === 0 || unit.links === undefined) return unit;
      }
      if (unit.isThere) this.#held.push({ unit, refusal: null, triedBehind: null });
    }
  }

  /** When no other one comes. */
  async #last(end: ChainEnd | null, waiting: readonly HeldUnit[]): Promise<StreamUnit | null> {
    if (this.#held.length > 0 && end !== null) {
      this.#readsAll ??= this.#parts.readsAllCopies();
      const follower = this.#readsAll ? await this.#follower(end, true) : null;
      if (follower !== null) return follower;
    }
    const [first] = waiting;
    if (first === undefined || end === null || isSameEnd(first.triedBehind, end)) return null;
    return this.#release(first);
  }

  async #follower(end: ChainEnd | null, ofAllCopies: boolean): Promise<StreamUnit | null> {
    if (end === null) return null;
    for (const each of this.#held) {
      if (isSameEnd(each.triedBehind, end)) continue;
      if (await this.#follows(each, end, ofAllCopies)) return this.#release(each);
    }
    return null;
  }

  #release(held: HeldUnit): StreamUnit {
    this.#held = this.#held.filter((each) => each !== held);
    return held.unit;
  }

  #follows({ unit }: HeldUnit, end: ChainEnd | null, ofAllCopies: boolean): Promise<boolean> {
    return some(
      unit,
      ({ previousHash }) => end !== null && previousHash !== null && sameBytes(previousHash, end.hash),
      ofAllCopies,
    );
  }

  #isLate({ unit }: HeldUnit): boolean {
    return this.#parts.isLate(unit) || unit.instant <= this.#reached;
  }

  /** In an empty ledger any file may be the first one: it is the one that none of the next files comes before. */
  async #begin(unit: StreamUnit, end: ChainEnd | null): Promise<StreamUnit> {
    this.#hasBegun = true;
    if (!this.#parts.findsFirst || unit.links === undefined || end !== null) return unit;
    while (this.#listed.length < MAX_FIRST) {
      const next = await this.#parts.step();
      if (next === null) break;
      this.#listed.push(next);
    }
    const begin = await linkedUnit(unit);
    const others = await Promise.all(this.#listed.map(linkedUnit));
    let first = begin;
    // No more often than there are files: hashes that lead round in a circle are no chain.
    for (let count = others.length; count > 0; count--) {
      const { copies } = first;
      // Most copies have to say so.
      const before = others.find((each) => shareBehind(copies, each) > 0.5);
      if (before === undefined) break;
      first = before;
    }
    // The file stays the first one that half of the copies of another one name. Which of its own copies is the true one is
    // for the signatures to tell: where none are required, a forged one may be refused for good.
    const isNamed = others.some(({ copies }) => shareBehind(copies, begin) >= 0.5);
    if (first === begin ? isNamed : shareBehind(first.copies, begin) > 0.5) return unit;
    // What nothing follows is a stray one beside the begin of a stream, or beside its middle.
    if (first === begin) {
      const followed = others.filter(({ link }) =>
        others.some((each) => link !== null && isBehind(each, { copies: [link] })),
      );
      const [least] = others.toSorted((one, other) => Number(numberOf(one.link) - numberOf(other.link)));
      const to = numberOf(least?.link ?? null);
      // Missing files would have the numbers between.
      const isStray = (each: UnitLink) => each.previousHash !== null && numberOf(each) >= to - 1n;
      const mayPass = to !== MIN_INT64 && begin.copies.length > 0 && begin.copies.every(isStray);
      first =
        followed.find(({ link }) => link?.previousHash === null) ??
        followed.find((each) => each === least && mayPass) ??
        begin;
    }
    if (first === begin) return unit;
    this.#listed.splice(this.#listed.indexOf(first.unit), 1);
    this.#listed.unshift(unit);
    return first.unit;
  }
}

interface LinkedUnit {
  readonly unit: StreamUnit;
  /** Of the copy that most nodes have. */
  readonly link: UnitLink | null;
  readonly copies: readonly UnitLink[];
}

function isNext({ previousHash }: UnitLink, before: UnitLink): boolean {
  return previousHash !== null && sameBytes(previousHash, before.hash);
}

/** Whether any copy names any of the other file. */
function isBehind({ copies }: Pick<LinkedUnit, 'copies'>, before: Pick<LinkedUnit, 'copies'>): boolean {
  return copies.some((one) => before.copies.some((other) => isNext(one, other)));
}

/** Share of the copies that name a copy of the other file; NaN without any. */
function shareBehind(copies: readonly UnitLink[], before: LinkedUnit): number {
  return copies.filter((copy) => isBehind({ copies: [copy] }, before)).length / copies.length;
}

/** Less than any that is known. */
function numberOf(link: UnitLink | null): bigint {
  return link?.blockNumber ?? MIN_INT64;
}

/** Whether a copy of the unit says so: the first one that is intact, or any. */
async function some(
  unit: StreamUnit,
  isIt: (link: UnitLink) => boolean,
  ofAllCopies = false,
): Promise<boolean> {
  for await (const link of unit.links?.() ?? []) {
    if (isIt(link)) return true;
    if (!ofAllCopies) return false;
  }
  return false;
}

async function linkedUnit(unit: StreamUnit): Promise<LinkedUnit> {
  const copies: UnitLink[] = [];
  for await (const link of unit.links?.() ?? []) copies.push(link);
  const sames = (one: UnitLink) => copies.filter(({ hash }) => sameBytes(hash, one.hash)).length;
  const [link = null] = copies.toSorted((one, other) => sames(other) - sames(one));
  return { unit, link, copies };
}

function isSameEnd(one: ChainEnd | null, other: ChainEnd | null): boolean {
  return one !== null && other !== null && sameBytes(one.hash, other.hash);
}

function isBeyond(blockNumber: bigint | null, end: ChainEnd | null): boolean {
  const last = end?.blockNumber ?? null;
  return blockNumber === null || last === null || blockNumber > last;
}
