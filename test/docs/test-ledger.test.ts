import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFixture } from '../../src/mirror/ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { buildMirrorApp, type MirrorApp } from '../kit/mirror/mirror-app.ts';

/** The documented way to make a ledger of lines gives what it says. */
const page = readFileSync(fileURLToPath(new URL('../../docs/test-ledger.md', import.meta.url)), 'utf8');
const HOME = { shard: 0n, realm: 0n };
const read = (lines: string) => readFixture(Buffer.from(lines), 'ledger.ndjson', HOME);

let mirror: MirrorApp;
beforeAll(async () => {
  mirror = await buildMirrorApp();
  const [[, wallet = ''] = [], [, contract = ''] = []] = [...page.matchAll(/```\n(\{[\s\S]*?)```/g)];
  for (const [index, lines] of [wallet, contract].entries()) {
    expect(await mirror.area.ledger.commitUnit(fixtureUnit(`docs ${index}`, read(lines)))).toBe('stored');
  }
});
afterAll(() => mirror.close());

test.each([
  ['accounts/0.0.1001/tokens', { tokens: [{ token_id: '0.0.2001', balance: 100 }, { balance: 1 }] }],
  ['accounts/0.0.1001/nfts', { nfts: [{ token_id: '0.0.2002', serial_number: 1 }] }],
  // The transfer lies after the time of the stated balance.
  ['accounts/0.0.1001', { memo: 'wallet', transactions: [{}], balance: { balance: 499_999_993 } }],
  ['contracts/0.0.3001/results', { results: [{ gas_used: 41_000, call_result: '0x2a' }] }],
  ['contracts/0.0.3001/results/logs', { logs: [{ index: 0, data: `0x${'2a'.padStart(64, '0')}` }] }],
  ['contracts/0.0.3001/state', { state: [{ value: `0x${'2a'.padStart(64, '0')}` }] }],
])('the lines of the page give %s', async (path, expected) => {
  const answer = await mirror.app.inject(`/api/v1/${path}`);
  expect(answer.json()).toMatchObject(expected);
});

test('the table has every kind of line', () => {
  const documented = [...page.matchAll(/^\| (.+?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  let refusal = '';
  try {
    read('{"kind":"none of them"}');
  } catch (fault) {
    refusal = (fault as Error).message;
  }
  const kinds = /must be (.+), not /.exec(refusal)?.[1]?.split(/, | or /) ?? [];
  expect(kinds).toContain('nft');
  expect(documented.filter((name) => name !== 'kind').sort()).toEqual(kinds.sort());
});
