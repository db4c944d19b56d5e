import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { column, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import {
  currentSince,
  type FixtureObject,
  flag,
  idIn,
  integer,
  required,
} from '../../items/fixture-members.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { AccountAmount, AccountId } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changeSince } from '../fold/change-order.ts';
import type { Facet, Note } from './facet.ts';

/** What is approved: an amount of hbar or of a fungible token, or all NFTs of a token. */
type AllowanceKind = 'hbar' | 'token' | 'nft';

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
interface AllowanceDebit extends Allowance {
  readonly is: 'debit';
  /** More than 0. */
  readonly spent: bigint;
}

export type AllowanceChange = AllowanceGrant | AllowanceDebit;

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
const ALLOWANCE_KIND = { hbar: 0n, token: 1n, nft: 2n } as const;
const HBAR = 0n;

/**
 * What owners let others spend, and what is left of it: the newest approval of an owner, spender and token holds.
 * Rows are in the order of the transactions.
 *
 * What is used of an approval that is not known is left out, as is everything before a stated one.
 *
 * @see contracts/mirror-entities.md section 11.6
 */
export const allowances: Facet<'allowances', AllowanceChange> = {
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

const UNKNOWN_PARTY = 'an allowance names its owner or spender by an unknown alias: it is skipped';

/**
 * Approvals and what is used of them, in the order of the items.
 *
 * Spending counts as the body asks for it: the record nets what one account gives and gets.
 *
 * @see contracts/mirror-entities.md section 11.6
 */
function decodeAllowances(
  items: readonly DecodedItem[],
  isSuccessful: (item: DecodedItem) => boolean,
  resolveAt: (item: DecodedItem) => ResolveAlias,
  note: Note,
): readonly AllowanceChange[] {
  const changes: AllowanceChange[] = [];
  for (const item of items) {
    if (item.type === TYPE.CRYPTOTRANSFER) {
      if (!hasApproval(item)) continue;
      const succeeded = isSuccessful(item);
      const resolve = resolveAt(item);
      if (succeeded) changes.push(...hbarDebits(item, resolve, note));
      // This failure keeps its token transfers.
      if (succeeded || item.result === RESULT.FAIL_INVALID) changes.push(...tokenDebits(item, resolve, note));
    } else if (item.type === TYPE.CRYPTOAPPROVEALLOWANCE && isSuccessful(item)) {
      changes.push(...grants(item, resolveAt(item), note));
    }
  }
  return changes;
}

function hasApproval({ body: { cryptoTransfer } }: DecodedItem): boolean {
  if (cryptoTransfer === null) return false;
  const { tokenTransfers, transfers } = cryptoTransfer;
  return (
    (transfers?.accountAmounts.some(isApprovedDebit) ?? false) ||
    tokenTransfers.some((list) => list.transfers.some(isApprovedDebit))
  );
}

function isApprovedDebit({ amount, isApproval }: AccountAmount): boolean {
  return isApproval && amount.isNegative();
}

function hbarDebits(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly AllowanceChange[] {
  const spender = spenderOf(item, resolve);
  const given = item.body.cryptoTransfer?.transfers?.accountAmounts ?? [];
  return given.flatMap((entry) => debit(entry, 'hbar', spender, null, item, resolve, note));
}

function tokenDebits(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly AllowanceChange[] {
  const spender = spenderOf(item, resolve);
  return (item.body.cryptoTransfer?.tokenTransfers ?? []).flatMap((list) => {
    const token = tokenId(list.token);
    if (token === null) return [];
    return list.transfers.flatMap((entry) => debit(entry, 'token', spender, token, item, resolve, note));
  });
}

/** A contract spends for itself: the sender that the EVM saw, whoever pays for the call. */
function spenderOf(item: DecodedItem, resolve: ResolveAlias): EntityId | null {
  const sender = item.record.contractCallResult?.senderId ?? null;
  return sender === null ? payerOf(item, resolve) : accountId(sender, resolve);
}

function debit(
  entry: AccountAmount,
  kind: 'hbar' | 'token',
  spender: EntityId | null,
  token: EntityId | null,
  { consensusTimestamp: timestamp }: DecodedItem,
  resolve: ResolveAlias,
  note: Note,
): readonly AllowanceChange[] {
  if (!isApprovedDebit(entry)) return [];
  const owner = accountId(entry.accountID, resolve);
  if (owner === null || spender === null) {
    note(UNKNOWN_PARTY);
    return [];
  }
  return [{ is: 'debit', kind, owner, spender, token, timestamp, spent: -toBigInt(entry.amount) }];
}

/** Of several entries for one owner, spender and token the last one counts, which follows from their order. */
function grants(item: DecodedItem, resolve: ResolveAlias, note: Note): readonly AllowanceChange[] {
  const body = item.body.cryptoApproveAllowance;
  if (body === null) return [];
  const payer = payerOf(item, resolve);
  const grant = (
    kind: AllowanceGrant['kind'],
    given: { readonly owner: AccountId | null; readonly spender: AccountId | null },
    token: EntityId | null,
    amount: bigint,
  ): readonly AllowanceChange[] => {
    const owner = isEmpty(given.owner) ? payer : accountId(given.owner, resolve);
    const spender = accountId(given.spender, resolve);
    if (owner === null || spender === null) {
      note(UNKNOWN_PARTY);
      return [];
    }
    if ((token === null) !== (kind === 'hbar')) return [];
    return [
      {
        is: 'grant',
        kind,
        owner,
        spender,
        token,
        timestamp: item.consensusTimestamp,
        granted: amount,
        amount,
      },
    ];
  };
  return [
    ...body.cryptoAllowances.flatMap((each) => grant('hbar', each, null, toBigInt(each.amount))),
    ...body.tokenAllowances.flatMap((each) =>
      grant('token', each, tokenId(each.tokenId), toBigInt(each.amount)),
    ),
    ...body.nftAllowances.flatMap((each) =>
      each.approvedForAll === null
        ? []
        : grant('nft', each, tokenId(each.tokenId), each.approvedForAll.value ? 1n : 0n),
    ),
  ];
}

/** An owner that is left out; an alias that nobody has is none. */
function isEmpty(owner: AccountId | null): boolean {
  return owner === null || (owner.account !== 'alias' && accountId(owner) === null);
}

function payerOf({ body, record }: DecodedItem, resolve: ResolveAlias): EntityId | null {
  return accountId(body.transactionID?.accountID ?? record.transactionID?.accountID ?? null, resolve);
}
