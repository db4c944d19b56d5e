import { setImmediate } from 'node:timers/promises';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import { lacksLedgerId } from '../../ledger/proof-note.ts';
import type { UnitHeader } from '../../ledger/rows.ts';
import { IngestError, type IngestErrorCode } from '../errors.ts';
import { type ImportReport, ImportTally, type RefusedUnit } from '../report/import-report.ts';
import { isPast, type SourcePosition } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { ChainOrder, type HeldUnit } from './chain-order.ts';
import { type CommitBatch, createCommitBatch, SHARED_COMMIT_UNITS } from './commit-batch.ts';
import type { ImporterContext } from './importer.ts';
import { type InTurn, type LedgerTurn, untilEnded } from './ledger-turns.ts';
import { isRefusal, type Refusals, type UnprovenUnits } from './refusals.ts';
import type { createRunKeys, RunKeys } from './run-keys.ts';
import { findLeftBehind, findStrangers, standingOf } from './strangers.ts';
import type { UnitReader } from './unit-reader.ts';
import { endOfLedger, findWantedUnits, WATCHED_LOOKBACK, WHOLE_LOOKBACK } from './wanted-units.ts';

/** What the runs over one source share. */
export interface RunParts extends ImporterContext {
  /** What `start: 'now'` means. */
  readonly madeAt: ConsensusTimestamp;
  readonly refusals: Refusals;
  readonly unproven: UnprovenUnits;
  readonly beginKeys: ReturnType<typeof createRunKeys>;
  readonly reader: UnitReader;
  /** Whether copies of all nodes may be read of what waits; a source that is looked at again and again rarely lets it. */
  readonly readsAllCopies: () => boolean;
  /** The newest record file that is known to be one that the ledger has. */
  readonly ownFile: { name: string };
  /** Called for each block that lacks a pinned ledger id. */
  readonly warnOfLedgerId: () => void;
}

/**
 * Walks once over what a source has beyond the end of the ledger: order, gaps, shared commits, progress.
 *
 * @throws LedgerlensError when the source or the database cannot be read or written.
 */
export async function runImport(parts: RunParts, signal: AbortSignal | undefined): Promise<ImportReport> {
  const { beginKeys, clock, gaps, isWatched, log, options, ownFile, progress } = parts;
  const { reader, refusals, rejections, repository, source, state, turns, unproven } = parts;
  const stored = await repository.lastUnit();
  let newest: UnitHeader | null = stored;
  let last = newest;
  /** The greatest time of the ledger. */
  let reached = stored?.place ?? 0n;
  let turn: LedgerTurn | null = null;
  state.atUnit(newest);
  if (isOver(await repository.chainEnd(), parts)) return endOfRecords(parts, newest);
  const range = { start: startOf(newest, parts), end: options.end ?? null };
  const lookback = isWatched ? WATCHED_LOOKBACK : WHOLE_LOOKBACK;
  let position = await endOfLedger(repository, lookback);
  const wanted = await findWantedUnits(source, position, range, signal);
  const tally = new ImportTally(wanted.olderCount);
  const batch = createCommitBatch({
    ...parts,
    maxUnits: (options.sharesCommits ?? true) ? SHARED_COMMIT_UNITS : 1,
    onCommitted(unit, outcome) {
      newest = unit.header;
      state.stored(unit.transactions.length, newest, clock.now());
      state.tells(source.standing?.(), clock.now());
      turn?.stored();
      // Names sort like times.
      if (newest.name > ownFile.name) ownFile.name = newest.name;
      tally.commit(unit, outcome);
      if (lacksLedgerId(unit.header.proof ?? null)) parts.warnOfLedgerId();
    },
  });
  const refused: RefusedUnit[] = [];
  /** False when a unit was refused, which ends the run; what was taken before it is stored. */
  const attempt = async (name: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work().catch(async (error: unknown) => {
        await batch.commit();
        throw error;
      });
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // What waits for a unit before it is what the operator has to look at first.
      const isFirst = !(error instanceof IngestError) || error.code === 'fork' || batch.refusedName !== null;
      const stuck = isFirst ? null : await order.stuck();
      stuck?.refusal.tell();
      const of = batch.refusedName ?? stuck?.unit.name ?? name;
      const cause = stuck === null ? error : beside(stuck.refusal.error, stuck.unit, order.late);
      const refusal = refusals.refuse(of, cause, newest?.consensusEnd ?? null);
      state.change({ ...refusal.state, rejections: rejections.counts() });
      refused.push(refusal.refused);
      return false;
    }
  };
  /** Ends a wait for the source when its turn is over, or the run. */
  const inTurn: InTurn = (work) => (turn === null ? work : untilEnded(work, turn.ending, signal));
  /** Stores what waits for its commit when the source makes the run wait. */
  const following = async (): Promise<StreamUnit | null> => {
    let isHere = false;
    const next = inTurn(wanted.next()).finally(() => {
      isHere = true;
    });
    // Looked at below; until then a fault of the source is no unhandled one.
    next.catch(() => {});
    await setImmediate();
    if (!isHere && !(await attempt('', () => batch.commit()))) return null;
    return next;
  };
  const order = new ChainOrder({
    step: following,
    end: () => batch.chainEnd(),
    isLate: wanted.isLate,
    findsFirst: wanted.isNear,
    readsAllCopies: parts.readsAllCopies,
  });
  /** Whether a unit of the source is in the ledger, so that it is the source of this one. */
  let hasOwn = false;
  /** False when the run ends here. */
  const passOver = async (unit: StreamUnit, keys: RunKeys): Promise<boolean> => {
    if (await gaps.covers(unit.instant)) return true;
    const absence = await reader.absence(unit, { keys: await keys.at(unit), batch, inTurn });
    if (absence.error !== null && (await order.hold(unit, absence.error, () => {}))) return true;
    if (absence.error !== null) return attempt(unit.name, () => Promise.reject(absence.error));
    if (isWatched && refusals.isRecent(unit)) return false;
    unproven.leaveOut(unit.name, absence);
    return true;
  };
  /** Nothing waits for a file that is before the end of the ledger. */
  const leaveOut = (
    { name }: StreamUnit,
    { code, message }: IngestError,
    told: readonly (readonly [node: string, code: string])[],
  ): void => {
    const copies = told.map(([node, code]) => ({ node, code }));
    unproven.leaveOut(name, {
      reason: `passed over: ${message}`,
      rejections: [...copies, { node: '', code }],
    });
  };
  /** Times may step back, so that what is listed after the end of the ledger may be of before it; so may a copy by any name. */
  const isKnown = async (unit: StreamUnit, error: unknown): Promise<boolean> => {
    if (!(error instanceof IngestError)) return false;
    const mayBe = unit.instant <= reached || OF_ANOTHER_PLACE.has(error.code);
    if (!mayBe || unit.links === undefined) return false;
    await batch.commit();
    return (await standingOf(unit, repository)) === 'stored';
  };
  const isSigned = (options.verify ?? 'signatures') === 'signatures' || options.verify === 'strict';
  /** A run that found nothing of this ledger asks whether the source has another one; false when it has. */
  const isOfLedger = async (keys: RunKeys): Promise<boolean> => {
    const { newestOlder } = wanted;
    if (hasOwn || newestOlder[0]?.name === ownFile.name) return true;
    const {
      another,
      own,
      unproven: unsure,
    } = await findStrangers([...newestOlder, ...order.late.map(({ unit }) => unit)], {
      repository,
      isNamed: ({ blockNumber, instant }) =>
        blockNumber === undefined && position?.recent?.instants.has(instant) === true,
      // Without signatures a stray file tells nothing of a source that does not show its older ones.
      proves: async (unit) =>
        (isSigned || wanted.isNear) && reader.proves(unit, { keys: await keys.at(unit), batch, inTurn }),
    });
    if (own !== null && own === newestOlder[0]) ownFile.name = own.name;
    for (const { name } of unsure) {
      const reason = `${name} is another file than the ledger has in its place, and no nodes' signatures prove it`;
      unproven.leaveOut(name, { reason, rejections: [{ node: '', code: 'fork' }] });
    }
    return another === null || attempt(another.name, () => Promise.reject(forkAt(another.name)));
  };
  try {
    let unit = await order.next();
    if (wanted.isEmpty && !isWatched) {
      const remedy = 'of a folder, record files and blocks are read; name NDJSON files themselves';
      throw new IngestError('nothing_to_import', `${source.name} has nothing to import: ${remedy}`);
    }
    if (unit !== null && turns !== undefined) {
      turn = await turns.take(signal, async () => state.atUnit(await repository.lastUnit()));
      if (turn === null) unit = null;
      // What it knows of the ledger is of before the turn.
      await batch.commit();
      const now = await repository.lastUnit();
      newest = now;
      reached = now?.place ?? 0n;
      position = await endOfLedger(repository, lookback);
      state.atUnit(newest);
      if (isOver(await repository.chainEnd(), parts)) unit = null;
    }
    const foundAt = last;
    last = newest;
    const keys = await inTurn(beginKeys(unit));
    for (let done = 1; unit !== null && signal?.aborted !== true; unit = await order.next(), done++) {
      const { isThere, name } = unit;
      if (last !== null && isPassed(unit, last, reached, position)) {
        tally.counts.skipped++;
        const passed = unit;
        if (!(await attempt(unit.name, () => reader.passOver(passed, batch)))) break;
        // What another source stored while this one looked is no news.
        if (last === foundAt) {
          log.warn({ name }, `existing stream file ${name}: the last unit reaches beyond its start`);
        }
        continue;
      }
      if (!isThere) {
        if (await passOver(unit, keys)) continue;
        break;
      }
      const taken = unit;
      const told: (readonly [node: string, code: string])[] = [];
      const tell = () => {
        for (const [node, code] of told.splice(0)) rejections.add(node, code);
      };
      let isHeld = false;
      const isTaken = await attempt(name, async () => {
        try {
          const onRejected = (node: string, code: string) => void told.push([node, code]);
          last = await take(parts, taken, { keys, batch, tally, inTurn, ahead: wanted.ahead, onRejected });
        } catch (error) {
          if (await isKnown(taken, error)) {
            hasOwn = true;
            tally.counts.skipped++;
            log.warn({ name }, `existing stream file ${name}: its hash is stored`);
            return;
          }
          isHeld = batch.refusedName === null && (await order.hold(taken, error, tell));
          if (isHeld && wanted.isLate(taken)) leaveOut(taken, error as IngestError, told.splice(0));
          if (isHeld) return;
          tell();
          throw error;
        }
        tell();
        hasOwn = true;
        if (last.consensusEnd > reached) reached = last.consensusEnd;
      });
      if (!isTaken) break;
      if (isHeld) continue;
      refusals.clear();
      state.change({ state: 'running', gap: null, error: null, rejections: rejections.counts() });
      const transactions = tally.counts.transactions + batch.waiting;
      const unitsTotal = wanted.listed;
      progress?.({ unitsDone: done, unitsTotal, transactions, name, isWatched, state: state.current() });
    }
    const isAtEnd = unit === null && refused.length === 0 && signal?.aborted !== true;
    if (isAtEnd && (await isOfLedger(keys))) {
      const stuck = await order.stuck();
      stuck?.refusal.tell();
      if (stuck !== null) await attempt(stuck.unit.name, () => Promise.reject(stuck.refusal.error));
    }
  } catch (error) {
    if (signal?.aborted !== true || error !== signal.reason) throw error;
  } finally {
    // What came before a fault of the source is stored too.
    await attempt('', async () => {
      await batch.commit();
      await reader.keepRoot(batch);
    })
      .finally(() => turn?.release())
      .finally(() => wanted.close());
    state.tells(source.standing?.(), clock.now());
  }
  const late = order.late.filter(({ unit: { name } }) => name !== refused[0]?.name);
  // A watched folder passes over its past without looking, so only what is imported once is told.
  const leftBehind = isWatched
    ? null
    : await findLeftBehind([...wanted.olderWanted, ...(await unstoredAmong(late, repository))], parts);
  const { missingSidecars } = tally.counts;
  if (missingSidecars > 0) {
    log.warn({ source: source.name, missingSidecars }, 'sidecars are missing: "ledger units" shows where');
  }
  state.change({ lookedAtMs: clock.now() });
  if (refused.length === 0) {
    const isDone = signal?.aborted !== true && (!isWatched || wanted.isAtEnd);
    state.change({
      state: isDone ? 'finished' : 'idle',
      gap: null,
      error: null,
      rejections: rejections.counts(),
    });
  }
  const verification = newest?.verification ?? null;
  const { counts } = tally;
  const skipped = counts.skipped + late.length - (leftBehind?.units ?? 0);
  return { source: source.name, ...counts, skipped, refused, leftBehind, verification };
}

/** The times of units that are not copies of stored ones by other names. */
async function unstoredAmong(
  late: readonly HeldUnit[],
  repository: RunParts['repository'],
): Promise<readonly ConsensusTimestamp[]> {
  const unstored: ConsensusTimestamp[] = [];
  for (const { unit } of late) {
    if ((await standingOf(unit, repository)) !== 'stored') unstored.push(unit.instant);
  }
  return unstored;
}

/** A gap may be closed by a file that is there and cannot be taken. */
function beside(error: IngestError, { name }: StreamUnit, late: readonly HeldUnit[]): IngestError {
  const names = late.flatMap(({ unit }) => (unit.name === name ? [] : [unit.name]));
  if (names.length === 0) return error;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const text = `${error.message}; files before it that nothing leads to: ${names.slice(0, NAMED).join(', ')}${more}`;
  return new IngestError(error.code as IngestErrorCode, text, { details: error.details, cause: error });
}

const NAMED = 5;

/** What is wrong with a unit that is stored, where it is listed as if it were another one. */
const OF_ANOTHER_PLACE: ReadonlySet<string> = new Set<IngestErrorCode>([
  'chain_mismatch',
  'fork',
  'wrong_file_name',
]);

/** @see contracts/streams.md sections 11 and 16.3 */
function forkAt(name: string): IngestError {
  return new IngestError(
    'fork',
    `${name} differs from what the ledger has in its place: if the network was reset, import it into a new database`,
  );
}

/** A block with a number beyond the end is no old one, whatever time it claims: it has to show itself. */
function isPassed(
  { blockNumber, instant }: StreamUnit,
  last: UnitHeader,
  reached: bigint,
  position: SourcePosition | null,
): boolean {
  if (blockNumber === undefined || last.blockNumber === null) return isPast(instant, position);
  return blockNumber <= last.blockNumber && instant <= reached;
}

/** After the first native block record files are never read again. @see contracts/streams.md section 16.3 */
function isOver(end: ChainEnd | null, { isOfRecords }: RunParts): boolean {
  return isOfRecords && end?.isNative === true;
}

/** The report of a source that is left out for good; told once in a process. */
function endOfRecords({ log, source, state }: RunParts, newest: UnitHeader | null): ImportReport {
  if (state.current().state !== 'finished') {
    log.warn(
      { source: source.name },
      `${source.name} is no longer read: the ledger has switched to native blocks, and record files end before them`,
    );
  }
  state.change({ state: 'finished', gap: null, error: null });
  state.note('record files end before the native blocks of the ledger');
  const verification = newest?.verification ?? null;
  return { source: source.name, ...new ImportTally(0).counts, refused: [], leftBehind: null, verification };
}

/** A ledger that has begun continues where it is, whenever it is started again. */
function startOf(
  newest: UnitHeader | null,
  { isWatched, madeAt, options: { start = null } }: RunParts,
): ConsensusTimestamp | null {
  if (start !== 'now') return start;
  return newest === null && isWatched ? madeAt : null;
}

interface TakeParts {
  readonly keys: RunKeys;
  readonly batch: CommitBatch;
  readonly tally: ImportTally;
  readonly inTurn: InTurn;
  readonly ahead: readonly StreamUnit[];
  readonly onRejected: (node: string, code: string) => void;
}

/** Reads the unit and lets it wait for its commit. */
async function take(
  { log, reader, state }: RunParts,
  unit: StreamUnit,
  { ahead, batch, inTurn, keys, onRejected, tally }: TakeParts,
): Promise<UnitHeader> {
  const surroundings = { keys: await keys.at(unit), book: keys.startBook, ahead, batch, inTurn, onRejected };
  const { isUncheckable, ledgerUnit, proveLater, rejectedSignatures } = await reader.read(unit, surroundings);
  keys.dropStartBook();
  tally.counts.rejectedSignatures += rejectedSignatures;
  await batch.add(unit.name, ledgerUnit, proveLater);
  if (isUncheckable) {
    const { uncheckable } = state.current();
    state.change({ uncheckable: uncheckable + 1 });
    if (uncheckable === 0) {
      const text = `the proof of ${unit.name} cannot be checked although the ledger id is pinned, so that it is stored at level chain: ${ledgerUnit.header.proof}`;
      log.warn({ name: unit.name }, text);
      state.note(text);
    }
  }
  // Keys and weights change only with these, from the next unit on.
  if (ledgerUnit.addressBooks.length + ledgerUnit.stakeUpdates.length > 0) {
    await batch.commit();
    keys.forget();
  }
  return ledgerUnit.header;
}
