import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LeftBehind } from '../report/import-report.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import type { ImporterContext } from './importer.ts';

interface StrangersParts {
  readonly repository: Pick<LedgerRepository, 'hasUnit' | 'hashOfBlock'>;
  /** Whether the ledger has a unit of this name. */
  readonly isNamed: (unit: StreamUnit) => boolean;
  /** Whether a unit is proven as the mode asks for it, wherever it stands. */
  readonly proves: (unit: StreamUnit) => Promise<boolean>;
}

/** What the files of a source up to the end of the ledger show. */
interface Strangers {
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

/**
 * Finds and tells the units that begin before the end of the ledger and are not in it.
 *
 * @param older begins of the source's units before that end, ascending
 */
export async function findLeftBehind(
  older: readonly ConsensusTimestamp[],
  { log, repository, source }: Pick<ImporterContext, 'log' | 'repository' | 'source'>,
): Promise<LeftBehind | null> {
  const unknown = await repository.unknownStarts(older);
  const [first, last] = [unknown.at(0), unknown.at(-1)];
  if (first === undefined || last === undefined) return null;
  log.warn(
    { source: source.name, units: unknown.length, first: printTimestamp(first), last: printTimestamp(last) },
    'units are before the end of the ledger and were skipped: import older files first, or all of them into a new database',
  );
  return { units: unknown.length, first, last };
}

/**
 * Whether the ledger has the unit, another one in its place, or neither, as its intact copies say: it has another one where
 * none of them is the one that it has.
 *
 * @param isNamed whether the ledger has a unit of this name: files before version 6 tell no number, but no two have one name
 * @see contracts/streams.md section 11, rows Duplicate unit and Repeated block
 */
export async function standingOf(
  unit: StreamUnit,
  repository: Pick<LedgerRepository, 'hasUnit' | 'hashOfBlock'>,
  isNamed = false,
): Promise<'stored' | 'another' | 'unknown'> {
  let standing: 'another' | 'unknown' = 'unknown';
  for await (const { blockNumber, hash } of unit.links?.() ?? []) {
    if (await repository.hasUnit(hash)) return 'stored';
    const stored = blockNumber === null ? null : await repository.hashOfBlock(blockNumber);
    if (stored !== null && sameBytes(stored, hash)) return 'stored';
    // The copies of other nodes can only take back what this one shows.
    if (stored === null && !isNamed) return 'unknown';
    standing = 'another';
  }
  return standing;
}
