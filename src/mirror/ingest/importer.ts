import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../values/clock.ts';
import {
  type ConsensusTimestamp,
  consensusTimestamp,
  printTimestamp,
} from '../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { type LedgerGaps, noGaps } from '../ledger/ledger-gaps.ts';
import type { LedgerRepository, NodeKeys } from '../ledger/ledger-repository.ts';
import type { AddressBook, LedgerUnit, UnitHeader, VerificationLevel } from '../ledger/rows.ts';
import { isSuccess, resultName } from '../transactions/response-codes.ts';
import { bookKeys, readBootstrapBook } from './bootstrap-book.ts';
import { type CommitBatch, createCommitBatch, SHARED_COMMIT_UNITS } from './commit-batch.ts';
import { assembleAddressBooks } from './decode/assemble-address-books.ts';
import { decodeUnit } from './decode/decode-unit.ts';
import { emptyLookup, type LedgerLookup } from './decode/known-entities.ts';
import { TYPE } from './decode/transaction-type.ts';
import { IngestError } from './errors.ts';
import { type IngestState, idleState } from './ingest-state.ts';
import { nodeText, Rejections } from './rejections.ts';
import type { ConsensusRatio } from './signature/node-consensus.ts';
import type { NamedBytes, StreamSource, StreamUnit } from './source/stream-source.ts';
import { unitHeader } from './unit-header.ts';
import { missingRecord, type VerifyMode, type VerifyOptions, verifyUnit } from './verify-unit.ts';

export interface ImporterOptions {
  /** What the source must prove. Default `signatures`. */
  readonly verify?: VerifyMode;
  /** Share of all nodes, by stake when known, that must agree. Default 1/3; 0 needs one signature. */
  readonly consensusRatio?: ConsensusRatio;
  /** Reads the address book that the operator vouches for, used while the ledger has none. Default null: the source's. */
  readonly addressBook?: (() => Promise<NamedBytes>) | null;
  /**
   * Whether units far behind the present share a commit, which is faster but holds the write lock for some tenths of a
   * second. A server has other writers: they should wait for single commits alone. Default true.
   */
  readonly sharesCommits?: boolean;
  /** Begin of the first unit to import, nanoseconds; a ledger that is further goes on where it is. Default: all. */
  readonly start?: ConsensusTimestamp | null;
  /** Units that begin later are left; a source that has reached it is finished. Default: none. */
  readonly end?: ConsensusTimestamp | null;
  /** Shard of the network's system files. Default 0n. */
  readonly shard?: bigint;
  /** Realm of the network's system files. Default 0n. */
  readonly realm?: bigint;
}

/** Where the importer tells people what it does. */
export interface IngestLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** How far a run is; called after every unit. */
export interface ImportProgress {
  readonly unitsDone: number;
  readonly unitsTotal: number;
  readonly transactions: number;
  /** Name of the last unit. */
  readonly name: string;
}

export interface ImporterDependencies {
  readonly repository: LedgerRepository;
  readonly source: StreamSource;
  /** Gaps that the operator accepted. Default: none. */
  readonly gaps?: Pick<LedgerGaps, 'accepts' | 'covers'>;
  /** Aliases and tokens of the stored ledger. Default: none are known. */
  readonly lookup?: LedgerLookup;
  readonly options?: ImporterOptions;
  readonly log?: IngestLog;
  readonly progress?: (progress: ImportProgress) => void;
  /** Whether `run` is called again and again because the source goes on. Default false. */
  readonly isWatched?: boolean;
  /** Called after every change of the state. */
  readonly onState?: (state: IngestState) => void;
  /** Tells how long a watched source waits for signatures. Default the system's. */
  readonly clock?: Clock;
}

/** A unit that was not taken. */
export interface RefusedUnit {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** Units that came too late: a ledger grows at its end alone. */
export interface LeftBehind {
  readonly units: number;
  /** Begin of the first and the last of them. */
  readonly first: ConsensusTimestamp;
  readonly last: ConsensusTimestamp;
}

/** What one run did. */
export interface ImportReport {
  readonly source: string;
  /** Units that were stored. */
  readonly units: number;
  /** Transactions of those units. */
  readonly transactions: number;
  /** Units that the ledger had already. */
  readonly skipped: number;
  /** The unit at which the run stopped; empty when it reached the end. */
  readonly refused: readonly RefusedUnit[];
  /** Signature files that did not count. */
  readonly rejectedSignatures: number;
  /** Sidecars that the stored record files name and the source does not have. */
  readonly missingSidecars: number;
  /** Units that begin before the end of the ledger and are not in it; null when there is none. */
  readonly leftBehind: LeftBehind | null;
  /** Level of the last stored unit of the ledger; null in an empty one. */
  readonly verification: VerificationLevel | null;
}

export interface Importer {
  /**
   * Imports what the source has beyond the last stored unit, each unit in one commit, which units far behind
   * the present share.
   *
   * A unit that is damaged or does not follow ends the run and is named in the report.
   *
   * @throws LedgerlensError when the source or the database cannot be read or written.
   */
  run(signal?: AbortSignal): Promise<ImportReport>;
  /** Brings the state up to date with what others stored. */
  look(): Promise<void>;
  state(): IngestState;
}

const silent: IngestLog = { info: () => {}, warn: () => {} };

/** Files of a unit arrive one after the other, those of other nodes later still. */
const PATIENCE_MS = 30_000;
/** What a watched source waits for. */
const MAY_STILL_COME: readonly string[] = ['consensus_not_reached', 'record_file_missing', 'sidecar_missing'];

/**
 * Carries one source into the ledger.
 *
 * Gives way to other work of the process between units. A watched source is `idle` between runs; what it waits
 * for is tried again at each run.
 *
 * @see contracts/streams.md sections 5 and 11, contracts/mirror-storage.md section 5
 */
export function createImporter(dependencies: ImporterDependencies): Importer {
  const { repository, source, lookup = emptyLookup, options = {}, log = silent, progress } = dependencies;
  const { isWatched = false, clock = systemClock, gaps = noGaps, onState } = dependencies;
  const mode = options.verify ?? 'signatures';
  let state = idleState(source.name);
  const now = (changes: Partial<IngestState>): void => {
    state = { ...state, ...changes };
    onState?.(state);
  };
  const atUnit = (last: UnitHeader | null): void =>
    now({
      verification: last?.verification ?? null,
      lastUnit: last?.name ?? null,
      lastConsensusTimestamp: last?.consensusEnd ?? null,
    });
  const rejections = new Rejections();
  let isBookIgnored = false;
  const leftOut = new Set<string>();
  const isRecent = ({ instant }: StreamUnit): boolean =>
    clock.now() - Number(instant / 1_000_000n) < PATIENCE_MS;
  /** What a watched source waits for, and since when. */
  let waiting: (RefusedUnit & { readonly sinceMs: number }) | null = null;

  /** The operator's book, while the ledger has none. */
  const firstBook = async (units: readonly StreamUnit[]): Promise<AddressBook | null> => {
    const named = (await options.addressBook?.()) ?? null;
    const newest = units.at(-1);
    if (newest === undefined || (await repository.nodeKeysAt(newest.instant)) === null) {
      return readBootstrapBook(named ?? (await source.addressBook()), options, log);
    }
    if (named !== null && !isBookIgnored) {
      log.info({}, `address book ${named.name} ignored: the ledger has one already`);
    }
    isBookIgnored = true;
    return null;
  };

  const verifyOptions = async (
    { name }: StreamUnit,
    keys: NodeKeys | null,
    batch: CommitBatch,
  ): Promise<VerifyOptions> => {
    const isNew = waiting?.name !== name && !leftOut.has(name);
    return {
      // What a watched source tries again is counted once.
      onRejected: (file, code) => (isNew ? rejections.add(nodeText(file.node), code) : undefined),
      mode,
      consensusRatio: options.consensusRatio ?? [1n, 3n],
      keys,
      previousHash: await batch.chainHash(),
      gaps,
    };
  };

  const decode = async (
    unit: StreamUnit,
    keys: NodeKeys | null,
    book: AddressBook | null,
    batch: CommitBatch,
  ): Promise<{ ledgerUnit: LedgerUnit; rejectedSignatures: number }> => {
    const verified = await verifyUnit(unit, await verifyOptions(unit, keys, batch));
    const missing = verified.sidecars.filter(({ contents }) => contents === null);
    if (missing.length > 0 && isWatched && isRecent(unit)) {
      throw new IngestError('sidecar_missing', `The sidecars of ${unit.name} are not all there yet`);
    }
    const rows = await decodeUnit(verified.file.items, unit.name, batch.lookup, verified.bytecodes);
    const addressBooks = await assembleAddressBooks(rows.filePieces, async (num, at) => {
      await batch.commit();
      return repository.fileContents(num, at);
    });
    const ledgerUnit: LedgerUnit = {
      ...rows,
      addressBooks: book === null ? addressBooks : [book, ...addressBooks],
      sidecars: verified.sidecars,
      header: unitHeader(source.name, unit, verified, rows),
    };
    warnOfFailedStakes(rows.transactions, unit.name, log);
    for (const rejected of verified.rejectedSignatures) {
      log.warn({ file: rejected.file, code: rejected.code }, `signature ignored: ${rejected.message}`);
    }
    return { ledgerUnit, rejectedSignatures: verified.rejectedSignatures.length };
  };

  /** A refusal is logged once, however often a watched source shows it. */
  const refuse = (name: string, error: LedgerlensError): RefusedUnit => {
    const refused = { name, code: error.code, message: error.message };
    const isKnown = waiting?.name === refused.name && waiting.code === refused.code;
    const sinceMs = isKnown ? (waiting?.sinceMs ?? 0) : clock.now();
    waiting = { ...refused, sinceMs };
    // Waiting for a sidecar is no more than that: the unit is taken without it in the end.
    if (!isKnown && error.code !== 'sidecar_missing') {
      rejections.add('', error.code);
      log.warn({ name, code: error.code }, `import stopped: ${error.message}`);
    }
    const isEarly = isWatched && MAY_STILL_COME.includes(error.code) && clock.now() - sinceMs < PATIENCE_MS;
    const isGap = error.code === 'chain_mismatch' || error.code === 'record_file_missing';
    const gap = isGap && !isEarly ? { name, message: error.message } : null;
    now({
      state: isEarly ? 'idle' : gap !== null ? 'gap' : 'failed',
      gap,
      error: error.message,
      rejections: rejections.counts(),
    });
    return refused;
  };

  /** A watched folder passes over its past without looking, so only what is imported once is told. */
  const findLeftBehind = async (older: readonly ConsensusTimestamp[]): Promise<LeftBehind | null> => {
    const wanted = older.filter((instant) => instant >= (options.start ?? instant));
    const unknown = await repository.unknownStarts(wanted);
    const [first, last] = [unknown.at(0), unknown.at(-1)];
    if (first === undefined || last === undefined) return null;
    log.warn(
      {
        source: source.name,
        units: unknown.length,
        first: printTimestamp(first),
        last: printTimestamp(last),
      },
      'units lie before the end of the ledger and are left out: import older files first, or all of them into a new database',
    );
    return { units: unknown.length, first, last };
  };

  /** Neither signatures nor content prove that there is such a unit, so nothing waits for it; it is told once. */
  const leaveOut = ({ emptyRecords, name }: StreamUnit): void => {
    if (leftOut.has(name)) return;
    leftOut.add(name);
    for (const { node } of emptyRecords) rejections.add(nodeText(node), 'empty_file');
    if (emptyRecords.length === 0) rejections.add('', 'record_file_missing');
    const what = emptyRecords.length > 0 ? 'has no content' : 'is missing';
    log.warn({ name }, `the record file ${name} ${what} and its signatures prove nothing: it is left out`);
  };

  const walk = async (signal: AbortSignal | undefined): Promise<ImportReport> => {
    let newest = await repository.lastUnit();
    let last = newest;
    atUnit(newest);
    const found = await source.units(laterOf(last?.consensusEnd ?? null, options.start ?? null));
    const { older } = found;
    const units = found.units.filter(({ instant }) => instant <= (options.end ?? instant));
    const isAtEnd = units.length < found.units.length;
    const leftBehind = isWatched ? null : await findLeftBehind(older);
    if (found.units.length + older.length === 0 && !isWatched) {
      throw new IngestError('nothing_to_import', `No record files in ${source.name}`);
    }
    let book = units.length === 0 ? null : await firstBook(units);
    let skipped = older.length - (leftBehind?.units ?? 0);
    let [stored, transactions, rejectedSignatures, missingSidecars] = [0, 0, 0, 0];
    const batch = createCommitBatch({
      repository,
      lookup,
      clock,
      maxUnits: (options.sharesCommits ?? true) ? SHARED_COMMIT_UNITS : 1,
      onCommitted(unit, outcome) {
        newest = unit.header;
        atUnit(newest);
        if (outcome === 'stored') {
          stored++;
          transactions += unit.transactions.length;
          missingSidecars += unit.sidecars.filter(({ contents }) => contents === null).length;
        } else skipped++;
      },
    });
    let knownKeys: NodeKeys | null | undefined;
    const keysAt = async ({ instant }: StreamUnit): Promise<NodeKeys | null> => {
      knownKeys ??= book === null ? await repository.nodeKeysAt(instant) : bookKeys(book);
      return knownKeys;
    };
    const take = async (unit: StreamUnit): Promise<UnitHeader> => {
      const keys = await keysAt(unit);
      const { ledgerUnit, rejectedSignatures: rejected } = await decode(unit, keys, book, batch);
      book = null;
      rejectedSignatures += rejected;
      await batch.add(unit.name, ledgerUnit);
      // Keys and weights change only with these, from the next unit on.
      if (ledgerUnit.addressBooks.length + ledgerUnit.stakeUpdates.length > 0) {
        await batch.commit();
        knownKeys = undefined;
      }
      return ledgerUnit.header;
    };
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
        refused.push(refuse(batch.refusedName ?? name, error));
        return false;
      }
    };
    for (const [index, unit] of units.entries()) {
      if (signal?.aborted === true) break;
      if (last !== null && unit.instant <= last.consensusEnd) {
        skipped++;
        log.warn(
          { name: unit.name },
          `existing stream file ${unit.name}: the last unit reaches beyond its start`,
        );
        continue;
      }
      if (unit.records.length === 0) {
        if (gaps.covers(unit.instant)) continue;
        const error = await missingRecord(unit, await verifyOptions(unit, await keysAt(unit), batch));
        if (error === null && isWatched && isRecent(unit)) break;
        if (error === null) {
          leaveOut(unit);
          continue;
        }
        await attempt(unit.name, () => Promise.reject(error));
        break;
      }
      const isTaken = await attempt(unit.name, async () => {
        last = await take(unit);
      });
      if (!isTaken) break;
      waiting = null;
      now({ state: 'running', gap: null, error: null, rejections: rejections.counts() });
      const done = transactions + batch.waiting;
      progress?.({ unitsDone: index + 1, unitsTotal: units.length, transactions: done, name: unit.name });
      await setImmediate();
    }
    await attempt('', () => batch.commit());
    if (missingSidecars > 0) {
      log.warn({ source: source.name, missingSidecars }, 'sidecars are missing: "ledger units" shows where');
    }
    if (refused.length === 0) {
      const isDone = signal?.aborted !== true && (!isWatched || isAtEnd);
      now({ state: isDone ? 'finished' : 'idle', gap: null, error: null, rejections: rejections.counts() });
    }
    const verification = newest?.verification ?? null;
    return {
      source: source.name,
      units: stored,
      transactions,
      skipped,
      refused,
      rejectedSignatures,
      missingSidecars,
      leftBehind,
      verification,
    };
  };

  return {
    async run(signal) {
      // What a watched source waits for stays visible while it looks again.
      if (!isWatched) now({ state: 'running', gap: null, error: null });
      try {
        return await walk(signal);
      } catch (error) {
        now({ state: 'failed', error: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
    look: async () => atUnit(await repository.lastUnit()),
    state: () => state,
  };
}

/** Units that begin later than the result are wanted: those from `start` on, and none that is stored. */
function laterOf(
  stored: ConsensusTimestamp | null,
  start: ConsensusTimestamp | null,
): ConsensusTimestamp | null {
  if (start === null || (stored !== null && stored >= start)) return stored;
  return consensusTimestamp(start - 1n);
}

/** The stakes of the period before stay in force, and with them the weights of the nodes. */
function warnOfFailedStakes(
  transactions: LedgerUnit['transactions'],
  name: string,
  log: Pick<IngestLog, 'warn'>,
): void {
  for (const { consensusTimestamp, result, type } of transactions) {
    if (type !== TYPE.NODESTAKEUPDATE || isSuccess(result)) continue;
    const at = printTimestamp(consensusTimestamp);
    log.warn(
      { name, result: resultName(result) },
      `the stake update at ${at} failed: the stakes stay as they were`,
    );
  }
}

/** Errors about a unit end the run with a report; anything else is a fault. */
export function isRefusal(error: unknown): error is LedgerlensError {
  return (
    error instanceof IngestError || (error instanceof LedgerlensError && error.code === 'duplicate_conflict')
  );
}
