import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { bareHex } from '../../../values/hex.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { type Columns, column, stateTable } from '../../../values/stored-tables.ts';
import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import { FoldState, type StateLoad, type Store } from '../fold/fold-state.ts';
import { foldUnits, loadsOf, type NewUnit } from '../fold/ledger-clock.ts';
import { isJump } from '../is-jump.ts';
import type { CommitOutcome, LedgerTransaction, LedgerUnit, UnitHeader } from '../rows.ts';
import { transactionStores, unitStores } from './transaction-tables.ts';
import { addUnitRows } from './unit-tables.ts';

/** Where the stored ledger ends. */
export interface LedgerEnd {
  /** Place of the newest unit; null in an empty ledger. */
  readonly place: bigint | null;
  /** Hashes, in hex, of those units of the commit that are stored. */
  readonly stored: ReadonlySet<string>;
  /** The newest transaction; null without any. */
  readonly transaction: bigint | null;
  /** The newest record file or block; null without any. */
  readonly link: ChainLink | null;
}

const STORED_HASH = stateTable('tx', { at: 'consensus_ts' }, { hash: column<Uint8Array | null>('hash') });

/**
 * Plans the commit of units as a value: what it has to know, and what it then stores. Those whose hash is stored are left
 * alone, and fixtures that end before the ledger.
 *
 * @param showBytes whether stored transactions answer with `bytes`
 * @see docs/adr/0017-ledger-state-is-a-fold.md
 */
export function planCommit(end: LedgerEnd, units: readonly LedgerUnit[], showBytes: boolean) {
  const outcomes = outcomesOf(end, units);
  const taken = units.filter((_, index) => outcomes[index] === 'stored');
  const stateLoads = loadsOf(LEDGER_FACETS, taken);
  const late = lateTransactions(end.transaction, taken);
  return {
    outcomes,
    loads: late === null ? stateLoads : [...stateLoads, late],
    /**
     * Pure: made from what the loads found, in their order.
     *
     * @throws LedgerlensError `duplicate_conflict`, `balance_mismatch`
     */
    stores(loaded: readonly (readonly Columns[])[]): readonly Store[] {
      if (taken.length === 0) return [];
      const state = new FoldState();
      for (const [index, load] of stateLoads.entries()) state.fill(load, loaded[index] ?? []);
      const added = addedTransactions(
        taken.map(({ transactions }) => transactions),
        end.transaction,
        storedHashes(late === null ? [] : (loaded[stateLoads.length] ?? [])),
      );
      const fresh = newUnits(end, taken, added);
      foldUnits(LEDGER_FACETS, fresh, state);
      const { numbers, shift } = numberBlocks(
        end.link,
        taken.map(({ header }) => header),
      );
      if (shift !== 0n) state.change({ name: 'shift-block-numbers', values: [shift] });
      let before = end.place;
      for (const [index, { place, unit }] of fresh.entries()) {
        addUnitRows(unit, numbers[index] ?? null, { before, place }, state);
        before = place;
      }
      if (hasRowsBefore(end.place, added)) state.change({ name: 'mark-rewritten', values: [] });
      const firstLog = firstLogBefore(end.place, taken);
      if (firstLog !== null) state.change({ name: 'drop-log-chunks', values: [firstLog] });
      return [...transactionStores(added.flat(), showBytes), ...unitStores(taken), ...state.finish()];
    },
  };
}

function outcomesOf(
  { place, stored }: Pick<LedgerEnd, 'place' | 'stored'>,
  units: readonly LedgerUnit[],
): readonly CommitOutcome[] {
  let last = place;
  const known = new Set(stored);
  return units.map(({ header }) => {
    const hash = bareHex(header.hash);
    const isStored =
      header.kind === 'fixture' ? last !== null && header.consensusEnd <= last : known.has(hash);
    if (isStored) return 'already-stored';
    known.add(hash);
    last = placeAfter(last, header);
    return 'stored';
  });
}

/** @see ledger_unit.place in migrations */
function placeAfter(before: bigint | null, { consensusEnd }: UnitHeader): bigint {
  return before === null || consensusEnd > before ? consensusEnd : before + 1n;
}

/** Transactions that may be stored already; null when all of them are later than the newest one. */
function lateTransactions(newest: bigint | null, units: readonly LedgerUnit[]): StateLoad | null {
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
  { link, place: last }: LedgerEnd,
  units: readonly LedgerUnit[],
  added: readonly (readonly LedgerTransaction[])[],
): readonly NewUnit[] {
  let hash = link?.hash ?? null;
  let before = last;
  return units.map((unit, index) => {
    const unitIsJump = isJump(unit.header, hash);
    if (unit.header.kind !== 'fixture') hash = unit.header.hash;
    const place = placeAfter(before, unit.header);
    before = place;
    return { unit, place, added: added[index] ?? [], isJump: unitIsJump };
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
    for (const { consensusTimestamp: at } of contractLogs) if (at <= (first ?? end)) first = at;
  }
  return first;
}

/**
 * Finds the transactions that are not stored yet: units may overlap, such as a fixture and what follows it.
 *
 * @param units the transactions of each unit
 * @param newest the newest stored one: what is later is not stored and is not looked up; null in an empty ledger
 * @param stored hashes of transactions of the ledger, by consensus time
 * @returns of each unit those that are new
 * @throws LedgerlensError `duplicate_conflict` when a stored consensus time has another hash
 * @see contracts/streams.md section 15
 */
export function addedTransactions(
  units: readonly (readonly LedgerTransaction[])[],
  newest: bigint | null,
  stored: ReadonlyMap<bigint, Uint8Array | null>,
): readonly (readonly LedgerTransaction[])[] {
  const taken: LedgerTransaction[][] = [];
  let last = newest;
  let known: Map<bigint, Uint8Array | null> | null = null;
  for (const transactions of units) {
    const added: LedgerTransaction[] = [];
    taken.push(added);
    for (const transaction of transactions) {
      const { consensusTimestamp: at, hash } = transaction;
      if (last === null || at > last) last = at;
      else {
        known ??= knownHashes(stored, taken);
        const other = known.get(at);
        if (other !== undefined) {
          if (!isSame(other, hash)) refuse(at);
          continue;
        }
      }
      known?.set(at, hash);
      added.push(transaction);
    }
  }
  return taken;
}

function knownHashes(
  stored: ReadonlyMap<bigint, Uint8Array | null>,
  taken: readonly (readonly LedgerTransaction[])[],
): Map<bigint, Uint8Array | null> {
  const known = new Map(stored);
  for (const { consensusTimestamp, hash } of taken.flat()) known.set(consensusTimestamp, hash);
  return known;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

function refuse(at: bigint): never {
  const consensusTimestamp = printTimestamp(at);
  throw new LedgerlensError(
    'duplicate_conflict',
    `Another transaction is already stored at consensus time ${consensusTimestamp}`,
    { details: { consensusTimestamp } },
  );
}

/** The newest record file or block. */
interface ChainLink {
  readonly version: number;
  /** Null when it is not known. */
  readonly blockNumber: bigint | null;
  readonly hash: Uint8Array;
}

/** The numbers of units, in their order; null for a fixture, which is no link of the chain. */
interface BlockNumbers {
  readonly numbers: readonly (bigint | null)[];
  /** By how much record files without a number of their own that are stored already move along. */
  readonly shift: bigint;
}

/** The first version of record files that carry their number. */
const FIRST_NUMBERED_VERSION = 6;

/**
 * Numbers units: files before version 6 carry no number; they count on from 0, and move along when the first one
 * with a number tells another.
 *
 * @param newest the link before the first unit; null in an empty ledger
 * @see contracts/streams.md section 11, row Block number
 */
function numberBlocks(newest: ChainLink | null, headers: readonly UnitHeader[]): BlockNumbers {
  const numbers: (bigint | null)[] = [];
  let last: Pick<ChainLink, 'version' | 'blockNumber'> | null = newest;
  let shift = 0n;
  for (const [index, { blockNumber, kind, version }] of headers.entries()) {
    if (kind === 'fixture') {
      numbers.push(null);
      continue;
    }
    const expected = last === null ? 0n : last.blockNumber === null ? null : last.blockNumber + 1n;
    const isFirstNumbered = last !== null && last.version < FIRST_NUMBERED_VERSION;
    if (blockNumber !== null && isFirstNumbered && expected !== null) {
      const by = blockNumber - expected;
      shift += by;
      for (let before = 0; before < index; before++) {
        const number = numbers[before] ?? null;
        if (number !== null && isCounted(headers[before])) numbers[before] = number + by;
      }
    }
    numbers.push(blockNumber ?? expected);
    last = { version, blockNumber: blockNumber ?? expected };
  }
  return { numbers, shift };
}

function isCounted(header: UnitHeader | undefined): boolean {
  return header?.kind === 'record' && header.version < FIRST_NUMBERED_VERSION;
}
