import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explorerLedger } from '../../../test/kit/mirror/explorer-ledger.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { TokenRelation } from '../ledger/rows.ts';

const START = 1_800_000_000_000_000_000n;
const TOKENS = Array.from({ length: 2500 }, (_, index) => BigInt(index + 1001));
const HELD = TOKENS.filter((token) => token % 500n === 0n);

interface Tokens {
  readonly tokens: readonly Readonly<Record<string, unknown>>[];
  readonly links: { readonly next: string | null };
}

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  const change = (token: bigint, time: bigint, isAssociated: boolean): TokenRelation => ({
    account: entityId(7n),
    token: entityId(token),
    consensusTimestamp: consensusTimestamp(START + time),
    isAssociated,
  });
  const many = fixtureUnit('many', {
    transactions: [aTransaction(START), aTransaction(START + 1n)],
    entities: [
      {
        entity: entityId(7n),
        type: 'ACCOUNT',
        alias: null,
        evmAddress: null,
        createdTimestamp: consensusTimestamp(START),
      },
    ],
    tokenRelations: [
      ...TOKENS.map((token) => change(token, 0n, true)),
      ...TOKENS.filter((token) => !HELD.includes(token)).map((token) => change(token, 1n, false)),
    ],
  });
  for (const { area } of [spec, hiero]) {
    for (const unit of [...explorerLedger(), many]) await area.ledger.commitUnit(unit);
  }
});
afterAll(async () => {
  for (const mirror of [spec, hiero]) await mirror.close();
});

const read = async (path: string, mirror = spec): Promise<Tokens> => {
  const answer = await mirror.app.inject(`/api/v1/accounts/${path}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const ids = ({ tokens }: Tokens) => tokens.map(({ token_id }) => token_id);

describe('GET /api/v1/accounts/{idOrAliasOrEvmAddress}/tokens', () => {
  test('shows what is known of a relation, and null for what nobody told', async () => {
    expect(await read('1001/tokens?limit=1')).toEqual({
      tokens: [
        {
          automatic_association: false,
          balance: 50,
          created_timestamp: '1700000000.000000000',
          decimals: null,
          freeze_status: null,
          kyc_status: null,
          token_id: '0.0.90',
        },
      ],
      links: { next: '/api/v1/accounts/1001/tokens?limit=1&token.id=gt:0.0.90' },
    });
    const [fromTransfer] = (await read('1002/tokens')).tokens;
    expect(fromTransfer).toMatchObject({ automatic_association: null, balance: 20, created_timestamp: null });
  });

  test.each([
    ['7/tokens', HELD.slice(0, 25)],
    ['7/tokens?order=desc', [...HELD].reverse()],
    ['7/tokens?token.id=gt:1500&token.id=lt:2500', HELD.filter((token) => token > 1500n && token < 2500n)],
    ['7/tokens?token.id=2000&token.id=1500&token.id=1501', [1500n, 2000n]],
    ['7/tokens?token.id=2000&token.id=1500&token.id=gte:1600&order=desc', [2000n]],
    ['7/tokens?token.id=0x00000000000000000000000000000000000007d0', [2000n]],
    ['7/tokens?token.id=gt:5&token.id=lt:3', []],
    ['7/tokens?token.id=1501', []],
  ])('%s lists what it asks for', async (path, expected) => {
    expect(ids(await read(path))).toEqual(expected.map((token) => `0.0.${token}`));
  });

  test.each(['asc', 'desc'] as const)(
    'following the links in order %s visits every token once',
    async (order) => {
      for (const mirror of [spec, hiero]) {
        const seen: unknown[] = [];
        let next: string | null = `/api/v1/accounts/7/tokens?limit=2&order=${order}`;
        while (next !== null) {
          const page: Tokens = await read(next.slice('/api/v1/accounts/'.length), mirror);
          seen.push(...ids(page));
          next = page.links.next;
        }
        expect(seen).toEqual((order === 'asc' ? HELD : [...HELD].reverse()).map((token) => `0.0.${token}`));
      }
    },
  );

  test.each([
    ['7/tokens?token.id=ne:5', 400, 'Not equal (ne) comparison operator is not supported for token.id'],
    ['7/tokens?token.id=x', 400, 'Invalid parameter: token.id'],
    [`7/tokens?token.id=${'ab'.repeat(20)}`, 400, 'Invalid parameter: token.id'],
    ['7/tokens?account.id=5', 400, 'Unknown query parameter: account.id'],
    ['0.0.x/tokens', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    // The account comes first.
    ['4/tokens?token.id=x', 404, 'Not found'],
  ])('%s is answered %d: %s', async (path, status, message) => {
    const answer = await spec.app.inject(`/api/v1/accounts/${path}`);
    expect([answer.statusCode, answer.json()]).toEqual([status, { _status: { messages: [{ message }] } }]);
  });

  test('an answer that is written as lines gives that answer back', async () => {
    const [shown] = (await read('7/tokens?token.id=2000')).tokens;
    const told = { ...shown, freeze_status: 'FROZEN', kyc_status: 'GRANTED', automatic_association: true };
    const lines = [
      { kind: 'account', account: '0.0.7' },
      { kind: 'token_relation', account: '0.0.7', ...told },
    ].map((line) => JSON.stringify(line));
    const mirror = await buildMirrorApp();
    const rows = readFixture(Buffer.from(lines.join('\n')), 'a.ndjson', { shard: 0n, realm: 0n });
    await mirror.area.ledger.commitUnit(fixtureUnit('a', rows));
    expect((await read('7/tokens', mirror)).tokens).toEqual([told]);
    await mirror.close();
  });
});
