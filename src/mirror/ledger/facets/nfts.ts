import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { FoldState } from '../fold/fold-state.ts';
import { appendTable, stateTable } from '../fold/tables.ts';
import type { TouchedKeys } from '../fold/touched-keys.ts';
import type { LedgerTransaction, NftTransfer } from '../rows.ts';
import { decodeNfts } from './decode-nfts.ts';
import type { Facet } from './facet.ts';
import { nftLine } from './read-nft-line.ts';

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

/** An NFT as a fixture states it, from a time on. */
export interface NftStatement {
  readonly kind: 'statement';
  readonly token: EntityId;
  readonly serial: bigint;
  readonly account: EntityId | null;
  readonly spender: EntityId | null;
  readonly delegatingSpender: EntityId | null;
  readonly createdTimestamp: ConsensusTimestamp | null;
  readonly changedTimestamp: ConsensusTimestamp;
  readonly isDeleted: boolean;
  readonly metadata: Uint8Array | null;
}

declare module '../rows.ts' {
  interface FacetRows {
    /** In the order of the transactions. */
    readonly nfts: readonly (NftChange | NftStatement)[];
  }
}

interface NftRow {
  readonly token: bigint;
  readonly serial: bigint;
  readonly account: bigint | null;
  readonly spender: bigint | null;
  readonly delegatingSpender: bigint | null;
  readonly created: bigint | null;
  readonly changed: bigint;
  readonly deleted: bigint;
  readonly metadata: Uint8Array | null;
}

type NftMembers = Partial<Omit<NftRow, 'token' | 'serial' | 'changed'>>;

const NFT = stateTable<NftRow>(
  'nft',
  { token: 'token_id', serial: 'serial_number' },
  {
    account: 'account_id',
    spender: 'spender',
    delegatingSpender: 'delegating_spender',
    created: 'created_ts',
    changed: 'changed_ts',
    deleted: 'deleted',
    metadata: 'metadata',
  },
);
const NFT_EVENT = appendTable('nft_event', 3, ['token_id', 'serial_number', 'consensus_ts']);
/** The serial number of a row that moves all NFTs to another treasury. */
const ALL_SERIALS = -1n;
const UNAPPROVED = { spender: null, delegatingSpender: null } as const;

/**
 * NFTs as they are now, and the times at which each changed.
 *
 * A serial that was minted before the imported part has a row from its first change on, without creation. Changes at
 * one time are one change, and what is older than the row changes nothing.
 *
 * @see contracts/mirror-entities.md sections 11.2, 11.4 and 11.5
 */
export const nfts: Facet<'nfts'> = {
  name: 'nfts',
  decode: decodeNfts,
  fixture: nftLine,

  touch({ nfts: told, transactions }, keys) {
    for (const { serial, token } of told) keys.add(NFT, token, serial);
    for (const { nftTransfers } of transactions) if (nftTransfers.length > 0) touchMoved(nftTransfers, keys);
  },

  fold({ added, unit }, state) {
    const steps = new Steps(unit.nfts, state);
    for (const transaction of added) {
      steps.until(transaction.consensusTimestamp);
      if (transaction.nftTransfers.length > 0) move(transaction, state);
    }
    steps.until(null);
  },

  rebuild: { replaced: ['nft', 'nft_event'] },
  retired: ['nft_event'],
};

type Told = NftChange | NftStatement;

/** Lets what was told take effect at its time, before the transfers of the same transaction. */
class Steps {
  readonly #told: readonly Told[];
  readonly #state: FoldState;
  #next = 0;

  constructor(told: readonly Told[], state: FoldState) {
    this.#told = told.length < 2 ? told : [...told].sort(compareSteps);
    this.#state = state;
  }

  /** @param time of the transaction whose transfers follow; null after the last */
  until(time: bigint | null): void {
    for (let each = this.#told[this.#next]; each !== undefined; each = this.#told[++this.#next]) {
      // A statement tells what held after its time.
      const isDue = time === null || timeOf(each) < time || (timeOf(each) === time && each.kind === 'change');
      if (!isDue) return;
      if (each.kind === 'change') change(each, this.#state);
      else declare(each, this.#state);
    }
  }
}

function compareSteps(one: Told, other: Told): number {
  if (timeOf(one) !== timeOf(other)) return timeOf(one) < timeOf(other) ? -1 : 1;
  return Number(one.kind === 'statement') - Number(other.kind === 'statement');
}

function timeOf(told: Told): bigint {
  return told.kind === 'change' ? told.consensusTimestamp : told.changedTimestamp;
}

function touchMoved(nftTransfers: readonly NftTransfer[], keys: TouchedKeys): void {
  for (const { serial, token } of nftTransfers) if (serial > 0n) keys.add(NFT, token, serial);
}

function move({ consensusTimestamp: at, nftTransfers, type }: LedgerTransaction, state: FoldState): void {
  const ofTreasury = nftTransfers.find(({ receiver, serial }) => serial === ALL_SERIALS && receiver !== null);
  if (ofTreasury !== undefined) {
    changeAll(ofTreasury, at, { account: ofTreasury.receiver, ...UNAPPROVED }, state);
    return;
  }
  for (const transfer of nftTransfers) {
    const { receiver, sender, serial, token } = transfer;
    if (serial <= 0n) {
      // The number of NFTs that an account had of a deleted token, which it gave up.
      if (type === TYPE.TOKENDISSOCIATE)
        changeAll(transfer, at, { account: null, deleted: 1n, ...UNAPPROVED }, state);
    } else if (receiver !== null) {
      const created = sender === null && type === TYPE.TOKENMINT ? { created: at } : {};
      set(token, serial, at, { account: receiver, ...UNAPPROVED, ...created }, state);
    } else if (type === TYPE.TOKENBURN || type === TYPE.TOKENWIPE) {
      set(token, serial, at, { account: null, deleted: 1n }, state);
    }
  }
}

function change(told: NftChange, state: FoldState): void {
  const {
    account,
    consensusTimestamp: at,
    delegatingSpender,
    isCreated,
    isDeleted,
    metadata,
    spender,
  } = told;
  set(
    told.token,
    told.serial,
    at,
    {
      ...(isCreated === true ? { created: at } : {}),
      ...(isDeleted === undefined ? {} : { deleted: isDeleted ? 1n : 0n }),
      ...(account === undefined ? {} : { account }),
      ...(spender === undefined ? {} : { spender }),
      ...(delegatingSpender === undefined ? {} : { delegatingSpender }),
      ...(metadata === undefined ? {} : { metadata }),
    },
    state,
  );
}

/** A change that is older than the row is only noted. */
function set(token: bigint, serial: bigint, at: bigint, members: NftMembers, state: FoldState): void {
  const rows = state.rows(NFT);
  const row = rows.get(token, serial) ?? { ...UNKNOWN, token, serial };
  state.append(NFT_EVENT, [token, serial, at]);
  // A spread of so many members takes ten times as long.
  if (row.changed <= at) rows.set(Object.assign({ ...row }, members, { changed: at }));
}

const UNKNOWN = {
  account: null,
  ...UNAPPROVED,
  created: null,
  changed: -1n,
  deleted: 0n,
  metadata: null,
} as const;

function declare(told: NftStatement, state: FoldState): void {
  const { changedTimestamp: changed, serial, token } = told;
  set(
    token,
    serial,
    changed,
    {
      account: told.account,
      spender: told.spender,
      delegatingSpender: told.delegatingSpender,
      created: told.createdTimestamp,
      deleted: told.isDeleted ? 1n : 0n,
      metadata: told.metadata,
    },
    state,
  );
}

/** Changes all NFTs of a token that the sender has: nobody names their serials. */
function changeAll(
  { sender, token }: NftTransfer,
  at: bigint,
  members: { readonly account: bigint | null; readonly deleted?: bigint } & typeof UNAPPROVED,
  state: FoldState,
): void {
  if (sender === null) return;
  const { account } = members;
  state.change({ name: 'note-nfts', values: [at, sender, token, at] }, NFT);
  if (account === null) state.change({ name: 'drop-nfts', values: [at, sender, token, at] }, NFT);
  else state.change({ name: 'move-nfts', values: [account, at, sender, token, at] }, NFT);
  state.rows(NFT).setAll((row) => {
    const isMeant = row.account === sender && row.token === token && row.changed <= at;
    return isMeant ? { ...row, ...members, changed: at } : row;
  });
}
