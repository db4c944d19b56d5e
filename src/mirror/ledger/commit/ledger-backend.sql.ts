import type { Sql } from '../../../storage/sql/sql.ts';
import { bareHex } from '../../../values/hex.ts';
import type { SnapshotScope } from '../balance-snapshots.ts';
import type { SetChange } from '../fold/fold-state.ts';
import { isJump } from '../is-jump.ts';
import { DROP_LOG_CHUNKS } from '../log-chunks/drop-log-chunks.ts';
import { endStakePeriod } from './end-stake-period.sql.ts';
import type { LedgerBackend } from './ledger-backend.ts';

interface EndRow {
  readonly place: bigint | null;
  readonly transaction: bigint | null;
  readonly version: bigint | null;
  readonly block_number: bigint | null;
  readonly hash: Buffer | null;
}

/** The part of a hash that its index has. */
export const INDEXED_BYTES = 32;
/** SQL: takes that part, and the hash. */
export const UNIT_OF_HASH = 'select 1 from ledger_unit where substr(hash, 1, 32) = ? and hash = ? limit 1';
/** A full snapshot of more takes too long and too much room. */
const MAX_ACCOUNTS = 100_000;
const IS_SMALL = `(select count(*) from (select 1 from entity limit ${MAX_ACCOUNTS + 1}) as counted) <= ${MAX_ACCOUNTS}`;
const OF_HBAR = `on conflict (account_id, consensus_ts) do update set balance = excluded.balance`;
const OF_TOKENS = `on conflict (account_id, token_id, consensus_ts) do update set balance = excluded.balance`;

/** The changes that copy balances; the first value of each is the time of the snapshot. */
function snapshotChanges(scope: SnapshotScope) {
  const isFull = scope === 'full' ? 'true' : IS_SMALL;
  return {
    'snapshot-balances': `insert into balance_snapshot (account_id, consensus_ts, balance)
      select id, cast(? as bigint), balance from entity where balance is not null and balance_ts > ? ${OF_HBAR}`,
    'snapshot-system-balances': `insert into balance_snapshot (account_id, consensus_ts, balance)
      select id, cast(? as bigint), balance from entity where id between ? and ? and balance is not null ${OF_HBAR}`,
    'snapshot-all-balances': `insert into balance_snapshot (account_id, consensus_ts, balance)
      select e.id, cast(? as bigint), e.balance from entity e left join entity_settings s on s.id = e.id
      where e.balance is not null and (s.deleted is distinct from 1 or e.balance_ts > ?) and ${isFull} ${OF_HBAR}`,
    'snapshot-token-balances': `insert into token_balance_snapshot (account_id, token_id, consensus_ts, balance)
      select account_id, token_id, cast(? as bigint), balance from token_balance where balance_ts > ? ${OF_TOKENS}`,
    'snapshot-all-token-balances': `insert into token_balance_snapshot (account_id, token_id, consensus_ts, balance)
      select account_id, token_id, cast(? as bigint), balance from token_balance
      where balance_ts is not null and (balance is not null or balance_ts > ?) and ${isFull} ${OF_TOKENS}`,
    'mark-snapshot': `insert into balance_snapshot_time (consensus_ts, is_windowed, known_from)
      select at, case when is_full = 1 then case when ${isFull} then 1 else 0 end else coalesce((select is_windowed from balance_snapshot_time
        where consensus_ts < at order by consensus_ts desc limit 1), 1) end, known_from
      from (select cast(? as bigint) as at, cast(? as bigint) as is_full, cast(? as bigint) as known_from) given
      where true
      on conflict (consensus_ts) do update set is_windowed = excluded.is_windowed,
        known_from = excluded.known_from`,
  } as const;
}

/** Takes the time of a change twice: times may step back. */
const LATER = 'changed_ts = case when changed_ts > ? then changed_ts else ? end';

const SET_CHANGES: {
  readonly [Name in Exclude<
    SetChange['name'],
    keyof ReturnType<typeof snapshotChanges> | 'end-stake-period'
  >]: string;
} = {
  'forget-balances': 'update entity set balance = null, balance_ts = null where balance is not null',
  'forget-token-balances':
    'update token_balance set balance = null, balance_ts = null where balance_ts is not null',
  'shift-block-numbers': `update ledger_unit set block_number = block_number + ?
    where kind = 'record' and version < 6`,
  'drop-told-entries': `delete from address_book_entry where file_id = ? and start_ts = ?
    and (file_id, start_ts) in (select file_id, start_ts from address_book where is_told = 1)`,
  'drop-told-book': 'delete from address_book where file_id = ? and start_ts = ? and is_told = 1',
  'mark-rewritten': 'update ledger_edition set rewrites = rewrites + 1',
  'drop-log-chunks': DROP_LOG_CHUNKS.from,
  'note-nfts': `insert into nft_event (token_id, serial_number, consensus_ts)
    select token_id, serial_number, cast(? as bigint) from nft where account_id = ? and token_id = ? and changed_ts <= ?
    on conflict (token_id, serial_number, consensus_ts) do nothing`,
  'move-nfts': `update nft set account_id = ?, spender = null, delegating_spender = null, ${LATER}
    where account_id = ? and token_id = ? and changed_ts <= ?`,
  'drop-nfts': `update nft set account_id = null, spender = null, delegating_spender = null, deleted = 1, ${LATER}
    where account_id = ? and token_id = ? and changed_ts <= ?`,
};

/** The calls of a commit as statements; changes are prepared when they are used. */
export function createLedgerBackend(sql: Sql, snapshots: SnapshotScope = 'changed'): LedgerBackend {
  // With a condition on a few kinds PostgreSQL, which has no statistics at first, expects few units and sorts them all.
  const end = sql.prepareExact<[], EndRow>(
    `select (select max(place) from ledger_unit) as place, (select max(consensus_ts) from tx) as "transaction",
       version, block_number, hash
     from (select 1) one left join (select version, block_number, hash from ledger_unit
       where kind <> 'fixture' order by place desc limit 1) newest on true`,
  );
  const isStored = sql.prepare<[Uint8Array, Uint8Array], number>(UNIT_OF_HASH);
  const changes: { readonly [Name in SetChange['name']]?: string } = {
    ...SET_CHANGES,
    ...(snapshots === 'off' ? {} : snapshotChanges(snapshots)),
  };
  return {
    *end(headers) {
      const row = yield* end.get();
      const { hash = null, version = null } = row ?? {};
      const known: string[] = [];
      let expected: Uint8Array | null = hash;
      for (const header of headers) {
        if (header.kind === 'fixture') continue;
        // What follows the end is new: usually nothing needs to be looked up.
        const follows = expected !== null && !isJump(header, expected);
        const indexed = header.hash.subarray(0, INDEXED_BYTES);
        if (follows || (yield* isStored.get(indexed, header.hash)) === undefined) expected = header.hash;
        else known.push(bareHex(header.hash));
      }
      return {
        place: row?.place ?? null,
        stored: new Set(known),
        transaction: row?.transaction ?? null,
        link:
          hash === null || version === null
            ? null
            : { version: Number(version), blockNumber: row?.block_number ?? null, hash },
      };
    },
    load: (wanted) => sql.load(wanted),
    store: (table, rows) => sql.store(table, rows),
    *change({ changedLater = new Map(), name, pairs = [], values }) {
      if (name === 'end-stake-period') {
        const [at = 0n, day = 0n, rewardAccount = 0n] = values;
        yield* endStakePeriod(sql, at, day, rewardAccount, { moved: pairs, changed: changedLater });
        return;
      }
      const text = changes[name];
      if (text !== undefined) yield* sql.prepare(text).run(...values);
    },
  };
}
