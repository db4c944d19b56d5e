import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { groupBy } from '../../../values/group-by.ts';
import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { changeTime, moveTime } from '../fold/change-order.ts';
import { dueStatements } from '../fold/due-statements.ts';
import type { FoldedUnit, FoldState, TouchedKeys } from '../fold/fold-state.ts';
import type { FoldedRows } from '../fold/folded-rows.ts';
import { int64OrNull } from '../fold/int64-or-null.ts';
import type { LedgerClock } from '../fold/ledger-clock.ts';
import type {
  LedgerTransaction,
  LedgerUnit,
  TokenBalanceState,
  TokenBalanceStatement,
  TokenRelation,
} from '../rows.ts';
import { ENTITY_NAMES } from './entity-names.ts';
import type { Facet } from './facet.ts';
import { changeRelation, newRelation, TOKEN_RELATION } from './relations.ts';
import { TOKEN_SNAPSHOT } from './snapshot-tables.ts';
import { keepStatement } from './stated-balances.ts';
import { TOKEN_KIND } from './tokens.ts';

/** A balance that a fixture tells, as a snapshot too unless it tells the relation as it is now. */
interface Declared extends Omit<TokenBalanceStatement, 'balance'> {
  /** Null where the account gave the token up. */
  readonly balance: bigint | null;
  readonly isNow?: boolean;
}

const KEY = { account: 'account_id', token: 'token_id' } as const;
/** Units of a fungible token, or the number of NFTs; null while unknown, and where the relation ended: not held. */
const TOKEN_BALANCE = stateTable('token_balance', KEY, {
  balance: column<bigint | null>('balance'),

  /** Null while nothing moved that is known: the row tells of the relation alone. */
  at: column<bigint | null>('balance_ts'),
});
type TokenBalance = RowOf<typeof TOKEN_BALANCE>;
const FIRST_NANOSECOND = consensusTimestamp(0n);
const NO_RELATIONS: readonly TokenRelation[] = [];

/**
 * Running balances of tokens. Rows state them as the network has them after the unit.
 *
 * As for hbar, a balance is known when the ledger is complete, or when the account or the token was created or the
 * account associated in the imported part; others have none, since transfers alone would invent them, and one that
 * goes below zero has none from then on until it is told. The state of a block wins over what was added up: tokens
 * also end without transfers, for example with the token itself.
 *
 * @see contracts/mirror-entities.md section 11.4
 */
export const tokenBalances: Facet<'tokenStates', TokenBalanceState> = {
  name: 'tokenStates',

  touch({ statedRelations, tokenBalances: statements, tokenRelations, tokenStates, transactions }, keys) {
    for (const { account, token } of statedRelations) touchBalance(keys, account, token);
    for (const { account, balance, token } of tokenStates) {
      touchBalance(keys, account, token);
      if (balance === null) keys.add(TOKEN_RELATION, account, token);
    }
    for (const { account, token } of statements) touchBalance(keys, account, token);
    for (const { account, token } of tokenRelations) {
      touchBalance(keys, account, token);
      keys.add(TOKEN_RELATION, account, token);
    }
    for (const { nftTransfers, tokenTransfers } of transactions) {
      for (const { account, token } of tokenTransfers) touchBalance(keys, account, token);
      for (const { receiver, sender, token } of nftTransfers) {
        if (sender !== null) touchBalance(keys, sender, token);
        if (receiver !== null) touchBalance(keys, receiver, token);
      }
    }
  },

  fold(folded, state) {
    const { added, isJump, unit } = folded;
    if (isJump) forget(state);
    const declareNext = dueStatements(declaredBy(unit), (statement) => {
      declare(statement, state);
    });
    const moves = new Moves(folded, state);
    const relationsAt = groupBy(unit.tokenRelations, ({ consensusTimestamp }): bigint => consensusTimestamp);
    for (const transaction of added) {
      const at = transaction.consensusTimestamp;
      declareNext(at);
      const relations = relationsAt.get(at) ?? NO_RELATIONS;
      if (relations.length + transaction.tokenTransfers.length + transaction.nftTransfers.length > 0) {
        moves.apply(transaction, relations);
      }
    }
    declareNext(null);
    for (const each of unit.tokenStates) adopt(each, folded, state);
  },

  rebuild: { replaced: ['token_balance'] },
};

/** Whether a balance begins at 0 is told by the account and the token. */
function touchBalance(keys: TouchedKeys, account: bigint, token: bigint): void {
  keys.add(TOKEN_BALANCE, account, token);
  keys.add(ENTITY_NAMES, account);
  keys.add(TOKEN_KIND, token);
}

function declaredBy({ statedRelations, tokenBalances: statements }: LedgerUnit): readonly Declared[] {
  if (statedRelations.length === 0) return statements;
  const now = statedRelations.flatMap(({ account, balance: told, balanceTimestamp, isAssociated, token }) => {
    const balance = isAssociated ? told : null;
    const timestamp = balanceTimestamp ?? FIRST_NANOSECOND;
    return isAssociated && told === null ? [] : [{ account, token, balance, timestamp, isNow: true }];
  });
  return [...statements, ...now];
}

/** Moves balances as the transactions of a unit state, in their order. */
class Moves {
  readonly #balances: FoldedRows<TokenBalance>;
  readonly #folded: FoldedUnit;
  readonly #state: FoldState;

  constructor(folded: FoldedUnit, state: FoldState) {
    this.#balances = state.rows(TOKEN_BALANCE);
    this.#folded = folded;
    this.#state = state;
  }

  apply(transaction: LedgerTransaction, relations: readonly TokenRelation[]): void {
    const at = transaction.consensusTimestamp;
    const below: (readonly [account: bigint, token: bigint])[] = [];
    const add = (account: bigint, token: bigint, change: bigint) => {
      const row = this.#balances.get(account, token);
      const before = this.#known(row, account, token);
      if (before === null) return;
      const after = int64OrNull(before + change);
      this.#set({ account, token, balance: after, at }, row);
      if (after !== null && after < 0n) below.push([account, token]);
    };
    for (const relation of relations) {
      const isBegun = beginsToHold(relation, this.#folded.clock, this.#state);
      changeRelation(relation, !isBegun, this.#state);
      if (isBegun) this.#put(relation, 0n, at);
    }
    for (const { account, amount, token } of transaction.tokenTransfers) add(account, token, amount);
    for (const { receiver, sender, serial, token } of transaction.nftTransfers) {
      // A negative one stands for all NFTs of the sender: for another treasury, or as a deleted token is given up.
      if (serial < 0n && sender === null) continue;
      const count = serial >= 0n || sender === null ? 1n : this.#balanceOf(sender, token);
      if (count !== null) {
        if (sender !== null) add(sender, token, -count);
        if (receiver !== null) add(receiver, token, count);
      } else {
        // How many there were is unknown, but all of them went.
        if (sender !== null) this.#put({ account: sender, token }, 0n, at);
        if (receiver !== null) this.#put({ account: receiver, token }, null, at);
      }
    }
    // It began before the ledger: what it is from then on is not known either.
    for (const [account, token] of below) {
      if ((this.#balanceOf(account, token) ?? 0n) < 0n) this.#put({ account, token }, null, at);
    }
    for (const relation of relations) if (relation.isAssociated === false) this.#put(relation, null, at);
  }

  #balanceOf(account: bigint, token: bigint): bigint | null {
    return this.#known(this.#balances.get(account, token), account, token);
  }

  #known(row: TokenBalance | null, account: bigint, token: bigint): bigint | null {
    if (row !== null && row.at !== null) return row.balance;
    return beginsHere(account, token, this.#folded.clock, this.#state) ? 0n : null;
  }

  #put(
    { account, token }: Pick<TokenBalance, 'account' | 'token'>,
    balance: bigint | null,
    at: bigint,
  ): void {
    this.#set({ account, token, balance, at }, this.#balances.get(account, token));
  }

  #set(
    { account, at, balance, token }: TokenBalance & { readonly at: bigint },
    row: TokenBalance | null,
  ): void {
    this.#balances.set({ account, token, balance, at: moveTime(at, row?.at ?? null, this.#folded) });
  }
}

/** What begins to be held begins at 0; a claim may meet a balance that is held already and not known. */
function beginsToHold(change: TokenRelation, clock: LedgerClock, state: FoldState): boolean {
  const { account, isAssociated, token } = change;
  const row = state.rows(TOKEN_BALANCE).get(account, token);
  if (isAssociated !== true || (row?.balance ?? null) !== null) return false;
  if (change.isIfMissing !== true) return true;
  if ((row?.at ?? null) === null) return beginsHere(account, token, clock, state);
  return state.rows(TOKEN_RELATION).get(account, token)?.isAssociated === 0n;
}

/** Whether an account without a row holds nothing. After a jump over missing units only accounts that were created later begin at 0. */
function beginsHere(
  account: bigint,
  token: bigint,
  { forgottenAt, isComplete }: LedgerClock,
  state: FoldState,
): boolean {
  const created = state.rows(ENTITY_NAMES).get(account)?.created ?? null;
  if (forgottenAt !== null) return created !== null && created > forgottenAt;
  return isComplete || created !== null || state.rows(TOKEN_KIND).get(token) !== null;
}

/** A statement that is older than the last move adds a snapshot alone. */
function declare({ account, balance, isNow, timestamp, token }: Declared, state: FoldState): void {
  const row = { account, token, balance, at: timestamp };
  if (isNow !== true) state.rows(TOKEN_SNAPSHOT).set(row);
  const balances = state.rows(TOKEN_BALANCE);
  if ((balances.get(account, token)?.at ?? -1n) <= timestamp) balances.set(row);
}

function adopt(stated: TokenBalanceState, folded: FoldedUnit, state: FoldState): void {
  const { clock } = folded;
  const { account, balance, timestamp, token } = stated;
  const balances = state.rows(TOKEN_BALANCE);
  const row = balances.get(account, token);
  const isUnknown = (row?.at ?? null) === null;
  const known = isUnknown && beginsHere(account, token, clock, state) ? 0n : (row?.balance ?? null);
  const relation = balance === null ? state.rows(TOKEN_RELATION).get(account, token) : null;
  const isEnd = balance === null && (row ?? relation) !== null && relation?.isAssociated !== 0n;
  if (known === balance && !isEnd) return;
  if (balance === null) {
    state.rows(TOKEN_RELATION).set({ ...(relation ?? newRelation(account, token)), isAssociated: 0n });
  }
  balances.set({ account, token, balance, at: changeTime(timestamp, row?.at ?? null, folded) });
  keepStatement(folded, stated, state);
}

function forget(state: FoldState): void {
  state.change({ name: 'forget-token-balances', values: [] }, TOKEN_BALANCE);
  state.rows(TOKEN_BALANCE).setAll((row) => ({ ...row, balance: null, at: null }));
}
