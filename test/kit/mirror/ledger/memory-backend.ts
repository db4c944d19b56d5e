import type { LedgerBackend } from '../../../../src/mirror/ledger/commit/ledger-backend.ts';
import type { SetChange } from '../../../../src/mirror/ledger/fold/fold-state.ts';
import type { UnitHeader } from '../../../../src/mirror/ledger/rows.ts';
import { bareHex } from '../../../../src/values/hex.ts';
import type { Columns, ColumnValue, Load, Rows, Table } from '../../../../src/values/stored-tables.ts';
import { answer } from '../../../../src/values/work.ts';
import { endPeriodInMemory } from './end-period-in-memory.ts';

type MemoryRow = Record<string, ColumnValue>;

/** A ledger in maps, which counts the calls of a commit. */
export interface MemoryBackend extends LedgerBackend {
  /** Calls so far. */
  readonly calls: number;
  /** All rows of every table as text, ordered: equal texts are equal ledgers. */
  dump(): string;
  /** Names of the tables that have rows. */
  tables(): readonly string[];
  rows(table: string): readonly Readonly<MemoryRow>[];
}

const SUCCESSOR_OF_LAST_UNNUMBERED_VERSION = 6n;
const UNAPPROVED = { spender: null, delegating_spender: null };

export function memoryBackend(): MemoryBackend {
  const tables = new Map<string, Map<string, MemoryRow>>();
  let calls = 0;
  const rowsOf = (name: string): Map<string, MemoryRow> => {
    const found = tables.get(name) ?? new Map<string, MemoryRow>();
    tables.set(name, found);
    return found;
  };
  const each = (name: string) => [...rowsOf(name).values()];
  const newest = (rows: readonly MemoryRow[], column: string): MemoryRow | null =>
    rows.reduce<MemoryRow | null>(
      (best, row) => (best === null || int(row[column]) > int(best[column]) ? row : best),
      null,
    );
  const copyTo = (from: MemoryRow[], name: string, key: readonly string[], at: bigint) => {
    for (const row of from) {
      const copy: MemoryRow = { ...row, consensus_ts: at };
      rowsOf(name).set(keyText(key.map((column) => copy[column] ?? null)), copy);
    }
  };
  const copyHbar = (isCopied: (row: MemoryRow) => boolean, at: bigint) =>
    copyTo(
      each('entity')
        .filter((row) => isKnown(row['balance']) && isCopied(row))
        .map(({ balance = null, id = null }) => ({ account_id: id, balance })),
      'balance_snapshot',
      ['account_id', 'consensus_ts'],
      at,
    );
  const copyTokens = (isCopied: (row: MemoryRow) => boolean, at: bigint) =>
    copyTo(
      each('token_balance')
        .filter((row) => isKnown(row['balance_ts']) && isCopied(row))
        .map(({ account_id = null, balance = null, token_id = null }) => ({ account_id, token_id, balance })),
      'token_balance_snapshot',
      ['account_id', 'token_id', 'consensus_ts'],
      at,
    );
  const isDeleted = (id: ColumnValue) =>
    int(rowsOf('entity_settings').get(keyText([id]))?.['deleted'] ?? null) === 1n;
  const ofBook = (name: string, file: bigint, start: bigint) =>
    [...rowsOf(name)].filter(([, row]) => row['file_id'] === file && row['start_ts'] === start);
  const isTold = (file: bigint, start: bigint) =>
    ofBook('address_book', file, start).some(([, row]) => int(row['is_told']) === 1n);
  const dropBook = (name: string, file: bigint, start: bigint) => {
    for (const [key] of ofBook(name, file, start)) rowsOf(name).delete(key);
  };
  const nftsOf = (account: bigint, token: bigint, at: bigint) =>
    each('nft').filter(
      (row) => row['account_id'] === account && row['token_id'] === token && int(row['changed_ts']) <= at,
    );
  const changes: {
    readonly [Name in Exclude<SetChange['name'], 'end-stake-period'>]: (...values: readonly bigint[]) => void;
  } = {
    'snapshot-balances': (at = 0n, since = 0n) => copyHbar((row) => int(row['balance_ts']) > since, at),
    'snapshot-system-balances': (at = 0n, first = 0n, last = 0n) =>
      copyHbar((row) => int(row['id']) >= first && int(row['id']) <= last, at),
    'snapshot-all-balances': (at = 0n, ended = 0n) =>
      copyHbar((row) => !isDeleted(row['id'] ?? null) || int(row['balance_ts']) > ended, at),
    'snapshot-token-balances': (at = 0n, since = 0n) =>
      copyTokens((row) => int(row['balance_ts']) > since, at),
    'snapshot-all-token-balances': (at = 0n, ended = 0n) =>
      copyTokens((row) => isKnown(row['balance']) || int(row['balance_ts']) > ended, at),
    'mark-snapshot': (at = 0n, _isFull = 0n, knownFrom = 0n) => {
      rowsOf('balance_snapshot_time').set(keyText([at]), {
        consensus_ts: at,
        is_windowed: 1n,
        known_from: knownFrom,
      });
    },
    'forget-balances': () => {
      for (const row of each('entity')) {
        if (isKnown(row['balance'])) Object.assign(row, { balance: null, balance_ts: null });
      }
    },
    'forget-token-balances': () => {
      for (const row of each('token_balance')) Object.assign(row, { balance: null, balance_ts: null });
    },
    'shift-block-numbers': (by = 0n) => {
      for (const row of each('ledger_unit')) {
        const number = row['block_number'] ?? null;
        const isCounted =
          row['kind'] === 'record' && int(row['version']) < SUCCESSOR_OF_LAST_UNNUMBERED_VERSION;
        if (isCounted && number !== null) row['block_number'] = int(number) + by;
      }
    },
    'drop-told-entries': (file = 0n, start = 0n) => {
      if (isTold(file, start)) dropBook('address_book_entry', file, start);
    },
    'drop-told-book': (file = 0n, start = 0n) => {
      if (isTold(file, start)) dropBook('address_book', file, start);
    },
    'mark-rewritten': () => {
      rowsOf('ledger_edition').set('1', { rewrites: BigInt(rowsOf('ledger_edition').size + 1) });
    },
    // It makes none.
    'drop-log-chunks': () => {},
    'note-nfts': (at = 0n, account = 0n, token = 0n) => {
      for (const { serial_number = null } of nftsOf(account, token, at)) {
        const key = [token, serial_number, at];
        rowsOf('nft_event').set(keyText(key), { token_id: token, serial_number, consensus_ts: at });
      }
    },
    'move-nfts': (account_id = 0n, at = 0n, _same = 0n, from = 0n, token = 0n) => {
      for (const row of nftsOf(from, token, at))
        Object.assign(row, { ...UNAPPROVED, account_id, changed_ts: at });
    },
    'drop-nfts': (at = 0n, _same = 0n, from = 0n, token = 0n) => {
      for (const row of nftsOf(from, token, at)) {
        Object.assign(row, { ...UNAPPROVED, account_id: null, deleted: 1n, changed_ts: at });
      }
    },
  };
  const database = {
    end(headers: readonly UnitHeader[]) {
      calls++;
      const stored = new Set(each('ledger_unit').map(({ hash }) => bareHex(hash as Uint8Array)));
      const units = each('ledger_unit');
      const link = newest(
        units.filter(({ kind }) => kind !== 'fixture'),
        'place',
      );
      return {
        stored: new Set(headers.map(({ hash }) => bareHex(hash)).filter((hash) => stored.has(hash))),
        place: (newest(units, 'place')?.['place'] as bigint | undefined) ?? null,
        transaction: (newest(each('tx'), 'consensus_ts')?.['consensus_ts'] as bigint | undefined) ?? null,
        link:
          link === null
            ? null
            : {
                version: Number(link['version']),
                blockNumber: link['block_number'] as bigint | null,
                hash: link['hash'] as Uint8Array,
              },
      };
    },
    load({ keys, match, table }: Load) {
      calls++;
      const rows = rowsOf(table.name);
      const [keyColumn = ''] = table.columns;
      const found =
        match === 'equal'
          ? keys.map((key) => rows.get(keyText(key)))
          : match === 'newest'
            ? keys.map((key) =>
                newest(
                  [...rows.values()].filter((row) =>
                    key.every((part, at) => row[table.columns[at] ?? ''] === part),
                  ),
                  table.columns[key.length] ?? '',
                ),
              )
            : keys.map(([time = 0n]) =>
                newest(
                  [...rows.values()].filter((row) => int(row[keyColumn]) < time),
                  keyColumn,
                ),
              );
      return found.flatMap((row) => (row ? [table.columns.map((column) => row[column] ?? null)] : []));
    },
    store(table: Table, rows: Rows) {
      calls++;
      rows.forEach((columns) => {
        put(rowsOf(table.name), table, columns.map(stored));
      });
    },
    change({ changedLater = new Map(), name, pairs = [], values }: SetChange) {
      calls++;
      if (name === 'end-stake-period') {
        endPeriodInMemory(rowsOf, values, { moved: pairs, changed: changedLater });
        return;
      }
      changes[name](...values);
    },
  };
  return {
    get calls() {
      return calls;
    },
    tables: () => [...tables.keys()],
    rows: each,
    dump: () => tablesText([...tables].map(([name, rows]) => [name, [...rows.values()]])),
    end: (headers) => answer(database.end(headers)),
    load: (load) => answer(database.load(load)),
    store: (table, rows) => answer(database.store(table, rows)),
    change: (change) => answer(database.change(change)),
  };
}

/** All rows as one text; what is null is left out. */
export function tablesText(tables: readonly (readonly [name: string, rows: readonly MemoryRow[]])[]): string {
  return tables
    .filter(([name, rows]) => rows.length > 0 && name !== 'ledger_edition')
    .map(([name, rows]) => `${name}\n${rows.map(rowText).sort().join('\n')}`)
    .sort()
    .join('\n\n');
}

function put(rows: Map<string, MemoryRow>, table: Table, columns: Columns): void {
  const key = keyText(columns.slice(0, table.keyLength));
  const found = rows.get(key);
  if (found !== undefined && table.onConflict === 'keep') return;
  if (found !== undefined && table.onConflict === 'fail') throw new Error(`${table.name}: ${key} is stored`);
  const given = Object.fromEntries(table.columns.map((column, index) => [column, columns[index] ?? null]));
  rows.set(key, { ...found, ...given });
}

/** Databases give every integer back as int64. */
function stored(value: ColumnValue): ColumnValue {
  return typeof value === 'number' ? BigInt(value) : value;
}

function int(value: ColumnValue | undefined): bigint {
  return typeof value === 'bigint' ? value : -1n;
}

function isKnown(value: ColumnValue | undefined): boolean {
  return typeof value === 'bigint';
}

function keyText(key: Columns): string {
  return key.map((value) => valueText(value)).join('/');
}

function rowText(row: MemoryRow): string {
  return Object.keys(row)
    .sort()
    .flatMap((name) => (row[name] === null ? [] : [`${name}=${valueText(row[name])}`]))
    .join(' ');
}

function valueText(value: ColumnValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
