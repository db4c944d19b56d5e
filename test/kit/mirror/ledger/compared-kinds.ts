import type { ColumnValue } from '../../../../src/values/stored-tables.ts';
import type { NaiveLedger } from './naive-ledger.ts';
import type { NaiveStake } from './naive-stakes.ts';

type StoredRow = Readonly<Record<string, ColumnValue>>;
/** What a row is about, and what it says. */
type Figure = readonly [key: string, says: string];

/** Rows of a table beside the same figures of the naive replay. */
export interface ComparedKind {
  readonly name: string;
  readonly table: string;
  /** Null for a row that tells nothing which the replay knows. */
  readonly stored: (row: StoredRow) => Figure | null;
  readonly replayed: (ledger: NaiveLedger) => readonly Figure[];
}

const FREEZE = [null, 'FROZEN', 'UNFROZEN'];
const ALL_NFTS = 2n;
const AIRDROP_STATE = ['pending', 'cancelled', 'claimed'];
const KYC = [null, 'GRANTED', 'REVOKED'];

/** Every kind of row that the replay knows. */
export const COMPARED_KINDS: readonly ComparedKind[] = [
  {
    name: 'balances',
    table: 'entity',
    stored: (row) =>
      row['balance'] == null ? null : [`${row['id']}`, says(row['balance'], row['balance_ts'])],
    replayed: ({ hbar }) => [...hbar].map(([num, { at, balance }]) => [`${num}`, says(balance, at)]),
  },
  {
    name: 'rewards',
    table: 'staking_reward',
    stored: (row) => [`${row['account_id']} ${row['consensus_ts']} ${row['amount']}`, ''],
    replayed: ({ rewards }) => rewards.map((reward) => [reward, '']),
  },
  {
    name: 'relations',
    table: 'token_balance',
    stored: (row) => [
      `${row['account_id']}/${row['token_id']}`,
      says(
        // Nothing is left of what was given up.
        row['balance'] ?? 0n,
        row['associated'] === 1n,
        row['automatic'] === 1n,
        row['created_ts'],
        FREEZE[Number(row['freeze_status'] ?? 0n)],
        KYC[Number(row['kyc_status'] ?? 0n)],
      ),
    ],
    replayed: ({ tokens }) =>
      [...tokens.relations].map(([key, { balance, created, freeze, isAssociated, isAutomatic, kyc }]) => [
        key,
        says(balance, isAssociated, isAutomatic, created, freeze, kyc),
      ]),
  },
  {
    name: 'tokens',
    table: 'token',
    stored: (row) => [
      `${row['token_id']}`,
      says(
        row['total_supply'],
        row['kind'] === 'NON_FUNGIBLE_UNIQUE',
        row['name'],
        row['symbol'],
        row['decimals'],
        row['treasury'],
        row['created_ts'],
        row['lower_ts'],
        unlessNotApplicable(row['pause_status']),
        row['freeze_key'] !== null,
        row['kyc_key'] !== null,
      ),
    ],
    replayed: ({ tokens }) =>
      [...tokens.tokens].map(([num, token]) => [
        `${num}`,
        says(
          token.supply,
          token.isUnique,
          token.name,
          token.symbol,
          token.decimals,
          token.treasury,
          token.created,
          token.lower,
          token.pause,
          token.hasFreezeKey,
          token.hasKycKey,
        ),
      ]),
  },
  {
    name: 'custom fees',
    table: 'custom_fee',
    stored: (row) => [`${row['entity_id']}@${row['lower_ts']}`, says(row['fee_count'])],
    replayed: ({ tokens }) => [...tokens.fees].map(([key, count]) => [key, says(BigInt(count))]),
  },
  {
    name: 'NFTs',
    table: 'nft',
    stored: (row) => [
      `${row['token_id']}/${row['serial_number']}`,
      says(
        row['account_id'],
        row['spender'],
        row['delegating_spender'],
        row['created_ts'],
        row['changed_ts'],
        row['deleted'] === 1n,
        row['metadata'],
      ),
    ],
    replayed: ({ tokens }) =>
      [...tokens.nfts].map(([key, nft]) => [
        key,
        says(nft.account, nft.spender, nft.delegating, nft.created, nft.lower, nft.isDeleted, nft.metadata),
      ]),
  },
  {
    name: 'times of NFTs',
    table: 'nft_event',
    stored: (row) => [`${row['token_id']}/${row['serial_number']}@${row['consensus_ts']}`, ''],
    replayed: ({ tokens }) => [...tokens.nftTimes].map((time) => [time, '']),
  },
  {
    name: 'allowances',
    table: 'allowance',
    stored: (row) =>
      row['kind'] === ALL_NFTS
        ? null
        : [
            `${row['owner_id']}/${row['spender_id']}/${row['token_id']}`,
            says(row['amount'], row['amount_granted'], row['lower_ts']),
          ],
    replayed: ({ approvals }) =>
      [...approvals.allowances].map(([key, { granted, left, lower }]) => [key, says(left, granted, lower)]),
  },
  {
    name: 'approvals for all NFTs',
    table: 'allowance',
    stored: (row) =>
      row['kind'] === ALL_NFTS
        ? [
            `${row['owner_id']}/${row['spender_id']}/${row['token_id']}`,
            says(row['amount'] === 1n, row['lower_ts']),
          ]
        : null,
    replayed: ({ approvals }) =>
      [...approvals.forAll].map(([key, { isInForce, lower }]) => [key, says(isInForce, lower)]),
  },
  {
    name: 'airdrops',
    table: 'airdrop',
    stored: (row) => [
      `${row['sender_id']}/${row['receiver_id']}/${row['token_id']}/${row['serial_number']}`,
      says(AIRDROP_STATE[Number(row['state'])], row['amount'], row['lower_ts']),
    ],
    replayed: ({ approvals }) =>
      [...approvals.airdrops].map(([key, { amount, lower, state }]) => [key, says(state, amount, lower)]),
  },
  {
    name: 'messages',
    table: 'topic_message',
    stored: (row) => [
      `${row['topic_id']}/${row['sequence_number']}`,
      says(
        row['consensus_ts'],
        row['payer'],
        row['message'],
        row['running_hash'],
        row['chunk_num'],
        row['chunk_total'],
      ),
    ],
    replayed: ({ services }) =>
      [...services.messages].map(([at, { chunk, message, payer, runningHash, sequence, topic }]) => [
        `${topic}/${sequence}`,
        says(at, payer, message, runningHash, chunk?.number, chunk?.total),
      ]),
  },
  {
    name: 'schedules',
    table: 'schedule',
    stored: (row) => [
      `${row['schedule_id']}`,
      says(
        row['creator'],
        row['payer'],
        row['consensus_ts'],
        row['wait_for_expiry'] === 1n,
        row['expiration_ts'],
        row['executed_ts'],
      ),
    ],
    replayed: ({ services }) =>
      [...services.schedules].map(([num, { created, creator, executed, expires, payer, waitsForExpiry }]) => [
        `${num}`,
        says(creator, payer, created, waitsForExpiry, expires, executed),
      ]),
  },
  {
    name: 'signatures',
    table: 'schedule_signature',
    stored: (row) => [
      `${row['schedule_id']} ${hex(row['public_key_prefix'])}`,
      says(row['consensus_ts'], row['signature']),
    ],
    replayed: ({ services }) =>
      [...services.schedules].flatMap(([num, { signatures }]) =>
        [...signatures].map(
          ([prefix, { at, signature }]): Figure => [`${num} ${prefix}`, says(at, signature)],
        ),
      ),
  },
  {
    name: 'stakes',
    table: 'stake_row',
    stored: stakeFigure,
    replayed: ({ stakes }) =>
      [...stakes.rows].flatMap(([num, rows]) => rows.slice(-1).map((row) => replayedStake(num, row))),
  },
  {
    name: 'stakes of periods before',
    table: 'stake_history',
    stored: stakeFigure,
    replayed: ({ stakes }) =>
      [...stakes.rows].flatMap(([num, rows]) => rows.slice(0, -1).map((row) => replayedStake(num, row))),
  },
];

function stakeFigure(row: StoredRow): Figure {
  return [
    `${row['account_id']}@${row['lower_ts']}`,
    says(
      row['end_stake_period'],
      row['staked_node'],
      row['stake_total'],
      row['staked_to_me'],
      row['pending_reward'],
    ),
  ];
}

function replayedStake(account: bigint, { day, lower, node, pending, toMe, total }: NaiveStake): Figure {
  return [`${account}@${lower}`, says(day, node, total, toMe, pending)];
}

function says(...values: readonly (ColumnValue | boolean | undefined)[]): string {
  return values.map((value) => (value instanceof Uint8Array ? hex(value) : String(value ?? '-'))).join(' ');
}

function unlessNotApplicable(status: ColumnValue | undefined): ColumnValue {
  return status === 'NOT_APPLICABLE' ? null : (status ?? null);
}

function hex(value: ColumnValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '';
}
