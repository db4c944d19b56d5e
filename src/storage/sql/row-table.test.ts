import { expect, test } from 'vitest';
import type { Hex } from '../../values/hex.ts';
import { flag, hex, int64, json, rowTable, unlessNull } from '../../values/row-table.ts';
import { doNow } from '../../values/work.ts';
import { openDatabase } from '../open-database.ts';
import { insertText, prepareSelect, setText } from './sql.ts';
import { sqliteSql } from './sqlite-sql.ts';

interface Parcel {
  readonly id: string;
  readonly address: Hex;
  readonly sealed: boolean;
  readonly checked: boolean | null;
  readonly weight: number;
  readonly number: bigint;
  readonly labels: readonly string[];
  readonly route: { readonly from: string; readonly to: string | null };
  readonly delivery: { readonly by: string; readonly at: number } | null;
}

const PARCEL = rowTable<Parcel>({
  id: 'id',
  address: hex('parcel.address'),
  sealed: flag('is_sealed'),
  checked: flag('is_checked'),
  weight: 'weight',
  number: int64('parcel.serial AS number'),
  labels: json('labels', []),
  route: { members: { from: 'from_place', to: 'to_place' } },
  delivery: unlessNull('delivered_by', { by: 'delivered_by', at: 'delivered_at' }),
});

const parcel: Parcel = {
  id: 'p',
  address: '0xab01',
  sealed: true,
  checked: null,
  weight: 3,
  number: 2n ** 62n + 1n,
  labels: ['a', 'b'],
  route: { from: 'here', to: null },
  delivery: { by: 'me', at: 7 },
};

test('columns are named as statements select them, and by their names in rows', () => {
  expect(PARCEL.select).toBe(
    'id, parcel.address, is_sealed, is_checked, weight, parcel.serial AS number, labels, from_place, to_place, ' +
      'delivered_by, delivered_at',
  );
  expect(PARCEL.columns).toEqual([
    'id',
    'address',
    'is_sealed',
    'is_checked',
    'weight',
    'number',
    'labels',
    'from_place',
    'to_place',
    'delivered_by',
    'delivered_at',
  ]);
});

test('a record becomes a row of plain values', () => {
  expect(PARCEL.write(parcel)).toEqual({
    id: 'p',
    address: Buffer.from([0xab, 1]),
    is_sealed: 1,
    is_checked: null,
    weight: 3,
    number: 2n ** 62n + 1n,
    labels: '["a","b"]',
    from_place: 'here',
    to_place: null,
    delivered_by: 'me',
    delivered_at: 7,
  });
});

test.each([
  ['full', parcel],
  ['without what may be absent', { ...parcel, labels: [], delivery: null, checked: false }],
])('a row that is %s becomes the same record again', (_, record) => {
  expect(PARCEL.read(PARCEL.write(record))).toEqual(record);
});

test('what is absent is stored as null', () => {
  const row = PARCEL.write({ ...parcel, labels: [], delivery: null });
  expect(row).toMatchObject({ labels: null, delivered_by: null, delivered_at: null });
});

test('numbers stay numbers where a statement has to give bigint', () => {
  const row = { ...PARCEL.write(parcel), is_sealed: 1n, weight: 3n, delivered_at: 7n };
  expect(PARCEL.read(row)).toEqual(parcel);
});

test('a table is a part of another one', () => {
  const numbered = rowTable<{ readonly seq: number; readonly parcel: Parcel }>({
    seq: 'seq',
    parcel: PARCEL,
  });
  expect(numbered.columns).toEqual(['seq', ...PARCEL.columns]);
  expect(numbered.read(numbered.write({ seq: 5, parcel }))).toEqual({ seq: 5, parcel });
});

test('rows go into a database and come back', () => {
  const database = openDatabase(':memory:');
  try {
    database.exec(`CREATE TABLE parcel (${PARCEL.columns.join(', ')})`);
    const sql = sqliteSql(database);
    const select = prepareSelect(
      sql,
      rowTable<Parcel>({ ...PARCEL.members, number: int64('number') }),
      'FROM parcel WHERE id = ?',
    );
    expect(doNow(select.find('p'))).toBeNull();
    doNow(sql.prepare(insertText('parcel', PARCEL.columns)).run(PARCEL.write(parcel)));
    expect(doNow(select.find('p'))).toEqual(parcel);
    const changed = { ...parcel, sealed: false, delivery: null };
    doNow(
      sql.prepare(`UPDATE parcel SET ${setText(PARCEL.columns)} WHERE id = @id`).run(PARCEL.write(changed)),
    );
    expect(doNow(select.all('p'))).toEqual([changed]);
  } finally {
    database.close();
  }
});
