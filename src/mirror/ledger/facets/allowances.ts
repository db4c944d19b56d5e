import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import {
  currentSince,
  type FixtureObject,
  flag,
  idIn,
  integer,
  required,
} from '../../items/fixture-members.ts';
import { changeSince } from '../fold/change-order.ts';
import { column, stateTable } from '../fold/tables.ts';
import { decodeAllowances } from './decode-allowances.ts';
import type { Facet } from './facet.ts';

/** What is approved: an amount of hbar or of a fungible token, or all NFTs of a token. */
export type AllowanceKind = 'hbar' | 'token' | 'nft';

interface Allowance {
  readonly kind: AllowanceKind;
  readonly owner: EntityId;
  readonly spender: EntityId;
  /** Null for hbar. */
  readonly token: EntityId | null;
  readonly timestamp: ConsensusTimestamp;
}

/** An owner approves an amount; 0 revokes. Of all NFTs of a token it is 1 or 0. */
export interface AllowanceGrant extends Allowance {
  readonly is: 'grant';
  readonly granted: bigint;
  /** What is left of it. */
  readonly amount: bigint;
}

/** A spender uses some of what was approved. */
export interface AllowanceDebit extends Allowance {
  readonly is: 'debit';
  /** More than 0. */
  readonly spent: bigint;
}

export type AllowanceChange = AllowanceGrant | AllowanceDebit;

declare module '../rows.ts' {
  interface FacetRows {
    /** In the order of the transactions. */
    readonly allowances: readonly AllowanceChange[];
  }
}

const ALLOWANCE = stateTable(
  'allowance',
  { kind: 'kind', owner: 'owner_id', spender: 'spender_id', token: 'token_id' },
  {
    amount: column<bigint>('amount'),
    granted: column<bigint>('amount_granted'),
    /** When it was granted: using it does not move it. */
    at: column<bigint>('lower_ts'),
  },
);
/** As they are stored. */
export const ALLOWANCE_KIND = { hbar: 0n, token: 1n, nft: 2n } as const;
const HBAR = 0n;

/**
 * What owners let others spend, and what is left of it: the newest approval of an owner, spender and token holds.
 *
 * What is used of an approval that is not known is left out, as is everything before a stated one.
 *
 * @see contracts/mirror-entities.md section 11.6
 */
export const allowances: Facet<'allowances'> = {
  name: 'allowances',

  decodeUnit: ({ isSuccessful, items, note, resolveAt }) => ({
    rows: decodeAllowances(items, isSuccessful, resolveAt, note),
  }),

  fixture: {
    kind: 'allowance',
    read(line, { home }) {
      const since = currentSince(line);
      return { rows: since === null ? [] : [readLine(line, idIn(home), since)] };
    },
  },

  touch(unit, keys) {
    for (const change of unit.allowances) keys.add(ALLOWANCE, ...keyOf(change));
  },

  fold(folded, state) {
    const { added, unit } = folded;
    if (unit.allowances.length === 0) return;
    const rows = state.rows(ALLOWANCE);
    const times = new Set<bigint>(added.map(({ consensusTimestamp: at }) => at));
    for (const change of unit.allowances) {
      const row = rows.get(...keyOf(change));
      if (change.is === 'debit') {
        // What was stored before was taken off then, and a statement has what was spent by its time.
        if (row === null || !times.has(change.timestamp)) continue;
        if (changeSince(change.timestamp, row.at + 1n, folded) === null) continue;
        rows.set({ ...row, amount: atLeastZero(row.amount - change.spent) });
      } else {
        const at = changeSince(change.timestamp, row?.at ?? null, folded);
        if (at === null) continue;
        const [kind, owner, spender, token] = keyOf(change);
        const amount = atLeastZero(change.amount);
        rows.set({ kind, owner, spender, token, amount, granted: change.granted, at });
      }
    }
  },

  rebuild: { replaced: ['allowance'] },
};

function keyOf({ kind, owner, spender, token }: Allowance): readonly [bigint, bigint, bigint, bigint] {
  return [ALLOWANCE_KIND[kind], owner, spender, token ?? HBAR];
}

/** More can be used than is known to be left where units are missing. */
function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

/** The three lists show objects of different members. */
function readLine(line: FixtureObject, id: ReturnType<typeof idIn>, since: bigint): AllowanceGrant {
  const parties = {
    is: 'grant',
    owner: required(line, 'owner', id),
    spender: required(line, 'spender', id),
    timestamp: consensusTimestamp(since),
  } as const;
  const isForAll = flag(line, 'approved_for_all');
  if (isForAll !== null) {
    const amount = isForAll ? 1n : 0n;
    return { ...parties, kind: 'nft', token: required(line, 'token_id', id), granted: amount, amount };
  }
  const token = id(line, 'token_id');
  const amount = required(line, 'amount', integer);
  const granted = integer(line, 'amount_granted') ?? amount;
  return { ...parties, kind: token === null ? 'hbar' : 'token', token, granted, amount };
}
