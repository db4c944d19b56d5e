import type { Clock } from '../../../values/clock.ts';
import { bareHex } from '../../../values/hex.ts';
import { type ChainEnd, chainEndAfter } from '../../ledger/chain-end.ts';
import { isIntegrityAlarm } from '../../ledger/integrity-alarm.ts';
import { isJump } from '../../ledger/is-jump.ts';
import { type KnownTrust, knownTrustAfter } from '../../ledger/known-trust.ts';
import type { CommitOutcome, LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import type { LedgerLookup } from '../decode/known-entities.ts';
import type { ProvenLevel } from '../units/stream-unit.ts';
import { proveWaiting, unprovenCount, type WaitingUnit } from './late-proofs.ts';

/** Units that wait for the commit they share. */
export interface CommitBatch {
  /** The ledger as it is with the waiting units: asking for what one of them tells stores them first. */
  readonly lookup: LedgerLookup;
  /** Transactions of the waiting units. */
  readonly waiting: number;
  /** Waiting units at the end whose proof is not checked yet. */
  readonly unproven: number;
  /** Name of the unit that was refused when it was to be stored; null while none was. */
  readonly refusedName: string | null;
  /** As in the repository, with the waiting units. */
  chainEnd(): Promise<ChainEnd | null>;
  /** As in the repository, with the waiting units. */
  knownTrust(): Promise<KnownTrust>;
  /**
   * Lets a unit wait; stores all of them when they are enough, or when this one is of the last seconds.
   *
   * @param proveLater checks its proof before it is stored; null when it is proven
   * @throws what {@link commit} throws
   */
  add(name: string, unit: LedgerUnit, proveLater?: (() => Promise<ProvenLevel>) | null): Promise<void>;
  /**
   * Stores the waiting units in one commit.
   *
   * Those that are not proven are proven first. When the proof of one is false, or the ledger refuses one of them, those
   * before it are stored and those after it dropped.
   *
   * @throws LedgerlensError `duplicate_conflict`, `balance_mismatch`, and what a false proof throws; any other fault
   * leaves nothing of them.
   */
  commit(): Promise<void>;
}

export interface CommitBatchDependencies {
  readonly repository: Pick<LedgerRepository, 'commitUnits' | 'chainEnd' | 'knownTrust'>;
  readonly lookup: LedgerLookup;
  readonly clock: Clock;
  /** 1 gives each unit a commit of its own. */
  readonly maxUnits: number;
  /** Called with every unit once it is durable. */
  readonly onCommitted: (unit: LedgerUnit, outcome: CommitOutcome) => void;
}

/** @see contracts/streams.md section 11, row Crash */
export const SHARED_COMMIT_UNITS = 25;
/** Waiting rows are in memory, and other writers wait while they are stored: some tenths of a second. */
const MAX_TRANSACTIONS = 8000;
/** What waits is served late. */
const MAX_MS = 1000;
const LIVE_NANOS = 20_000_000_000n;

/**
 * Units written one after the other change the same pages: sharing a commit writes these once.
 *
 * Either all units of a commit are stored or none; an import that is killed begins again with the first of them.
 * The write lock is held only while rows are written, so units are verified and decoded without it.
 */
export function createCommitBatch(dependencies: CommitBatchDependencies): CommitBatch {
  const { clock, lookup, maxUnits, onCommitted, repository } = dependencies;
  let waiting: WaitingUnit[] = [];
  let transactions = 0;
  let sinceMs = 0;
  let refusedName: string | null = null;
  /** The chain before the waiting units; null until somebody asks. */
  let stored: { readonly end: ChainEnd | null } | null = null;
  /** What was known before the waiting units; null until somebody asks. */
  let trust: KnownTrust | null = null;
  /** Aliases and tokens that the waiting units tell. */
  const aliases = new Set<string>();
  const tokens = new Set<bigint>();

  const remember = ({ entities, tokens: told }: LedgerUnit): void => {
    for (const { alias, evmAddress } of entities) {
      for (const bytes of [alias, evmAddress]) if (bytes !== null) aliases.add(bareHex(bytes));
    }
    for (const change of told) if ('row' in change) tokens.add(change.token);
  };
  const take = (): void => {
    waiting = [];
    transactions = 0;
    stored = null;
    trust = null;
    aliases.clear();
    tokens.clear();
  };
  const store = async (units: readonly WaitingUnit[]): Promise<void> => {
    const outcomes = await repository.commitUnits(units.map(({ unit }) => unit));
    for (const [index, { unit }] of units.entries()) onCommitted(unit, outcomes[index] ?? 'already-stored');
  };
  const commit = async (): Promise<void> => {
    const { refused, units } = await proveWaiting(waiting);
    take();
    await storeAll(units);
    if (refused === null) return;
    refusedName = refused.name;
    throw refused.error;
  };
  const storeAll = async (units: readonly WaitingUnit[]): Promise<void> => {
    if (units.length === 0) return;
    try {
      await store(units);
    } catch (error) {
      if (!isIntegrityAlarm(error)) throw error;
      // Nothing of them was stored; one by one they tell which it is.
      for (const each of units) {
        refusedName = each.name;
        await store([each]);
      }
      refusedName = null;
    }
  };
  const isEnough = (newest: LedgerUnit): boolean =>
    (waiting.length >= maxUnits && unprovenCount(waiting) === 0) ||
    transactions >= MAX_TRANSACTIONS ||
    clock.now() - sinceMs >= MAX_MS ||
    newest.header.consensusEnd > BigInt(clock.now()) * 1_000_000n - LIVE_NANOS;

  return {
    lookup: {
      async entityByAlias(alias) {
        if (aliases.has(bareHex(alias))) await commit();
        return lookup.entityByAlias(alias);
      },
      async tokenKind(token) {
        if (tokens.has(token)) await commit();
        return lookup.tokenKind(token);
      },
    },
    get waiting() {
      return transactions;
    },
    get unproven() {
      return unprovenCount(waiting);
    },
    get refusedName() {
      return refusedName;
    },
    async chainEnd() {
      stored ??= { end: await repository.chainEnd() };
      return waiting.reduce((end, { unit }) => chainEndAfter(end, unit), stored.end);
    },
    async knownTrust() {
      stored ??= { end: await repository.chainEnd() };
      trust ??= await repository.knownTrust();
      let [end, known] = [stored.end, trust];
      for (const { unit } of waiting) {
        known = knownTrustAfter(known, unit, isJump(unit.header, end?.hash ?? null));
        end = chainEndAfter(end, unit);
      }
      return known;
    },
    async add(name, unit, proveLater = null) {
      if (waiting.length === 0) sinceMs = clock.now();
      waiting.push({ name, unit, proveLater });
      transactions += unit.transactions.length;
      remember(unit);
      if (isEnough(unit)) await commit();
    },
    commit,
  };
}
