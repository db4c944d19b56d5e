import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import type { OpeningState } from '../../ledger/facets/opening-state.ts';
import type { BalanceStatement, StatedBalances, TokenBalanceState, UnitSidecar } from '../../ledger/rows.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { sha384 } from '../sha384.ts';
import { completeRecords } from './complete-records.ts';
import { entityOf, timeOf } from './entity-bytes.ts';
import { ACCOUNT, HEADER, ITEM, STATE, TOKEN_RELATION } from './field-numbers.ts';
import { type BlockPart, type BlockStateChanges, readTransactions } from './read-transactions.ts';
import { envelopeOf } from './signed-transaction.ts';
import { type MapChange, mapChanges, openingStateOf } from './state-changes.ts';
import { writeRecord } from './write-record.ts';

const SIDECAR_ID = 1;

/**
 * Makes records of the items of a native block. Pure: members that are copied keep their bytes.
 *
 * @param parts every item of the block, in order
 * @throws LedgerlensError `malformed` when items do not make transactions.
 * @see contracts/streams.md sections 9.3, 9.4 and 9.7; docs/adr/0019-imports.md
 */
export function blockRecords(parts: readonly BlockPart[]) {
  const header = headerOf(parts);
  const read = readTransactions(parts, header.number === 0n);
  const { contracts, membersOf, notes } = completeRecords(read);
  const writer = new WireWriter();
  const items: StreamItem[] = [];
  for (const transaction of read.transactions) {
    const { hash, transaction: bytes } = envelopeOf(transaction.signed, writer);
    const record = writeRecord(transaction, hash, membersOf(transaction), writer);
    items.push({ transaction: bytes, record });
  }
  const { sidecar } = contracts;
  const sidecars: readonly UnitSidecar[] =
    sidecar === null ? [] : [{ ...sidecar, id: SIDECAR_ID, hash: sha384(sidecar.contents) }];
  return {
    /** In the order of the block. */
    items,
    ...statedBy(read.stateChanges, header),
    /** The traces of contracts as a sidecar of a record file would have them; empty without traces. */
    sidecars,
    /** Numbers and forms that no real block has shown so far, for the log. */
    notes,
    /** Whether results may lie at other transactions than theirs. */
    mayBeMoved: read.mayBeMoved,
  };
}

/** What a native block tells in the forms of record files. */
export type BlockRecords = Readonly<ReturnType<typeof blockRecords>>;

/** What the first block states without a transaction is read as its opening state. */
function statedBy(
  changes: readonly BlockStateChanges[],
  header: { readonly number: bigint; readonly time: bigint },
): StatedBalances & { readonly openingState: readonly OpeningState[] } {
  const opening: BlockStateChanges[] = [];
  const after = new Map<bigint, BalanceStatement>();
  const tokens = new Map<string, TokenBalanceState>();
  for (const change of changes) {
    const isOpening = header.number === 0n && !change.isOfTransaction;
    if (isOpening) opening.push(change);
    addBalances(change.bytes, change.at ?? header.time, isOpening ? null : after, tokens);
  }
  return {
    openingState: openingStateOf(opening, header.time),
    accountStates: [...after.values()],
    tokenStates: [...tokens.values()],
  };
}

function headerOf(parts: readonly BlockPart[]): { readonly number: bigint; readonly time: bigint } {
  let [number, time] = [0n, 0n];
  const header = parts.find(({ field }) => field === ITEM.header);
  if (header === undefined) return { number: -1n, time };
  for (const walk = new FieldWalk(header.bytes); walk.next(); ) {
    if (walk.number === HEADER.number) number = walk.int64;
    else if (walk.number === HEADER.timestamp) time = timeOf(walk.bytes);
  }
  return { number, time };
}

const TOLD_BY: ReadonlySet<number> = new Set([STATE.accounts.id, STATE.tokenRelations.id]);
/** In `EntityIDPair`, the key of a token relation. */
const PAIR = { account: 1, token: 2 };
const NO_BALANCE = { balance: -1 };

/**
 * Adds the balances that serialized `StateChanges` tell; a later one replaces an earlier one of the same account, or
 * of the same account and token.
 *
 * @param accounts null where those of accounts are read elsewhere
 * @see contracts/streams.md section 9.2
 */
export function addBalances(
  stateChanges: Uint8Array,
  at: bigint,
  accounts: Map<bigint, BalanceStatement> | null,
  tokens: Map<string, TokenBalanceState>,
): void {
  const timestamp = consensusTimestamp(at);
  for (const change of mapChanges(stateChanges, TOLD_BY)) {
    if (change.stateId === STATE.accounts.id) {
      const stated = accounts === null ? null : accountBalance(change, timestamp);
      if (stated !== null) accounts?.set(stated.account, stated);
    } else {
      const stated = tokenBalance(change, timestamp);
      if (stated !== null) tokens.set(`${stated.account}/${stated.token}`, stated);
    }
  }
}

/** Null for an account that was removed: it has had nothing since it was deleted. */
function accountBalance({ value }: MapChange, timestamp: ConsensusTimestamp): BalanceStatement | null {
  const state = value === null ? null : rawField(value, STATE.accounts.value);
  if (state === null) return null;
  let account: EntityId | null = null;
  let balance = 0n;
  for (const walk = new FieldWalk(state); walk.next(); ) {
    if (walk.number === ACCOUNT.id) account = entityOf(walk.bytes);
    else if (walk.number === ACCOUNT.balance) balance = walk.int64;
  }
  return account === null ? null : { account, balance, timestamp };
}

function tokenBalance({ key, value }: MapChange, timestamp: ConsensusTimestamp): TokenBalanceState | null {
  const isGone = value === null;
  const relation = isGone
    ? rawField(key, STATE.tokenRelations.key)
    : rawField(value, STATE.tokenRelations.value);
  if (relation === null) return null;
  const fields = isGone ? { ...PAIR, ...NO_BALANCE } : TOKEN_RELATION;
  let [account, token]: (EntityId | null)[] = [null, null];
  let balance = 0n;
  for (const walk = new FieldWalk(relation); walk.next(); ) {
    if (walk.number === fields.account) account = entityOf(walk.bytes);
    else if (walk.number === fields.token) token = entityOf(walk.bytes);
    else if (walk.number === fields.balance) balance = walk.int64;
  }
  if (account == null || token == null) return null;
  return { account, token, balance: isGone ? null : balance, timestamp };
}
