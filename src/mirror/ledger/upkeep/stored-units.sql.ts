import { prepareSelect, type Sql } from '../../../storage/sql/sql.ts';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bytes, int64, number, type RecordOf, rowTable } from '../../../values/row-table.ts';
import type { Columns } from '../../../values/stored-tables.ts';
import { answer, type Work } from '../../../values/work.ts';
import { createLedgerBackend } from '../commit/ledger-backend.sql.ts';
import { storeAll } from '../commit/ledger-backend.ts';
import { transactionStores, unitStores } from '../commit/transaction-tables.ts';
import { gasColumns, typesOf } from '../commit/unit-tables.ts';
import type { OpeningState } from '../facets/opening-state.ts';
import { createRewriteMark } from '../ledger-edition.sql.ts';
import { DROP_LOG_CHUNKS } from '../log-chunks/drop-log-chunks.ts';
import { createUnitSpans } from '../place-of-time.sql.ts';
import { type StatedBalances, type StoredUnitHeader, type UnitSidecar, unitHeader } from '../rows.ts';
import { createRowComparison, printRow } from './compare-rows.sql.ts';
import { createTransactionRemover, SEARCHED } from './stored-transactions.sql.ts';
import type { StoredItem, StoredUnit } from './stored-units.ts';

const ITEM = rowTable({
  transaction: bytes<Uint8Array | null>('s.transaction_bytes'),
  record: bytes<Uint8Array | null>('s.record_bytes'),
});

/** First version of record files that carry a block number; it was given to older ones when they were stored. */
const FIRST_NUMBERED_VERSION = 6;

const STATED = rowTable({
  account: int64<EntityId>('account_id'),
  /** 0 for hbar. */
  token: int64<EntityId>('token_id'),
  timestamp: int64<ConsensusTimestamp>('consensus_ts'),
  balance: int64<bigint | null>('balance'),
});
const OPENING = rowTable<OpeningState>({ timestamp: int64('consensus_ts'), changes: bytes('changes') });
const SIDECAR = rowTable<UnitSidecar>({
  id: number('id'),
  types: { column: 'types', isExact: true, fromStored: typesOf },
  hash: bytes('hash'),
  contents: bytes('contents'),
});

/** Units as they are stored, for rebuilding what was derived from them. */
export type StoredUnits = ReturnType<typeof createStoredUnits>;

/** @param showBytes whether rows written anew answer with `bytes` */
export function createStoredUnits(
  sql: Sql,
  showBytes: boolean,
  beginUpkeep: () => Work<void> = () => answer(undefined),
) {
  // Retention deletes their transactions first.
  const isKept = 'place >= coalesce((select deleted_before from ledger_retention), 0)';
  const count = sql.prepareValue<[], number>(`select count(*) from ledger_unit where ${isKept}`);
  const next = sql.prepareExact<[bigint], object>(
    `select * from ledger_unit where place > ? and ${isKept} order by place limit 1`,
  );
  const items = prepareSelect(
    sql,
    ITEM,
    // With the bounds PostgreSQL does not walk the bytes of all transactions.
    `from tx t left join tx_source s on s.consensus_ts = t.consensus_ts and s.consensus_ts between @first and @last
     where t.consensus_ts between @first and @last order by t.consensus_ts`,
  );
  const stated = prepareSelect(sql, STATED, 'from stated_balance where place = ?');
  const opening = prepareSelect(sql, OPENING, 'from opening_state where place = ? order by number');
  const sidecars = prepareSelect(sql, SIDECAR, 'from sidecar where place = ? order by id');
  const setGas = sql.prepare(
    'update ledger_unit set gas_used = ?, logs_bloom = ?, receipts_root = ? where place = ?',
  );
  const readGas = sql.prepareExactColumns<[bigint], Columns>(
    'select gas_used, logs_bloom, receipts_root from ledger_unit where place = ?',
  );
  const areStored = createRowComparison(sql, SEARCHED);
  const spansOf = createUnitSpans(sql);
  const remover = createTransactionRemover(sql);
  const dropChunks = sql.prepare<[bigint]>(DROP_LOG_CHUNKS.from);
  const backend = createLedgerBackend(sql);
  const markRewritten = createRewriteMark(sql);
  return {
    count: sql.reading(function* () {
      return (yield* count.get()) ?? 0;
    }),
    /** The unit behind a place; null behind the last. `after` null: the first of all. */
    next: sql.reading(function* (after: bigint | null) {
      const row = yield* next.get(after ?? -1n);
      if (row === undefined) return null;
      const header = unitHeader(row);
      const isCounted = header.kind === 'record' && header.version < FIRST_NUMBERED_VERSION;
      return isCounted ? { ...header, blockNumber: null } : header;
    }),
    /** In the order of the unit; null when bytes are missing: the rows of a fixture have none. */
    items: sql.reading(function* (unit: StoredUnitHeader) {
      if (unit.kind === 'fixture') return null;
      const found: StoredItem[] = [];
      for (const [first, last] of yield* spansOf(unit)) {
        for (const { record, transaction } of yield* items.all({ first, last })) {
          if (transaction === null || record === null) return null;
          found.push({ transaction, record });
        }
      }
      return found;
    }),
    /** Those that the record file of the unit names, or that its block was told as; in the order of their ids. */
    sidecars: sql.reading(({ place }: StoredUnitHeader) => sidecars.all(place)),
    /** What the unit stated of balances, as far as it took effect. */
    statedBalances: sql.reading(function* ({ place }: StoredUnitHeader) {
      return statedBalances(yield* stated.all(place));
    }),
    /** What the first block of a network stated beside its transactions, in the order of the block. */
    openingState: sql.reading(({ place }: StoredUnitHeader) => opening.all(place)),
    /** The tables in which rows of a unit are not those that its bytes give, in any order. Only reads. */
    differences: sql.reading(function* (unit: StoredUnit) {
      const { gas, header, transactions } = unit;
      const spans = yield* spansOf(header);
      const wrong: string[] = [];
      if (header.count !== transactions.length) wrong.push('ledger_unit');
      else {
        const stored = yield* readGas.get(header.place);
        if (printRow(stored ?? []) !== printRow(gasColumns(gas))) wrong.push('ledger_unit');
      }
      const storesOf = (name: string, hasBytes: boolean) =>
        [...transactionStores(transactions, hasBytes), ...unitStores([unit])].filter(
          ({ table }) => table.name === name,
        );
      const stores = [...transactionStores(transactions, showBytes), ...unitStores([unit])];
      for (const name of new Set(stores.map(({ table }) => table.name))) {
        // Rows keep the setting that they were imported with.
        if (yield* areStored(storesOf(name, showBytes), spans)) continue;
        if (!(yield* areStored(storesOf(name, !showBytes), spans))) wrong.push(name);
      }
      return wrong;
    }),
    /** Writes the transactions of a unit and what was summed up over them anew, in one commit. */
    async rewrite(unit: StoredUnit) {
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

function statedBalances(all: readonly RecordOf<typeof STATED>[]): StatedBalances {
  return {
    accountStates: all.flatMap(({ balance, token, ...each }) =>
      token === 0n && balance !== null ? [{ ...each, balance }] : [],
    ),
    tokenStates: all.filter(({ token }) => token !== 0n),
  };
}
