import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { appendTable, column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import {
  base64,
  FixtureFault,
  type FixtureObject,
  flag,
  idIn,
  integer,
  required,
  time,
} from '../../items/fixture-members.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changedUntil, changeSince, placesIn } from '../fold/change-order.ts';
import type { FoldedUnit, FoldState, TouchedKeys } from '../fold/fold-state.ts';
import type { LedgerTransaction, NftTransfer } from '../rows.ts';
import { decodeNfts } from './decode-nfts.ts';
import type { Facet, FixtureContext } from './facet.ts';

const FIRST_NANOSECOND = consensusTimestamp(0n);

/** An NFT as `tokens/{id}/nfts/{serial}` shows it; what is left out has the default of a new one. */
function readNft(line: FixtureObject, { home }: FixtureContext) {
  const id = idIn(home);
  const serial = required(line, 'serial_number', integer);
  if (serial < 1n) throw new FixtureFault(`"serial_number" must be 1 or more, not ${serial}`);
  const createdTimestamp = time(line, 'created_timestamp');
  return {
    kind: 'statement' as const,
    token: required(line, 'token_id', id),
    serial,
    account: id(line, 'account_id'),
    spender: id(line, 'spender'),
    delegatingSpender: id(line, 'delegating_spender'),
    createdTimestamp,
    changedTimestamp: time(line, 'modified_timestamp') ?? createdTimestamp ?? FIRST_NANOSECOND,
    isDeleted: flag(line, 'deleted') ?? false,
    metadata: base64(line, 'metadata'),
  };
}

/** An NFT as a fixture states it, from a time on. */
export type NftStatement = Readonly<ReturnType<typeof readNft>>;

/** What a transaction changes of an NFT beside moving it; undefined members leave what is stored. */
export interface NftChange {
  readonly kind: 'change';
  readonly token: EntityId;
  readonly serial: bigint;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly isCreated?: boolean;
  readonly isDeleted?: boolean;
  readonly account?: EntityId | null;
  readonly spender?: EntityId | null;
  readonly delegatingSpender?: EntityId | null;
  readonly metadata?: Uint8Array;
}

type NftMembers = Partial<Omit<NftRow, 'token' | 'serial' | 'changed'>>;

const NFT = stateTable(
  'nft',
  { token: 'token_id', serial: 'serial_number' },
  {
    account: column<bigint | null>('account_id'),
    spender: column<bigint | null>('spender'),
    delegatingSpender: column<bigint | null>('delegating_spender'),
    created: column<bigint | null>('created_ts'),
    changed: column<bigint>('changed_ts'),
    deleted: column<bigint>('deleted'),
    metadata: column<Uint8Array | null>('metadata'),
  },
);
type NftRow = RowOf<typeof NFT>;
const NFT_EVENT = appendTable('nft_event', 3, ['token_id', 'serial_number', 'consensus_ts']);
/** The serial number of a row that moves all NFTs to another treasury. */
const ALL_SERIALS = -1n;
const UNAPPROVED = { spender: null, delegatingSpender: null } as const;

/**
 * NFTs as they are now, and the times at which each changed. Rows are in the order of the transactions.
 *
 * A serial that was minted before the imported part has a row from its first change on, without creation. Changes at
 * one time are one change.
 *
 * @see contracts/mirror-entities.md sections 11.2, 11.4 and 11.5
 */
export const nfts: Facet<'nfts', NftChange | NftStatement> = {
  name: 'nfts',
  decode: decodeNfts,
  fixture: { kind: 'nft', read: (line, context) => ({ rows: [readNft(line, context)] }) },

  touch({ nfts: told, transactions }, keys) {
    for (const { serial, token } of told) keys.add(NFT, token, serial);
    for (const { nftTransfers } of transactions) if (nftTransfers.length > 0) touchMoved(nftTransfers, keys);
  },

  fold(folded, state) {
    const steps = new Steps(folded, state);
    for (const transaction of folded.added) {
      steps.until(transaction.consensusTimestamp);
      if (transaction.nftTransfers.length > 0) move(transaction, folded, state);
    }
    steps.until(null);
  },

  rebuild: { replaced: ['nft', 'nft_event'] },
  retired: ['nft_event'],
};

type Told = NftChange | NftStatement;

/** Lets what was told take effect at its place, before the transfers of the same transaction. */
class Steps {
  readonly #told: readonly Told[];
  readonly #placeOf: (time: bigint) => bigint;
  readonly #folded: FoldedUnit;
  readonly #state: FoldState;
  #next = 0;

  constructor(folded: FoldedUnit, state: FoldState) {
    const { nfts: told } = folded.unit;
    this.#placeOf = placesIn(folded.unit);
    this.#told = told.length < 2 ? told : [...told].sort((one, other) => this.#compare(one, other));
    this.#folded = folded;
    this.#state = state;
  }

  /** @param time of the transaction whose transfers follow; null after the last */
  until(time: bigint | null): void {
    for (let each = this.#told[this.#next]; each !== undefined; each = this.#told[++this.#next]) {
      if (time !== null && !this.#isDue(each, this.#placeOf(time))) return;
      if (each.kind === 'change') change(each, this.#folded, this.#state);
      else declare(each, this.#folded, this.#state);
    }
  }

  /** A statement tells what held after its time. */
  #isDue(told: Told, end: bigint): boolean {
    const place = this.#placeOf(timeOf(told));
    return place < end || (place === end && told.kind === 'change');
  }

  #compare(one: Told, other: Told): number {
    const [first, second] = [this.#placeOf(timeOf(one)), this.#placeOf(timeOf(other))];
    if (first !== second) return first < second ? -1 : 1;
    return Number(one.kind === 'statement') - Number(other.kind === 'statement');
  }
}

function timeOf(told: Told): bigint {
  return told.kind === 'change' ? told.consensusTimestamp : told.changedTimestamp;
}

function touchMoved(nftTransfers: readonly NftTransfer[], keys: TouchedKeys): void {
  for (const { serial, token } of nftTransfers) if (serial > 0n) keys.add(NFT, token, serial);
}

function move(transaction: LedgerTransaction, folded: FoldedUnit, state: FoldState): void {
  const { consensusTimestamp: at, nftTransfers, type } = transaction;
  const ofTreasury = nftTransfers.find(({ receiver, serial }) => serial === ALL_SERIALS && receiver !== null);
  if (ofTreasury !== undefined) {
    changeAll(ofTreasury, at, { account: ofTreasury.receiver, ...UNAPPROVED }, folded, state);
    return;
  }
  for (const transfer of nftTransfers) {
    const { receiver, sender, serial, token } = transfer;
    if (serial <= 0n) {
      // The number of NFTs that an account had of a deleted token, which it gave up.
      if (type === TYPE.TOKENDISSOCIATE)
        changeAll(transfer, at, { account: null, deleted: 1n, ...UNAPPROVED }, folded, state);
    } else if (receiver !== null) {
      const created = sender === null && type === TYPE.TOKENMINT ? { created: at } : {};
      set({ token, serial, at }, { account: receiver, ...UNAPPROVED, ...created }, folded, state);
    } else if (type === TYPE.TOKENBURN || type === TYPE.TOKENWIPE) {
      set({ token, serial, at }, { account: null, deleted: 1n }, folded, state);
    }
  }
}

function change(told: NftChange, folded: FoldedUnit, state: FoldState): void {
  const { consensusTimestamp: at, isCreated, isDeleted, kind: _, serial, token, ...members } = told;
  const created = isCreated === true ? { created: at } : {};
  const deleted = isDeleted === undefined ? {} : { deleted: isDeleted ? 1n : 0n };
  set({ token, serial, at }, { ...members, ...created, ...deleted }, folded, state);
}

/** A change that does not count is only noted. */
function set(
  { at, serial, token }: { readonly token: bigint; readonly serial: bigint; readonly at: bigint },
  members: NftMembers,
  folded: FoldedUnit,
  state: FoldState,
): void {
  const rows = state.rows(NFT);
  const row = rows.get(token, serial) ?? { ...UNKNOWN, token, serial };
  state.append(NFT_EVENT, [token, serial, at]);
  // A spread of so many members takes ten times as long.
  const changed = changeSince(at, row.changed, folded);
  if (changed !== null) rows.set(Object.assign({ ...row }, members, { changed }));
}

const UNKNOWN = {
  account: null,
  ...UNAPPROVED,
  created: null,
  changed: -1n,
  deleted: 0n,
  metadata: null,
} as const;

function declare(told: NftStatement, folded: FoldedUnit, state: FoldState): void {
  const { changedTimestamp: at, createdTimestamp, isDeleted, kind: _, serial, token, ...members } = told;
  const deleted = isDeleted ? 1n : 0n;
  set({ token, serial, at }, { ...members, created: createdTimestamp, deleted }, folded, state);
}

/** Changes all NFTs of a token that the sender has: nobody names their serials. */
function changeAll(
  { sender, token }: NftTransfer,
  at: bigint,
  members: { readonly account: bigint | null; readonly deleted?: bigint } & typeof UNAPPROVED,
  folded: FoldedUnit,
  state: FoldState,
): void {
  if (sender === null) return;
  const { account } = members;
  const until = changedUntil(at, folded);
  state.change({ name: 'note-nfts', values: [at, sender, token, until] }, NFT);
  if (account === null) state.change({ name: 'drop-nfts', values: [at, at, sender, token, until] }, NFT);
  else state.change({ name: 'move-nfts', values: [account, at, at, sender, token, until] }, NFT);
  state.rows(NFT).setAll((row) => {
    const isMeant = row.account === sender && row.token === token && row.changed <= until;
    return isMeant ? { ...row, ...members, changed: row.changed > at ? row.changed : at } : row;
  });
}
