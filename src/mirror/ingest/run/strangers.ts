import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { standingOf } from './unit-standing.ts';

interface StrangersParts {
  readonly repository: Pick<LedgerRepository, 'hasUnit' | 'hashOfBlock'>;
  /** Whether the ledger has a unit of this name. */
  readonly isNamed: (unit: StreamUnit) => boolean;
  /** Whether a unit is proven as the mode asks for it, wherever it stands. */
  readonly proves: (unit: StreamUnit) => Promise<boolean>;
}

/** What the files of a source up to the end of the ledger show. */
export interface Strangers {
  /** One that the ledger has: the source has this ledger, and nothing else is looked at. */
  readonly own: StreamUnit | null;
  /** One that is proven where the ledger has another one: the source has another ledger. */
  readonly another: StreamUnit | null;
  /** Those that are not proven. */
  readonly unproven: readonly StreamUnit[];
}

/** Looks whether a source has the ledger or another one: a stray file among its own is none. */
export async function findStrangers(
  units: readonly StreamUnit[],
  { isNamed, proves, repository }: StrangersParts,
): Promise<Strangers> {
  const strangers: StreamUnit[] = [];
  for (const unit of units) {
    const standing = await standingOf(unit, repository, isNamed(unit));
    if (standing === 'stored') return { own: unit, another: null, unproven: [] };
    if (standing === 'another') strangers.push(unit);
  }
  const unproven: StreamUnit[] = [];
  for (const unit of strangers) {
    if (await proves(unit)) return { own: null, another: unit, unproven: [] };
    unproven.push(unit);
  }
  return { own: null, another: null, unproven };
}
