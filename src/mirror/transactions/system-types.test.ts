import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
const NAMED: readonly (readonly [type: number, name: string])[] = [
  [65, 'STATESIGNATURETRANSACTION'],
  [66, 'HINTSPREPROCESSINGVOTE'],
  [67, 'HINTSKEYPUBLICATION'],
  [68, 'HINTSPARTIALSIGNATURE'],
  [69, 'HISTORYPROOFSIGNATURE'],
  [70, 'HISTORYPROOFKEYPUBLICATION'],
  [71, 'HISTORYPROOFVOTE'],
  [72, 'CRSPUBLICATION'],
  [81, 'MIGRATIONROOTHASHVOTE'],
];
/** Hook dispatches have no name, as kinds that are not known yet. */
const UNNAMED = [76, 117, 127];

let mirror: MirrorApp;
beforeAll(async () => {
  mirror = await buildMirrorApp();
  const types = [...NAMED.map(([type]) => type), ...UNNAMED];
  const transactions = types.map((type) => aTransaction(START + BigInt(type), { type }));
  await mirror.area.ledger.commitUnit(fixtureUnit('a', { transactions }));
});
afterAll(() => mirror.close());

const namesOf = async (query: string) => {
  const answer = await mirror.app.inject(`/api/v1/transactions?order=asc${query}`);
  const { transactions } = answer.json() as { readonly transactions: readonly { readonly name: string }[] };
  return transactions.map(({ name }) => name);
};

/** @see contracts/mirror-transactions.md sections 2, 3.1 and 9 */
test('what nodes send each other has names, other kinds are unknown', async () => {
  const found = await namesOf('');
  const names = new Map<number, string>(NAMED);
  const types = [...names.keys(), ...UNNAMED].sort((one, other) => one - other);
  expect(found).toEqual(types.map((type) => names.get(type) ?? 'UNKNOWN'));
});

test.each(NAMED)('type %i is selected by the name that its rows print: %s', async (_type, name) => {
  expect(await namesOf(`&transactiontype=${name.toLowerCase()}`)).toEqual([name]);
});
