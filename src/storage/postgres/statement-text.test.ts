import { expect, test } from 'vitest';
import { statementText } from './postgres-sql.ts';

test.each([
  ['select ? from t where a = ?', 'select $1 from t where a = $2', null],
  ['select \'?\', "@b", ?::bigint -- ?', 'select \'?\', "@b", $1::bigint -- ?', null],
  ['select @until, @at where x < @until', 'select $1, $2 where x < $1', ['until', 'at']],
  ['SELECT lease_owner AS leaseOwner', 'SELECT lease_owner AS "leaseOwner"', null],
  ["values ('@at', @atTime)", "values ('@at', $1)", ['atTime']],
])('%s', (text, translated, names) => {
  expect(statementText(text)).toEqual({ text: translated, names });
});
