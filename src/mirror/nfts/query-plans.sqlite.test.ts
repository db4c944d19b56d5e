import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { createNftRepository } from './nft-repository.sql.ts';

test('no question about NFTs walks a table', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (spied) => createNftRepository(sqliteSql(spied)));
  expect(plans.length).toBeGreaterThan(10);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    for (const step of steps)
      expect(step, sql).toMatch(
        /^(SEARCH |SCAN \w+ VIRTUAL|LIST SUBQUERY|CREATE BLOOM|(CORRELATED )?SCALAR|(CO-ROUTINE|SCAN) (each|looked)$|SETUP|RECURSIVE)/,
      );
  }
  database.close();
});

test('pages of an account, also of one token, are bounded by token and serial number on both sides', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (spied) => createNftRepository(sqliteSql(spied)));
  const pages = plans.filter(({ sql }) => sql.includes('(n.token_id, n.serial_number)'));
  expect(pages).toHaveLength(6);
  for (const { sql, steps } of pages) {
    expect(steps.join(' / '), sql).toMatch(
      /INDEX nft_by_\w+ \(account_id=\? AND \(token_id,serial_number\)>\(\?,\?\) AND \(token_id,serial_number\)<\(\?,\?\)\)/,
    );
  }
  database.close();
});
