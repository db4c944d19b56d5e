import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseBigintJson } from '../../../test/kit/mirror/bigint-json.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const HOME = { shard: 0n, realm: 0n };
const OWNER = '0.0.1001';
const ADDRESS = 'ac384c53f03855fa1b3616052f8ba32c6c2a2fff';

const since = (nanos: number) => ({ from: `1700000000.${String(nanos).padStart(9, '0')}`, to: null });
const anAmount = (spender: number, amount: bigint, granted: bigint) => ({
  amount,
  amount_granted: granted,
  owner: OWNER,
  spender: `0.0.${spender}`,
  timestamp: since(spender),
});
const MOST = 9_223_372_036_854_775_807n;
const HBAR = [anAmount(2001, 5n, 9n), anAmount(3001, MOST, MOST), anAmount(4001, 1n, 2n)];
const USED_UP = anAmount(2500, 0n, 7n);
const TOKENS = [
  { ...anAmount(2001, 5n, 9n), token_id: '0.0.10001' },
  { ...anAmount(2001, 6n, 6n), token_id: '0.0.10003' },
  { ...anAmount(3001, 7n, 7n), token_id: '0.0.10001' },
  { ...anAmount(4001, 8n, 8n), token_id: '0.0.10002' },
];
const anApproval = (owner: number, spender: number, token: number) => ({
  approved_for_all: true,
  owner: `0.0.${owner}`,
  spender: `0.0.${spender}`,
  timestamp: since(owner + spender),
  token_id: `0.0.${token}`,
});
const NFTS = [
  anApproval(1001, 2001, 5001),
  anApproval(1001, 2001, 5002),
  anApproval(1001, 2002, 5001),
  anApproval(1002, 2001, 5001),
  anApproval(1003, 2001, 5002),
];
const REVOKED = { ...anApproval(1001, 2003, 5000), approved_for_all: false };

describe.each(['hiero', 'spec'] as const)('approvals in the dialect %s', (dialect) => {
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await buildMirrorApp({ dialect });
    const past = { ...anAmount(9001, 3n, 3n), timestamp: { from: '1.000000000', to: '2.000000000' } };
    const lines = [
      ...[...HBAR, USED_UP, past, ...TOKENS, ...NFTS, REVOKED].map((each) => ({
        kind: 'allowance',
        ...each,
      })),
      { kind: 'account', account: '0.0.2001', evm_address: `0x${ADDRESS}` },
    ].map((line) => JSON.stringify(line, (_, each) => (typeof each === 'bigint' ? `${each}` : each)));
    const rows = readFixture(Buffer.from(lines.join('\n')), 'allowances.ndjson', HOME);
    expect(await mirror.area.ledger.commitUnit(fixtureUnit('allowances', rows))).toBe('stored');
  });
  afterAll(() => mirror.close());

  const ask = async (path: string) => {
    const answer = await mirror.app.inject(`/api/v1/accounts/${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any form
    return { status: answer.statusCode, headers: answer.headers, body: parseBigintJson(answer.body) as any };
  };
  const allowancesOf = async (path: string): Promise<readonly unknown[]> => (await ask(path)).body.allowances;
  const messagesOf = async (path: string) => {
    const { body, status } = await ask(path);
    return [status, ...body._status.messages.map(({ message }: { message: string }) => message)];
  };
  const walk = async (path: string): Promise<readonly unknown[]> => {
    const seen: unknown[] = [];
    let next: string | null = `/api/v1/accounts/${path}`;
    for (let pages = 0; next !== null; pages++) {
      expect(pages).toBeLessThan(10);
      const { body, status } = await ask(next.replace('/api/v1/accounts/', ''));
      expect(status).toBe(200);
      seen.push(...body.allowances);
      next = body.links.next;
    }
    return seen;
  };

  test('that lines of a fixture state are answered as they were written, but for what is not in force', async () => {
    const { body, headers } = await ask(`${OWNER}/allowances/crypto`);
    expect(body).toEqual({ allowances: HBAR.toReversed(), links: { next: null } });
    expect(headers['cache-control']).toBe('public, max-age=1');
    expect(await allowancesOf('1001/allowances/tokens')).toEqual(TOKENS);
    expect(await allowancesOf('1001/allowances/nfts')).toEqual(NFTS.slice(0, 3));
    expect(await allowancesOf('2001/allowances/nfts?owner=False')).toEqual([
      NFTS[0],
      NFTS[1],
      NFTS[3],
      NFTS[4],
    ]);
  });

  test.each(['crypto', 'tokens', 'nfts'])(
    'pages of one follow each other through all of %s',
    async (list) => {
      const all = await allowancesOf(`1001/allowances/${list}?order=asc`);
      expect(all.length).toBeGreaterThan(2);
      expect(await walk(`1001/allowances/${list}?limit=1&order=asc`)).toEqual(all);
      expect(await walk(`1001/allowances/${list}?limit=2&order=desc`)).toEqual(all.toReversed());
    },
  );

  test.each([
    ['spender.id=2001&spender.id=4001&order=asc', [0, 2]],
    ['spender.id=gte:2001&spender.id=lt:4001&order=asc', [0, 1]],
    [`spender.id=${ADDRESS}`, [0]],
    [`spender.id=${'ff'.repeat(20)}`, []],
    ['spender.id=gt:4001', []],
  ])('hbar: %s', async (query, indexes) => {
    const wanted = indexes.map((index) => HBAR[index]);
    expect(await allowancesOf(`1001/allowances/crypto?${query}`)).toEqual(wanted);
    expect(await walk(`1001/allowances/crypto?limit=1&${query}`)).toEqual(wanted);
  });

  test.each([
    ['spender.id=2001&token.id=gt:10001', [1]],
    ['spender.id=gte:2001&token.id=gt:10001', [1, 2, 3]],
    ['spender.id=gte:2001&token.id=10001', [0, 2]],
    ['spender.id=gte:2001&spender.id=lte:4001&token.id=gte:10003&token.id=lt:10002', [1, 2]],
  ])('tokens: %s', async (query, indexes) => {
    const wanted = indexes.map((index) => TOKENS[index]);
    expect(await allowancesOf(`1001/allowances/tokens?${query}`)).toEqual(wanted);
    expect(await walk(`1001/allowances/tokens?limit=1&${query}`)).toEqual(wanted);
  });

  test.each([
    ['1001', 'account.id=gte:2001&token.id=5001', [0, 2]],
    ['1001', 'account.id=2001&token.id=gt:5001', [1]],
    ['2001', 'owner=false&account.id=gte:1001&token.id=5001', [0, 3]],
    ['2001', 'owner=false&account.id=gte:1001&token.id=gt:5001', [1, 3, 4]],
    ['2001', 'owner=true&owner=false&account.id=lt:1003', [0, 1, 3]],
  ])('NFTs: %s?%s', async (account, query, indexes) => {
    const wanted = indexes.map((index) => NFTS[index]);
    expect(await allowancesOf(`${account}/allowances/nfts?${query}`)).toEqual(wanted);
    expect(await walk(`${account}/allowances/nfts?limit=1&${query}`)).toEqual(wanted);
  });

  test.each([
    ['crypto?spender.id=ne:5', 'Not equal (ne) comparison operator is not supported for spender.id'],
    ['crypto?token.id=5', 'Unknown query parameter: token.id'],
    ['tokens?token.id=5', 'token.id without a spender.id parameter filter'],
    ['tokens?spender.id=ne:5', 'Not equal (ne) operator is not supported for spender.id'],
    [`tokens?spender.id=5&token.id=${ADDRESS}`, 'Invalid parameter: token.id'],
    ['nfts?limit=101', 'limit must be less than or equal to 100'],
    ['nfts?limit=101&token.id=5', 'limit must be less than or equal to 100'],
    ['nfts?owner=maybe', 'Invalid parameter: owner'],
    ['nfts?owner=ne:true', 'Invalid parameter: owner'],
    // The combinations in the order of the contract's table.
    ['nfts?account.id=gt:5&account.id=lt:6', 'Invalid range provided for account.id'],
    ['nfts?token.id=gt:9&token.id=lt:5', 'token.id parameter must have account.id present'],
    ['nfts?account.id=gte:1&token.id=gt:9&token.id=lt:5', 'Invalid range provided for token.id'],
    [
      'nfts?account.id=gt:1&token.id=gt:5&token.id=lt:9',
      'Requires the presence of an lte or eq account.id parameter',
    ],
    ['nfts?account.id=gt:1&token.id=gt:5', 'Requires the presence of an gte or eq account.id parameter'],
  ])('%s is refused', async (list, message) => {
    expect(await messagesOf(`1001/allowances/${list}`)).toEqual([400, message]);
  });

  test('a crossed range of tokens is allowed between two accounts', async () => {
    const query = 'account.id=gte:2001&account.id=lte:2002&token.id=gt:5001&token.id=lt:5001';
    expect(await allowancesOf(`1001/allowances/nfts?${query}`)).toEqual([NFTS[1]]);
  });

  test('a limit above 100 is capped for amounts in hiero alone', async () => {
    for (const list of ['crypto', 'tokens']) {
      expect((await ask(`1001/allowances/${list}?limit=101`)).status).toBe(dialect === 'hiero' ? 200 : 400);
    }
  });

  test('the path is told before the query, and who has no address is not found', async () => {
    for (const list of ['crypto', 'tokens', 'nfts']) {
      expect(await messagesOf(`0.0.x/allowances/${list}?limit=x`)).toEqual([
        400,
        'Invalid parameter: idOrAliasOrEvmAddress',
      ]);
      expect((await ask(`${'ff'.repeat(20)}/allowances/${list}?limit=x`)).status).toBe(404);
      expect(await messagesOf(`AABBCC22/allowances/${list}`)).toEqual([
        404,
        list === 'nfts' ? 'Not found' : 'No account with a matching alias found',
      ]);
      expect((await ask(`4444/allowances/${list}`)).body).toEqual({ allowances: [], links: { next: null } });
    }
  });
});
