import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import type { BalanceStatement, TokenBalanceState } from '../../ledger/rows.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { entityOf } from './entity-bytes.ts';
import { ACCOUNT, STATE, TOKEN_RELATION } from './field-numbers.ts';
import { type MapChange, mapChanges } from './state-changes.ts';

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
