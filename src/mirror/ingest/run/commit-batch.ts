import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { type ChainEnd, chainEndAfter } from '../../ledger/chain-end.ts';
import { isIntegrityAlarm } from '../../ledger/integrity-alarm.ts';
import { isJump } from '../../ledger/is-jump.ts';
import { type KnownTrust, knownTrustAfter } from '../../ledger/known-trust.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { CommitOutcome, LedgerUnit } from '../../ledger/rows.ts';
import type { LedgerLookup } from '../decode/known-entities.ts';
import type { ProvenLevel } from '../units/stream-unit.ts';
import { proveWaiting, unprovenCount, type WaitingUnit } from './late-proofs.ts';

interface CommitBatchDependencies {
  readonly repository: Pick<LedgerRepository, 'commitUnits' | 'chainEnd' | 'knownTrust'>;
  readonly lookup: LedgerLookup;
  readonly clock: Clock;
  /** 1 gives each unit a commit of its own. */
  readonly maxUnits: number;
  /** Called with every unit once it is durable. */
  readonly onCommitted: (unit: LedgerUnit, outcome: CommitOutcome) => void;
}

/** Units that are being stored, and what they tell. */
interface UnderWay {
  readonly transactions: number;
  readonly aliases: ReadonlySet<string>;
  readonly tokens: ReadonlySet<bigint>;
  readonly addresses: ReadonlyMap<EntityId, Uint8Array>;
  failure: { readonly error: unknown } | null;
  /** Never rejects. */
  done: Promise<void>;
}

/** @see contracts/streams.md section 11, row Crash */
export const SHARED_COMMIT_UNITS = 25;
/** Waiting rows are in memory, and other writers wait while they are stored: some tenths of a second. */
const MAX_TRANSACTIONS = 8000;
/** What waits is served late, but it is old anyway; less would leave heavy units, or those of a busy machine, alone. */
const MAX_MS = 5000;
const LIVE_NANOS = 20_000_000_000n;

/**
 * Units written one after the other change the same pages: sharing a commit writes these once.
 *
 * Either all units of a commit are stored or none; an import that is killed begins again with the first of them.
 * The write lock is held only while rows are written, so units are verified and decoded without it.
 */
export function createCommitBatch(dependencies: CommitBatchDependencies) {
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
  let aliases = new Set<string>();
  let tokens = new Set<bigint>();
  let addresses = new Map<EntityId, Uint8Array>();
  let underWay: UnderWay | null = null;

  const remember = ({ entities, tokens: told }: LedgerUnit): void => {
    for (const { alias, entity, evmAddress } of entities) {
      if (evmAddress !== null) addresses.set(entity, evmAddress);
      for (const bytes of [alias, evmAddress]) if (bytes !== null) aliases.add(bareHex(bytes));
    }
    for (const change of told) if ('row' in change) tokens.add(change.token);
  };
  const take = (): void => {
    waiting = [];
    transactions = 0;
    stored = null;
    trust = null;
    aliases = new Set();
    tokens = new Set();
    addresses = new Map();
  };
  const store = async (units: readonly WaitingUnit[]): Promise<void> => {
    const outcomes = await repository.commitUnits(units.map(({ unit }) => unit));
    for (const [index, { unit }] of units.entries()) onCommitted(unit, outcomes[index] ?? 'already-stored');
  };
  /** Waits for the commit that is under way, and throws what it threw. */
  const settle = async (): Promise<void> => {
    const commit = underWay;
    if (commit === null) return;
    await commit.done;
    underWay = null;
    if (commit.failure !== null) throw commit.failure.error;
  };
  /** The next units are read in the meantime, as if these were stored. */
  const begin = (units: readonly WaitingUnit[], known: KnownChain): void => {
    const begun: UnderWay = {
      transactions,
      aliases,
      tokens,
      addresses,
      failure: null,
      done: Promise.resolve(),
    };
    take();
    ({ stored, trust } = known);
    begun.done = storeAll(units).then(
      () => {
        // From now on the database tells it.
        if (underWay === begun) underWay = null;
        [stored, trust] = [null, null];
      },
      (error: unknown) => {
        begun.failure = { error };
        take();
      },
    );
    underWay = begun;
  };
  const commitSoon = async (): Promise<void> => {
    await settle();
    const { refused, units } = await proveWaiting(waiting);
    begin(units, refused === null ? knownWith(units, { stored, trust }) : NOTHING_KNOWN);
    if (refused === null) return;
    await settle();
    refusedName = refused.name;
    throw refused.error;
  };
  const commit = async (): Promise<void> => {
    await commitSoon();
    await settle();
  };
  const endBefore = async (): Promise<ChainEnd | null> => {
    if (stored === null) await settle();
    const before = stored ?? { end: await repository.chainEnd() };
    stored = before;
    return before.end;
  };
  const trustBefore = async (): Promise<KnownTrust> => {
    if (trust === null) await settle();
    const before = trust ?? (await repository.knownTrust());
    trust = before;
    return before;
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
    /** The ledger as it is with the waiting units: asking for what one of them tells stores them first. */
    lookup: {
      async entityByAlias(alias: Uint8Array) {
        const name = bareHex(alias);
        if (aliases.has(name)) await commit();
        if (underWay?.aliases.has(name)) await settle();
        return lookup.entityByAlias(alias);
      },
      async evmAddresses(entities: readonly EntityId[]) {
        const found = new Map(await lookup.evmAddresses(entities));
        for (const entity of entities) {
          const address = addresses.get(entity) ?? underWay?.addresses.get(entity);
          if (address !== undefined) found.set(entity, address);
        }
        return found;
      },
      /** Few transactions have their call data in a file. */
      async fileContents(file: EntityId, time: ConsensusTimestamp) {
        await commit();
        return lookup.fileContents(file, time);
      },
      async tokenKind(token: EntityId) {
        if (tokens.has(token)) await commit();
        if (underWay?.tokens.has(token)) await settle();
        return lookup.tokenKind(token);
      },
    },
    /** Transactions of the waiting units. */
    get waiting(): number {
      return transactions + (underWay?.transactions ?? 0);
    },
    /** Waiting units at the end whose proof is not checked yet. */
    get unproven(): number {
      return unprovenCount(waiting);
    },
    /** Name of the unit that was refused when it was to be stored; null while none was. */
    get refusedName(): string | null {
      return refusedName;
    },
    /** As in the repository, with the waiting units. */
    async chainEnd(): Promise<ChainEnd | null> {
      return endAfter(waiting, await endBefore());
    },
    /** As in the repository, with the waiting units. */
    async knownTrust(): Promise<KnownTrust> {
      const end = await endBefore();
      return trustAfter(waiting, end, await trustBefore());
    },
    /**
     * Lets a unit wait; stores all of them when they are enough, or when this one is of the last seconds.
     *
     * A database that answers later stores them while the next ones are read: what it refuses then is the error of the
     * next call, and what waits behind it is dropped.
     *
     * @param proveLater checks its proof before it is stored; null when it is proven
     * @throws what {@link commit} throws
     */
    async add(
      name: string,
      unit: LedgerUnit,
      proveLater: (() => Promise<ProvenLevel>) | null = null,
    ): Promise<void> {
      if (underWay?.failure) await settle();
      if (waiting.length === 0) sinceMs = clock.now();
      waiting.push({ name, unit, proveLater });
      transactions += unit.transactions.length;
      remember(unit);
      if (!isEnough(unit)) return;
      await commitSoon();
      // A database that answers at once has done it.
      await Promise.race([underWay?.done, setImmediate()]);
      if (underWay?.failure) await settle();
    },
    /**
     * Stores the waiting units in one commit.
     *
     * Those that are not proven are proven first. When the proof of one is false, or the ledger refuses one of them, those
     * before it are stored and those after it dropped.
     *
     * @throws LedgerlensError `duplicate_conflict`, `balance_mismatch`, and what a false proof throws; any other fault
     * leaves nothing of them.
     */
    commit,
  };
}

/** Units that wait for the commit they share. */
export type CommitBatch = ReturnType<typeof createCommitBatch>;

/** What is known of the ledger before the waiting units; null until somebody asks. */
interface KnownChain {
  readonly stored: { readonly end: ChainEnd | null } | null;
  readonly trust: KnownTrust | null;
}

const NOTHING_KNOWN: KnownChain = { stored: null, trust: null };

function endAfter(units: readonly WaitingUnit[], before: ChainEnd | null): ChainEnd | null {
  return units.reduce((end, { unit }) => chainEndAfter(end, unit), before);
}

function trustAfter(units: readonly WaitingUnit[], before: ChainEnd | null, trust: KnownTrust): KnownTrust {
  let [end, known] = [before, trust];
  for (const { unit } of units) {
    known = knownTrustAfter(known, unit, isJump(unit.header, end?.hash ?? null));
    end = chainEndAfter(end, unit);
  }
  return known;
}

/** The same with units taken in. */
function knownWith(units: readonly WaitingUnit[], { stored, trust }: KnownChain): KnownChain {
  if (stored === null) return NOTHING_KNOWN;
  return {
    stored: { end: endAfter(units, stored.end) },
    trust: trust === null ? null : trustAfter(units, stored.end, trust),
  };
}
