import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { changeSince } from '../fold/change-order.ts';
import { dueStatements } from '../fold/due-statements.ts';
import type { FoldedUnit, FoldState } from '../fold/fold-state.ts';
import { hbarOrNull } from '../fold/int64-or-null.ts';
import { publicKeyOf } from '../public-key.ts';
import type { EntityChange, LedgerTransaction } from '../rows.ts';
import { ENTITY_HISTORY, historyRow, SETTING_COLUMNS, SETTINGS, type Setting } from './entity-history.ts';
import { ENTITY_NAMES, UNKNOWN_NAMES } from './entity-names.ts';
import type { Facet } from './facet.ts';
import { createdAccount, HBAR_BALANCE } from './hbar-balances.ts';

/** Settings as they are; null is what the imported ledger did not tell. */
export const ENTITY_SETTINGS = stateTable(
  'entity_settings',
  { id: 'id' },
  {
    /** Since when they hold; null when only lines of fixtures and counted nonces told them. */
    changedAt: column<bigint | null>('changed_ts'),
    publicKey: column<Uint8Array | null>('public_key'),
    ...SETTING_COLUMNS,
  },
);
type EntitySettings = RowOf<typeof ENTITY_SETTINGS>;

const UNKNOWN = Object.fromEntries(SETTINGS.map((name) => [name, null])) as {
  readonly [Name in Setting]: null;
};

/** Settings that end in the unit. */
interface Closing {
  readonly row: EntitySettings | null;
  readonly id: bigint;
  readonly lower: bigint;
  readonly upper: bigint;
}

/**
 * Settings of entities of every kind: what a change does not name keeps what is stored, and what was stored goes to
 * the history.
 *
 * @see contracts/mirror-entities.md section 11.2
 */
export const entitySettings: Facet<never> = {
  touch({ entityChanges }, keys) {
    for (const { changedTimestamp, entity } of entityChanges) {
      keys.add(ENTITY_SETTINGS, entity);
      keys.add(ENTITY_NAMES, entity);
      if (changedTimestamp === undefined) continue;
      keys.add(HBAR_BALANCE, entity);
    }
  },

  fold(folded, state) {
    if (folded.unit.entityChanges.length === 0) return;
    const rows = state.rows(ENTITY_SETTINGS);
    const closings: Closing[] = [];
    for (const change of folded.unit.entityChanges) {
      const { changedTimestamp: at, entity: id } = change;
      const row = rows.get(id);
      if (folded.unit.stakeUpdates.length > 0) folded.settingsBefore.set(change, row);
      let changedAt = row?.changedAt ?? null;
      if (at !== undefined) {
        const lower = change.isOpening === true && row === null ? null : lowerEnd(id, at, folded, state);
        changedAt = changeSince(at, lower, folded);
        if (changedAt === null || isPaidAlready(change, row)) continue;
        if (lower !== null && changedAt > lower) closings.push({ row, id, lower, upper: changedAt });
      }
      rows.set(changed(row ?? firstRow(change, folded), change, changedAt));
    }
    close(closings, folded, state);
    const names = state.rows(ENTITY_NAMES);
    for (const { entity: id } of folded.unit.entityChanges) {
      if (names.get(id) === null) names.set({ ...UNKNOWN_NAMES, id });
    }
  },

  rebuild: { replaced: ['entity_settings', 'entity_history'] },
};

/** Since when the entity is as it is; null while the ledger does not know it. */
function lowerEnd(id: bigint, at: bigint, { added, clock }: FoldedUnit, state: FoldState): bigint | null {
  const row = state.rows(ENTITY_SETTINGS).get(id);
  const names = state.rows(ENTITY_NAMES).get(id);
  const since = row?.changedAt ?? names?.created ?? null;
  if (since !== null) return since;
  // What was there before the imported part, or only ever in transfers.
  const isKnown =
    names !== null ||
    row !== null ||
    state.rows(HBAR_BALANCE).get(id) !== null ||
    added.some(
      ({ consensusTimestamp, transfers }) =>
        consensusTimestamp < at &&
        transfers.some(({ account, neverHappened }) => account === id && neverHappened !== true),
    );
  return isKnown || clock.isComplete ? 0n : null;
}

/** An update in the item that pays a reward begins a period that is later. */
function isPaidAlready(
  { isRewardPeriod, stakePeriodStart }: EntityChange,
  row: EntitySettings | null,
): boolean {
  const stored = row?.stakePeriodStart ?? null;
  return isRewardPeriod === true && stored !== null && BigInt(stakePeriodStart ?? 0n) <= (stored as bigint);
}

/** A ledger that is known from its first block tells every Ethereum transaction; contracts count in their own way. */
function firstRow({ entity: id, type }: EntityChange, { clock }: FoldedUnit): EntitySettings {
  const nonce = clock.isComplete && (type === undefined || type === 'ACCOUNT') ? 0n : null;
  return { ...UNKNOWN, id, changedAt: null, publicKey: null, ethereumNonce: nonce };
}

function changed(row: EntitySettings, change: EntityChange, changedAt: bigint | null): EntitySettings {
  const { key } = change;
  const next: { -readonly [Member in keyof EntitySettings]: EntitySettings[Member] } = { ...row, changedAt };
  for (const name of SETTINGS) {
    const given = change[name];
    if (given !== undefined) next[name] = typeof given === 'boolean' ? Number(given) : given;
  }
  if (key !== undefined) next.publicKey = key === null ? null : publicKeyOf(key);
  return next;
}

function close(closings: readonly Closing[], folded: FoldedUnit, state: FoldState): void {
  if (closings.length === 0) return;
  const balanceOf = balancesAtClose(closings, folded, state);
  for (const closing of closings) {
    const { balance, at: balanceAt } = balanceOf(closing);
    const { id, lower, row, upper } = closing;
    const publicKey = row?.publicKey ?? null;
    const settings = row ?? UNKNOWN;
    state.append(ENTITY_HISTORY, historyRow({ id, lower, upper, settings, publicKey, balance, balanceAt }));
  }
}

/** A balance and when it was so; both null while it is unknown. */
interface KnownBalance {
  readonly balance: bigint | null;
  readonly at: bigint | null;
}

const UNKNOWN_BALANCE: KnownBalance = { balance: null, at: null };

/**
 * The balances of entities when their settings end: what is stored before the unit, and what the unit moves and states
 * before that time.
 *
 * One walk along the unit, and none in a unit without a change: balances themselves are added up once for each account.
 */
function balancesAtClose(
  closings: readonly Closing[],
  folded: FoldedUnit,
  state: FoldState,
): (closing: Closing) => KnownBalance {
  const watched = new Map(closings.map(({ id }) => [id, startOf(id, folded, state)]));
  const found = new Map<Closing, KnownBalance>();
  let nextTransaction = 0;
  const stateUntil = dueStatements(folded.unit.balances, ({ account, balance, timestamp: at }) => {
    const known = watched.get(account);
    if (known !== undefined && (known.at ?? -1n) <= at) watched.set(account, { balance, at });
  });
  for (const closing of [...closings].sort((a, b) => (a.upper < b.upper ? -1 : 1))) {
    for (let due = folded.added[nextTransaction]; due !== undefined; due = folded.added[++nextTransaction]) {
      if (due.consensusTimestamp >= closing.upper) break;
      stateUntil(due.consensusTimestamp);
      move(due, watched);
    }
    stateUntil(closing.upper);
    const { at, balance } = watched.get(closing.id) ?? UNKNOWN_BALANCE;
    const known = balance === null ? null : hbarOrNull(balance, folded.clock);
    found.set(closing, known === null ? UNKNOWN_BALANCE : { balance: known, at });
  }
  return (closing) => found.get(closing) ?? UNKNOWN_BALANCE;
}

function startOf(id: bigint, { clock, isJump }: FoldedUnit, state: FoldState): KnownBalance {
  const row = state.rows(HBAR_BALANCE).get(id);
  // A jump over missing units forgets what is stored; a complete ledger knows who never had anything.
  if (!isJump && (row?.balance ?? null) !== null) return row ?? UNKNOWN_BALANCE;
  return clock.isComplete ? { balance: 0n, at: null } : UNKNOWN_BALANCE;
}

function move(transaction: LedgerTransaction, watched: Map<bigint, KnownBalance>): void {
  const at = transaction.consensusTimestamp;
  const created = createdAccount(transaction);
  if (created !== null && watched.get(created)?.balance === null) watched.set(created, { balance: 0n, at });
  for (const { account, amount, neverHappened } of transaction.transfers) {
    const known = watched.get(account);
    if (known === undefined || known.balance === null || neverHappened === true) continue;
    watched.set(account, { balance: known.balance + amount, at });
  }
}
