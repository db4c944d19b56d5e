import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explorerLedger, SECOND, START } from '../../../test/kit/mirror/explorer-ledger.ts';
import { aToken } from '../../../test/kit/mirror/ledger/a-token.ts';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { encodeEntityId, entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { messages } from '../protobuf/messages.ts';

const HOSTILE = '"><script>ran()</script>';
/** Later than the ledger of the explorers. */
const LATER = START + 2_000_000n * SECOND;
const HASH = Buffer.alloc(48, 0xab);
const TRANSFERS = 60;

/** Text of a page without its markup. */
const textOf = (page: string) =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('pages of the ledger', () => {
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await buildMirrorApp({
      publicUrl: 'https://mirror.example',
      sourceStates: async (address) => [
        { chainId: '295', verifiedAs: address === `0x${'cd'.repeat(20)}` ? 'Box <b>' : null },
        { chainId: '296', verifiedAs: null },
      ],
    });
    await mirror.area.ledger.commitUnits([
      ...explorerLedger(),
      fixtureUnit('later', {
        transactions: [
          aTransaction(LATER, {
            memo: Buffer.from(HOSTILE),
            hash: HASH,
            chargedFee: 9_223_372_036_854_775_807n,
            transfers: [aTransfer(1001n, -100_000_000n), aTransfer(1002n, 100_000_000n)],
          }),
          aTransaction(LATER + 1n, {
            memo: Uint8Array.of(0xff, 0),
            result: 10,
            transfers: [aTransfer(1001n, -5n), aTransfer(98n, 3n)],
          }),
          ...Array.from({ length: TRANSFERS }, (_, index) =>
            aTransaction(LATER + SECOND * BigInt(index + 1), {
              transfers: [aTransfer(1001n, -1n), aTransfer(1002n, 1n)],
            }),
          ),
        ],
      }),
    ]);
  });
  afterAll(() => mirror.close());
  const get = async (url: string) => {
    const { body, headers, statusCode } = await mirror.app.inject({ url, headers: { accept: 'text/html' } });
    return { body, headers, statusCode, text: textOf(body) };
  };
  const rowsOf = (page: string) => [...page.matchAll(/<tr data-at="([\d.]+)">/g)].map(([, at]) => at);

  describe('/ledger', () => {
    test('shows the newest transactions and the request that gives them', async () => {
      const { body, headers, statusCode, text } = await get('/ledger?account.id=0.0.1002&limit=5');
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(rowsOf(body)).toHaveLength(5);
      expect(text).toContain('https://mirror.example/api/v1/transactions?account.id=0.0.1002&amp;limit=5');
      expect(body).toContain('<input name="account.id" value="0.0.1002"');
    });

    test('leaves out what a form sends empty', async () => {
      const { text } = await get('/ledger?account.id=&type=&result=success&from=&to=&limit=');
      expect(text).toContain('https://mirror.example/api/v1/transactions?result=success ');
    });

    test('pages through everything once, with the filter kept', async () => {
      const seen: (string | undefined)[] = [];
      let url: string | undefined = '/ledger?account.id=0.0.1002&limit=20&from=2023-11-01';
      for (let page = 0; url !== undefined && page < 10; page += 1) {
        const { body } = await get(url);
        seen.push(...rowsOf(body));
        url = /<a rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
      }
      const { body } = await mirror.app.inject('/api/v1/transactions?account.id=0.0.1002&limit=100');
      const all = (JSON.parse(body) as { transactions: { consensus_timestamp: string }[] }).transactions;
      expect(seen).toEqual(all.map(({ consensus_timestamp }) => consensus_timestamp));
      expect(seen.length).toBeGreaterThan(TRANSFERS);
    });

    test.each([
      ['from=2023-11-14', 'timestamp=gte:1699920000.000000000'],
      ['to=2023-11-14', 'timestamp=lte:1700006399.999999999'],
      ['from=2023-11-14 22:13', 'timestamp=gte:1699999980.000000000'],
      ['to=2023-11-14T22:13:20Z', 'timestamp=lte:1700000000.999999999'],
      ['from=1700000000.5', 'timestamp=gte:1700000000.5'],
      ['from=1700000000000000001', 'timestamp=gte:1700000000.000000001'],
    ])('reads the time %s', async (query, condition) => {
      expect((await get(`/ledger?${query.replaceAll(' ', '+')}`)).text).toContain(`?${condition} `);
    });

    test.each([
      ['limit=0', 'Invalid parameter: limit'],
      ['account.id=abc', 'Invalid parameter: account.id'],
      ['transactiontype=NONSENSE', 'Invalid parameter: transactiontype'],
      ['foo=bar', 'Unknown query parameter: foo'],
      ['from=2023-02-30', 'Invalid parameter: from: from must be a date'],
      ['timestamp=x', 'Invalid parameter: timestamp'],
    ])('refuses %s in the words of the API, with the form filled in', async (query, message) => {
      const { body, statusCode, text } = await get(`/ledger?result=fail&${query}`);
      expect(statusCode).toBe(400);
      expect(text).toContain(message);
      expect(body).toContain('<option value="fail" selected>');
    });

    test('never lets a memo become markup', async () => {
      const { body } = await get('/ledger?order=asc&limit=10');
      expect(body).not.toContain('<script>ran()');
      expect(body).toContain('&quot;&gt;&lt;script&gt;ran()');
    });

    test('gives the script rows alone, which have the same tag while the ledger is the same', async () => {
      const url = '/ledger/newest?limit=3';
      const { body, headers } = await get(url);
      expect(rowsOf(body)).toHaveLength(3);
      expect(body).not.toContain('<html');
      mirror.clock.advance(5000);
      const again = await mirror.app.inject({
        url,
        headers: { 'if-none-match': String(headers['etag']) },
      });
      expect(again.statusCode).toBe(304);
    });
  });

  describe('/ledger/transactions', () => {
    const at = `${LATER / SECOND}.000000000`;
    const seconds = LATER / SECOND;
    test.each([
      at,
      `0x${HASH.toString('hex')}`,
      HASH.toString('hex'),
      encodeURIComponent(HASH.toString('base64')),
    ])('finds %s', async (name) => {
      const { body, statusCode } = await get(`/ledger/transactions/${name}`);
      expect(statusCode).toBe(200);
      expect(body).toContain(`<span class="muted code">${at}</span>`);
    });

    test('finds an id in both spellings', async () => {
      const { body } = await mirror.app.inject(`/api/v1/transactions?timestamp=${at}`);
      const id = (JSON.parse(body) as { transactions: [{ transaction_id: string }] }).transactions[0]
        .transaction_id;
      const [payer, second, nano] = id.split('-');
      for (const name of [id, `${payer}@${second}.${nano}`]) {
        expect((await get(`/ledger/transactions/${name}`)).text).toContain(`${payer}@${second}.${nano}`);
      }
    });

    test('shows amounts with all their digits, and transfers that sum to zero', async () => {
      const { body, text } = await get(`/ledger/transactions/${at}`);
      expect(text).toContain('92,233,720,368.54775807 ℏ');
      expect(text).toContain('9,223,372,036,854,775,807 tinybars');
      expect(text).toContain('-1.00000000 ℏ');
      expect(text).toContain('+1.00000000 ℏ');
      expect(text).toContain('Sum 0.00000000 ℏ 0');
      expect(text).not.toContain('do not add up');
      expect(body).toContain('&quot;&gt;&lt;script&gt;ran()&lt;/script&gt;</bdi></pre>');
      expect(text).toContain(`${new Date(Number(seconds) * 1000).toISOString().slice(0, 10)}`);
    });

    test('says why one failed, what does not sum to zero, and shows a memo that is no text as bytes', async () => {
      const { text } = await get(`/ledger/transactions/${seconds}.000000001`);
      expect(text).toContain('Failed Insufficient payer balance for the fee.');
      expect(text).toContain('do not add up to zero');
      expect(text).toContain('Not text; shown in hexadecimal. 0xff00');
    });

    test.each([
      ['nonsense', 400, 'Invalid Transaction id'],
      ['0.0.1-1-1', 404, 'Not found'],
      ['1.000000001', 404, 'Not found'],
    ])('answers %s with %i as a page', async (name, status, message) => {
      const { headers, statusCode, text } = await get(`/ledger/transactions/${name}`);
      expect(statusCode).toBe(status);
      expect(headers['content-type']).toContain('text/html');
      expect(text).toContain(message);
    });
  });

  describe('entities', () => {
    test('an account has its balance, settings and transactions', async () => {
      const { body, text } = await get('/ledger/accounts/0.0.1001');
      expect(text).toContain('Account 0.0.1001');
      expect(text).toContain('Memo mine');
      expect(rowsOf(body)).toHaveLength(25);
      const next = /<a rel="next" href="([^"]*)"/.exec(body)?.[1] ?? '';
      expect(rowsOf((await get(next)).body)).toHaveLength(25);
    });

    test('is found by its EVM address as well', async () => {
      expect((await get(`/ledger/accounts/0x${'ab'.repeat(20)}`)).text).toContain('Account 0.0.1001');
    });

    test('a contract leads to its verified source, or to the form where it is not verified', async () => {
      const { body, text } = await get('/ledger/accounts/0.0.2001');
      expect(text).toContain('Contract 0.0.2001');
      const address = `0x${'cd'.repeat(20)}`;
      expect(body).toContain(`href="/repo-ui/295/${address}"><bdi>Box &lt;b&gt;</bdi>`);
      expect(body).not.toContain('/repo-ui/296/');
      expect(text).toContain('Not verified on chain 296. Verify source');
      expect(body).toContain(`href="/verify-ui?chainId=296&amp;address=${address}"`);
    });

    test.each([
      ['/ledger/accounts/x y', 400],
      ['/ledger/accounts/0.0.999999', 404],
      ['/ledger/tokens/0.0.1001', 404],
      ['/ledger/topics/nonsense', 400],
      ['/ledger/blocks/7', 404],
      ['/ledger/blocks/x', 400],
      ['/ledger/blocks?cursor=x', 400],
      ['/ledger/nowhere', 404],
    ])('%s is a page with status %i', async (path, status) => {
      const { headers, statusCode, text } = await get(path.replaceAll(' ', '%20'));
      expect(statusCode).toBe(status);
      expect(headers['content-type']).toContain('text/html');
      expect(text).toContain('newest transactions');
    });
  });

  test('an NFT is burned only when it was, and one of a deleted token keeps its owner', async () => {
    const other = await buildMirrorApp();
    const [token, owner] = [entityId(5001n), entityId(1002n)];
    const nft = (serial: bigint, more: object) => ({
      kind: 'change' as const,
      token,
      serial,
      consensusTimestamp: consensusTimestamp(START),
      isCreated: true,
      account: owner,
      ...more,
    });
    const entity = { entity: token, type: 'TOKEN' as const };
    await other.area.ledger.commitUnits([
      fixtureUnit('nfts', {
        transactions: [aTransaction(START, { transfers: [aTransfer(1002n, 0n)] })],
        entities: [{ ...entity, alias: null, evmAddress: null, createdTimestamp: consensusTimestamp(START) }],
        entityChanges: [{ ...entity, changedTimestamp: consensusTimestamp(START), isDeleted: true }],
        tokens: [aToken(5001n, START, { kind: 'NON_FUNGIBLE_UNIQUE' })],
        nfts: [nft(1n, {}), nft(2n, { account: null, isDeleted: true })],
      }),
    ]);
    const { body } = await other.app.inject('/ledger/tokens/0.0.5001');
    await other.close();
    const rows = textOf(/<h2>NFTs[\s\S]*?<\/table>/.exec(body)?.[0] ?? '');
    expect(rows).toContain('2 burned 1 0.0.1002 token deleted');
  });

  test('every amount in dollars is of the rate at its own consensus time, which the page names', async () => {
    const other = await buildMirrorApp();
    const rate = (centEquiv: number, seconds: bigint) => ({
      hbarEquiv: 1,
      centEquiv,
      expirationTime: { seconds },
    });
    const hour = 3600n;
    await other.area.ledger.commitUnits([
      fixtureUnit('rates', {
        transactions: [0n, 2n * hour].map((later) =>
          aTransaction(START + later * SECOND, {
            chargedFee: 100_000_000n,
            transfers: [aTransfer(1001n, -100_000_000n), aTransfer(1002n, 100_000_000n)],
          }),
        ),
        entities: [
          {
            entity: entityId(1002n),
            type: 'ACCOUNT',
            alias: null,
            evmAddress: null,
            createdTimestamp: consensusTimestamp(START),
          },
        ],
        filePieces: [
          {
            file: entityId(112n),
            consensusTimestamp: consensusTimestamp(START),
            transactionType: 19,
            contents: messages.ExchangeRateSet.encode({
              currentRate: rate(12, START / SECOND + hour),
              nextRate: rate(15, START / SECOND + 2n * hour),
            }),
          },
        ],
      }),
    ]);
    const page = async (path: string) => textOf((await other.app.inject(path)).body);
    const early = await page(`/ledger/transactions/${START / SECOND}.000000000`);
    const late = await page(`/ledger/transactions/${START / SECOND + 2n * hour}.000000000`);
    const [account, list, network] = [
      await page('/ledger/accounts/0.0.1002'),
      await page('/ledger'),
      await page('/ledger/network'),
    ];
    await other.close();
    expect(early).toContain('$0.12 at the rate of 2023-11-14 22:13:20 UTC');
    expect(late).toContain('$0.15 at the rate of 2023-11-15 00:13:20 UTC');
    // The clock of the server is a month later.
    expect(account).toContain('$0.30 at the rate of 2023-11-15 00:13:20 UTC');
    expect(list).toContain('One ℏ $0.15 at the rate of 2023-11-15 00:13:20 UTC');
    expect(network).toContain('In force at 2023-11-15 00:13:20 UTC $0.15 per ℏ');
  });

  describe('/ledger/search', () => {
    const at = `${LATER / SECOND}.000000000`;
    test.each([
      ['0.0.1001', '/ledger/accounts/0.0.1001'],
      ['1001', '/ledger/accounts/1001'],
      [` 0x${'cd'.repeat(20)} `, `/ledger/accounts/0x${'cd'.repeat(20)}`],
      [at, `/ledger/transactions/${at}`],
      [HASH.toString('hex'), `/ledger/transactions/${HASH.toString('hex')}`],
      [HASH.toString('base64'), `/ledger/transactions/0x${HASH.toString('hex')}`],
      ['0.0.2@1.000000001?scheduled', '/ledger/transactions/0.0.2%401.000000001%3Fscheduled'],
    ])('%s leads to %s', async (text, location) => {
      const { headers, statusCode } = await get(`/ledger/search?q=${encodeURIComponent(text)}`);
      expect([statusCode, headers['location']]).toEqual([303, location]);
    });

    test('of nothing says what can be searched', async () => {
      for (const query of ['', '?q=', '?q=%20']) {
        const { statusCode, text } = await get(`/ledger/search${query}`);
        expect([statusCode, text.includes('You can search for'), text.includes('No results')]).toEqual([
          200,
          true,
          false,
        ]);
      }
    });

    test.each(['nonsense!', '0.0.999999', '1.000000001', HOSTILE, '9'.repeat(19), 'a'.repeat(200)])(
      'says that it found nothing by %j, and what can be searched',
      async (text) => {
        const { body, statusCode, text: shown } = await get(`/ledger/search?q=${encodeURIComponent(text)}`);
        expect(statusCode).toBe(404);
        expect(shown).toContain('You can search for');
        expect(body).not.toContain('<script>ran()');
      },
    );
  });

  test('a network with a shard and realm of its own is searched by its own numbers', async () => {
    const other = await buildMirrorApp({ shard: 1n, realm: 2n });
    await other.area.ledger.commitUnits([
      fixtureUnit('other', {
        transactions: [
          aTransaction(START, {
            payer: encodeEntityId(1n, 2n, 1001n) ?? entityId(0n),
            transfers: [
              { account: encodeEntityId(1n, 2n, 1001n) ?? entityId(0n), amount: 0n, isApproval: false },
            ],
          }),
        ],
      }),
    ]);
    const found = await other.app.inject('/ledger/search?q=1001');
    const { body } = await other.app.inject(String(found.headers['location']));
    await other.close();
    expect(body).toContain('<h1>Account 1.2.1001');
  });

  test('an empty ledger says what to do', async () => {
    const empty = await buildMirrorApp();
    const { body } = await empty.app.inject('/ledger');
    await empty.close();
    expect(body).toContain('ledgerlens import');
    expect(body).toContain('MIRROR_NETWORK=testnet');
    expect(body).toContain('ledgerlens generate');
  });

  test('the network page says what is not known', async () => {
    expect((await get('/ledger/network')).text).toContain('No address book in the ledger');
  });
});

test('an account shows a token of which missing blocks hide how many it has', async () => {
  const mirror = await buildMirrorApp();
  const [account, token] = [entityId(7001n), entityId(7002n)];
  const at = consensusTimestamp(START);
  const unit = fixtureUnit('from the middle', {
    transactions: [aTransaction(START)],
    entities: [{ entity: account, type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: at }],
    tokenRelations: [{ account, token, consensusTimestamp: at, isAssociated: true }],
  });
  const later = fixtureUnit('after the gap', { transactions: [aTransaction(START + SECOND)] });
  for (const each of [unit, later]) {
    const header = { ...each.header, kind: 'record', version: 6, blockNumber: 7n } as const;
    await mirror.area.ledger.commitUnit({ ...each, header });
  }
  const { body, statusCode } = await mirror.app.inject('/ledger/accounts/0.0.7001');
  expect(statusCode).toBe(200);
  expect(textOf(body)).toContain('0.0.7002 – – –');
  await mirror.close();
});
