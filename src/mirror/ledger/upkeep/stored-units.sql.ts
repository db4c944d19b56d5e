import type { Sql } from '../../../storage/sql/sql.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { answer, type Work } from '../../../values/work.ts';
import { createLedgerBackend } from '../commit/ledger-backend.sql.ts';
import { storeAll } from '../commit/ledger-backend.ts';
import { transactionStores, unitStores } from '../commit/transaction-tables.ts';
import { gasColumns, typesOf } from '../commit/unit-tables.ts';
import { createRewriteMark } from '../ledger-edition.sql.ts';
import { DROP_LOG_CHUNKS } from '../log-chunks/drop-log-chunks.ts';
import { createUnitSpans } from '../place-of-time.sql.ts';
import type { StatedBalances } from '../rows.ts';
import { unitHeader } from '../unit-row.ts';
import { createTransactionRemover } from './stored-transactions.sql.ts';
import type { StoredItem, StoredUnits } from './stored-units.ts';

interface ItemRow {
  readonly transaction_bytes: Buffer | null;
  readonly record_bytes: Buffer | null;
}

/** First version of record files that carry a block number; it was given to older ones when they were stored. */
const FIRST_NUMBERED_VERSION = 6;

interface StatedRow {
  readonly account_id: bigint;
  readonly token_id: bigint;
  readonly consensus_ts: bigint;
  readonly balance: bigint | null;
}

interface OpeningRow {
  readonly consensus_ts: bigint;
  readonly changes: Buffer;
}

interface SidecarRow {
  readonly id: bigint;
  readonly types: bigint;
  readonly hash: Buffer;
  readonly contents: Buffer | null;
}

/** @param showBytes whether rows written anew answer with `bytes` */
export function createStoredUnits(
  sql: Sql,
  showBytes: boolean,
  beginUpkeep: () => Work<void> = () => answer(undefined),
): StoredUnits {
  const count = sql.prepareValue<[], number>('select count(*) from ledger_unit');
  const next = sql.prepareExact<[bigint], object>(
    'select * from ledger_unit where place > ? order by place limit 1',
  );
  const items = sql.prepare<[bigint, bigint], ItemRow>(
    `select s.transaction_bytes, s.record_bytes from tx t left join tx_source s on s.consensus_ts = t.consensus_ts
     where t.consensus_ts between ? and ? order by t.consensus_ts`,
  );
  const stated = sql.prepareExact<[bigint], StatedRow>('select * from stated_balance where place = ?');
  const opening = sql.prepareExact<[bigint], OpeningRow>(
    'select consensus_ts, changes from opening_state where place = ? order by number',
  );
  const sidecars = sql.prepareExact<[bigint], SidecarRow>(
    'select id, types, hash, contents from sidecar where place = ? order by id',
  );
  const setGas = sql.prepare(
    'update ledger_unit set gas_used = ?, logs_bloom = ?, receipts_root = ? where place = ?',
  );
  const spansOf = createUnitSpans(sql);
  const remover = createTransactionRemover(sql);
  const dropChunks = sql.prepare<[bigint]>(DROP_LOG_CHUNKS.from);
  const backend = createLedgerBackend(sql);
  const markRewritten = createRewriteMark(sql);
  return {
    count: sql.reading(function* () {
      return (yield* count.get()) ?? 0;
    }),
    next: sql.reading(function* (after) {
      const row = yield* next.get(after ?? -1n);
      if (row === undefined) return null;
      const header = unitHeader(row);
      const isCounted = header.kind === 'record' && header.version < FIRST_NUMBERED_VERSION;
      return isCounted ? { ...header, blockNumber: null } : header;
    }),
    items: sql.reading(function* (unit) {
      if (unit.kind === 'fixture') return null;
      const found: StoredItem[] = [];
      for (const span of yield* spansOf(unit)) {
        for (const row of yield* items.all(...span)) {
          if (row.transaction_bytes === null || row.record_bytes === null) return null;
          found.push({ transaction: row.transaction_bytes, record: row.record_bytes });
        }
      }
      return found;
    }),
    sidecars: sql.reading(function* ({ place }) {
      const rows = yield* sidecars.all(place);
      return rows.map(({ types, ...sidecar }) => ({
        ...sidecar,
        id: Number(sidecar.id),
        types: typesOf(types),
      }));
    }),
    statedBalances: sql.reading(function* ({ place }) {
      return statedBalances(yield* stated.all(place));
    }),
    openingState: sql.reading(function* ({ place }) {
      const rows = yield* opening.all(place);
      return rows.map(({ changes, consensus_ts: at }) => ({ timestamp: consensusTimestamp(at), changes }));
    }),
    async rewrite(unit) {
      const { gas, header, transactions } = unit;
      await sql.write(function* () {
        yield* beginUpkeep();
        yield* dropChunks.run(header.consensusStart);
        for (const span of yield* spansOf(header)) yield* remover.remove(...span);
        yield* storeAll(backend, [...transactionStores(transactions, showBytes), ...unitStores([unit])]);
        yield* markRewritten();
        yield* setGas.run(...gasColumns(gas), header.place);
      });
    },
  };
}

function statedBalances(rows: readonly StatedRow[]): StatedBalances {
  const all = rows.map((row) => ({
    account: entityId(row.account_id),
    token: entityId(row.token_id),
    timestamp: consensusTimestamp(row.consensus_ts),
    balance: row.balance,
  }));
  return {
    accountStates: all.flatMap(({ balance, token, ...each }) =>
      token === 0n && balance !== null ? [{ ...each, balance }] : [],
    ),
    tokenStates: all.filter(({ token }) => token !== 0n),
  };
}
