import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import { FoldState, type Store } from '../fold/fold-state.ts';
import { foldUnits, loadsOf, type NewUnit } from '../fold/fold-units.ts';
import { type Columns, stateTable } from '../fold/tables.ts';
import type { Load } from '../fold/touched-keys.ts';
import { isJump } from '../is-jump.ts';
import type { CommitOutcome } from '../ledger-repository.ts';
import type { LedgerTransaction, LedgerUnit } from '../rows.ts';
import { addedTransactions } from './added-transactions.ts';
import { type ChainLink, numberBlocks } from './block-numbers.ts';
import { transactionStores, unitStores } from './transaction-tables.ts';
import { addUnitRows } from './unit-tables.ts';

/** Where the stored ledger ends. */
export interface LedgerEnd {
  /** End of the newest unit; null in an empty ledger. */
  readonly unit: bigint | null;
  /** The newest transaction; null without any. */
  readonly transaction: bigint | null;
  /** The newest record file or block; null without any. */
  readonly link: ChainLink | null;
}

/** A commit as a value: what it has to know, and what it then stores. */
export interface CommitPlan {
  readonly outcomes: readonly CommitOutcome[];
  readonly loads: readonly Load[];
  /**
   * Pure: made from what the loads found, in their order.
   *
   * @throws LedgerlensError `duplicate_conflict`, `balance_mismatch`
   */
  stores(loaded: readonly (readonly Columns[])[]): readonly Store[];
}

interface StoredHash {
  readonly at: bigint;
  readonly hash: Uint8Array | null;
}

const STORED_HASH = stateTable<StoredHash>('tx', { at: 'consensus_ts' }, { hash: 'hash' });

/**
 * Plans the commit of units: those that end at or before the last stored one are left alone.
 *
 * @param showBytes whether stored transactions answer with `bytes`
 * @see docs/adr/0017-ledger-state-is-a-fold.md
 */
export function planCommit(end: LedgerEnd, units: readonly LedgerUnit[], showBytes: boolean): CommitPlan {
  const outcomes = outcomesOf(end.unit, units);
  const taken = units.filter((_, index) => outcomes[index] === 'stored');
  const stateLoads = loadsOf(LEDGER_FACETS, taken);
  const late = lateTransactions(end.transaction, taken);
  return {
    outcomes,
    loads: late === null ? stateLoads : [...stateLoads, late],
    stores(loaded) {
      if (taken.length === 0) return [];
      const state = new FoldState();
      for (const [index, load] of stateLoads.entries()) state.fill(load, loaded[index] ?? []);
      const added = addedTransactions(
        taken.map(({ transactions }) => transactions),
        end.transaction,
        storedHashes(late === null ? [] : (loaded[stateLoads.length] ?? [])),
      );
      foldUnits(LEDGER_FACETS, newUnits(end.link, taken, added), state);
      const { numbers, shift } = numberBlocks(
        end.link,
        taken.map(({ header }) => header),
      );
      if (shift !== 0n) state.change({ name: 'shift-block-numbers', values: [shift] });
      for (const [index, unit] of taken.entries()) addUnitRows(unit, numbers[index] ?? null, state);
      // Only units that overlap the one before, such as fixtures: streams go forward.
      if (hasRowsBefore(end.unit, added)) state.change({ name: 'mark-rewritten', values: [] });
      const firstLog = firstLogBefore(end.unit, taken);
      if (firstLog !== null) state.change({ name: 'drop-log-chunks', values: [firstLog] });
      return [...transactionStores(added.flat(), showBytes), ...unitStores(taken), ...state.finish()];
    },
  };
}

function outcomesOf(end: bigint | null, units: readonly LedgerUnit[]): readonly CommitOutcome[] {
  let last = end;
  return units.map(({ header: { consensusEnd } }) => {
    if (last !== null && consensusEnd <= last) return 'already-stored';
    last = consensusEnd;
    return 'stored';
  });
}

/** Transactions that may be stored already; null when all of them are later than the newest one. */
function lateTransactions(newest: bigint | null, units: readonly LedgerUnit[]): Load | null {
  if (newest === null) return null;
  const keys = units.flatMap(({ transactions }) =>
    transactions
      .filter(({ consensusTimestamp: at }) => at <= newest)
      .map((each) => [each.consensusTimestamp]),
  );
  return keys.length === 0 ? null : { table: STORED_HASH, keys, match: 'equal' };
}

function storedHashes(rows: readonly Columns[]): ReadonlyMap<bigint, Uint8Array | null> {
  return new Map(rows.map((columns) => STORED_HASH.read(columns)).map(({ at, hash }) => [at, hash]));
}

function newUnits(
  newest: ChainLink | null,
  units: readonly LedgerUnit[],
  added: readonly (readonly LedgerTransaction[])[],
): readonly NewUnit[] {
  let hash = newest?.hash ?? null;
  return units.map((unit, index) => {
    const unitIsJump = isJump(unit.header, hash);
    if (unit.header.kind !== 'fixture') hash = unit.header.hash;
    return { unit, added: added[index] ?? [], isJump: unitIsJump };
  });
}

function hasRowsBefore(end: bigint | null, added: readonly (readonly LedgerTransaction[])[]): boolean {
  return end !== null && added.some((unit) => unit.some(({ consensusTimestamp: at }) => at <= end));
}

/** Time of the first log at or before the end of the ledger, where chunks of logs may be; null without any. */
function firstLogBefore(end: bigint | null, units: readonly LedgerUnit[]): bigint | null {
  let first: bigint | null = null;
  if (end === null) return first;
  for (const { contractLogs } of units) {
    // Ascending by time.
    const at = contractLogs[0]?.consensusTimestamp;
    if (at !== undefined && at <= (first ?? end)) first = at;
  }
  return first;
}
