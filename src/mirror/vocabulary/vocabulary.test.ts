import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sharedPath } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { isSuccess, RESULT, resultName, resultNumber } from './response-codes.ts';
import { TRANSACTION_TYPES, TYPE, transactionTypeName, transactionTypeNumber } from './transaction-types.ts';

interface Named {
  readonly name: string;
  readonly number: number;
}

test('the descriptor has a number for each code that rules name', () => {
  for (const [name, number] of Object.entries(RESULT)) expect(resultNumber(name), name).toBe(number);
  expect(RESULT.SUCCESS).toBe(22);
});

// A member of `TransactionData` that the descriptor spells otherwise would be undefined.
test.each([
  ['CRYPTOTRANSFER', 14],
  ['CONTRACTCALL', 7],
  ['CONTRACTCREATEINSTANCE', 8],
  ['ETHEREUMTRANSACTION', 50],
  ['FILEAPPEND', 16],
  ['FILECREATE', 17],
  ['FILEUPDATE', 19],
] as const)('the type %s has the number %i', (name, number) => {
  expect(TYPE[name]).toBe(number);
  expect(transactionTypeName(number)).toBe(name);
});

describeShared('the vocabulary of the descriptor', () => {
  const tableOf = (file: string) =>
    JSON.parse(readFileSync(sharedPath('contracts', 'data', file), 'utf8')) as {
      readonly codes: readonly (Named & { readonly success: boolean })[];
      readonly types: readonly (Named & { readonly filterable: boolean })[];
    };

  test('is that of the contract for response codes', () => {
    const { codes } = tableOf('response-codes.json');
    expect(codes.length).toBeGreaterThan(300);
    for (const { name, number, success } of codes) {
      expect([resultName(number), resultNumber(name), isSuccess(number)]).toEqual([name, number, success]);
    }
  });

  test('is that of the contract for transaction types', () => {
    const { types } = tableOf('transaction-types.json');
    expect(TRANSACTION_TYPES).toEqual(
      types.filter(({ filterable }) => filterable).map(({ name, number }) => ({ name, number })),
    );
    for (const { name, number } of TRANSACTION_TYPES) {
      expect([transactionTypeName(number), transactionTypeNumber(name)]).toEqual([name, number]);
    }
  });
});
