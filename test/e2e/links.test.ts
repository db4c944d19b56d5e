import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeErrorResult, encodeEventTopics, encodeFunctionData, encodeFunctionResult } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { TRANSACTION_TYPES, TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { parseHex } from '../../src/values/hex.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { aToken } from '../kit/mirror/ledger/a-token.ts';
import { aContractResult, aTransaction, aTransfer } from '../kit/mirror/ledger-rows.ts';
import { createBusyStatusPage } from '../kit/status/busy-page.ts';
import { aCompilation, aMatch } from '../kit/verify/a-verification.ts';
import { storeMatch } from '../kit/verify/store-match.ts';
import { freePort } from '../support/serve-process.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const CHAIN = '298';
const SECOND = 1_000_000_000n;
const [ACCOUNT, TOKEN, TOPIC] = [700_001n, 700_002n, 700_003n];
const [CONTRACT, SCHEDULE, UNKNOWN] = [700_004n, 700_005n, 700_006n];
const ADDRESS = `0x${'cd'.repeat(20)}` as const;
const ABI = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'amount', type: 'uint256' }],
    outputs: [{ name: 'ok', type: 'bool' }],
  },
  { type: 'event', name: 'Moved', inputs: [{ name: 'amount', type: 'uint256', indexed: true }] },
  { type: 'error', name: 'Refused', inputs: [{ name: 'needed', type: 'uint256' }] },
] as const;
const bytes = (hex: string) => parseHex(hex) ?? expect.fail(`${hex} is hex`);

/** Transactions of every type about entities of every kind, and calls of a verified contract. */
function everyType(start: bigint) {
  const at = (index: number) => consensusTimestamp(start + BigInt(index) * SECOND);
  const kinds = { ACCOUNT, TOKEN, TOPIC, CONTRACT, SCHEDULE } as const;
  const entities = (Object.keys(kinds) as (keyof typeof kinds)[]).map((type) => ({
    entity: entityId(kinds[type]),
    type,
    alias: null,
    evmAddress: type === 'CONTRACT' ? bytes(ADDRESS) : null,
    createdTimestamp: at(0),
  }));
  const about = [...Object.values(kinds), UNKNOWN];
  // The type and the kind of what it names have nothing to do with each other.
  const transactions = TRANSACTION_TYPES.flatMap(({ number }, index) =>
    [0, 1].map((more) => ({ number, entity: about[(index + more * 3) % about.length] ?? UNKNOWN })),
  ).map(({ entity, number }, index) =>
    aTransaction(at(index), {
      type: number,
      payer: entityId(ACCOUNT),
      entityId: entityId(entity),
      transfers: [aTransfer(ACCOUNT, -1n), aTransfer(1001n, 1n)],
    }),
  );
  const call = bytes(encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [7n] }));
  const calls = transactions.filter(
    ({ type }) => type === TYPE.CONTRACTCALL || type === TYPE.ETHEREUMTRANSACTION,
  );
  return fixtureUnit('every type', {
    entities,
    transactions,
    tokens: [aToken(entityId(TOKEN), start, {})],
    topics: [{ topic: entityId(TOPIC), consensusTimestamp: at(0) }],
    contractResults: calls.map(({ consensusTimestamp: time }, index) =>
      aContractResult(time, {
        payer: entityId(ACCOUNT),
        sender: entityId(ACCOUNT),
        contract: entityId(CONTRACT),
        transactionIndex: index,
        hash: new Uint8Array(32).fill(index + 1),
        functionParameters: call,
        ...(index === 0
          ? {
              callResult: bytes(encodeFunctionResult({ abi: ABI, functionName: 'transfer', result: true })),
            }
          : {
              result: RESULT.CONTRACT_REVERT_EXECUTED,
              errorMessage: encodeErrorResult({ abi: ABI, errorName: 'Refused', args: [9n] }),
            }),
      }),
    ),
    contractLogs: calls.map(({ consensusTimestamp: time }, index) => ({
      consensusTimestamp: time,
      index: 0,
      contract: entityId(CONTRACT),
      rootContract: null,
      payer: entityId(ACCOUNT),
      transactionIndex: index,
      hash: null,
      bloom: null,
      data: new Uint8Array(),
      topics: encodeEventTopics({ abi: ABI, eventName: 'Moved', args: { amount: 7n } }).map((topic) =>
        bytes(String(topic)),
      ),
      isSynthetic: false,
    })),
  });
}

interface Site {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that has something of everything. @param prefix of its public address, which a proxy before it strips */
async function startSite(prefix: string): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${prefix}`;
  const server = await startTestServer({
    env: { PUBLIC_URL: url, VERIFY_CHAINS: `{"${CHAIN}":{"ledger":true}}` },
    background: false,
  });
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-links-'));
  await writeStream(writeIntoFolder(folder), {
    mix: 'everything',
    seed: 'links',
    files: 4,
    transactionsPerFile: 30,
    filePeriod: 4n * 3600n * SECOND,
    nodes: 3,
    accounts: 8,
    keyBits: 1024,
  });
  await server.services.imports.run([folder]);
  rmSync(folder, { recursive: true });
  const end = (await server.store.mirror.reader.newestConsensusEnd()) ?? 0n;
  await server.services.mirror.ledger.commitUnits([everyType(end + 3600n * SECOND)]);
  await storeMatch(
    server.store.verify,
    { address: ADDRESS, chainId: CHAIN },
    aMatch({ compilation: { ...aCompilation({}), abi: ABI }, runtime: 'match', creation: null }),
  );
  // Its jobs could have taken that of the match.
  await server.services.start(server.app);
  await createBusyStatusPage(server.services.status);
  const proxy = await stripPrefix(server, prefix, port);
  return {
    url,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await server.close();
    },
  };
}

/** A proxy that has nothing outside the prefix. */
async function stripPrefix(server: TestServer, prefix: string, port: number): Promise<Server> {
  const proxy = createServer((request, answer) => {
    const path = request.url ?? '';
    if (!path.startsWith(`${prefix}/`) && path !== prefix) return answer.writeHead(418).end();
    const { headers, method } = request;
    const sent = forward(`${server.url}${path.slice(prefix.length)}`, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    return request.pipe(sent);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

/** What one address of the site answered. */
interface Visited {
  readonly status: number;
  readonly isPage: boolean;
  readonly body: string;
  /** Where it was found first. */
  readonly from: string;
}

const REFERENCE = /<(\w+)[^>]*?\s(?:href|src|data-live|data-later|data-url)="([^"]*)"/g;
const AT_ONCE = 6;

/** Follows links, redirects, the header `Link` and `links.next` from the first page until nothing is new. */
async function crawl(site: string): Promise<ReadonlyMap<string, Visited>> {
  const { origin } = new URL(site);
  const visited = new Map<string, Visited>();
  const queue = [{ url: `${site}/`, from: 'start' }];
  const known = new Set(queue.map(({ url }) => url));
  const add = (reference: string, from: string) => {
    const url = new URL(reference, from);
    url.hash = '';
    if (url.origin !== origin || known.has(url.href)) return;
    known.add(url.href);
    queue.push({ url: url.href, from });
  };
  const visit = async ({ from, url }: (typeof queue)[number]) => {
    const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const body = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    // What scripts put into a page is none itself.
    const isPage = type.startsWith('text/html') && body.startsWith('<!doctype html>');
    visited.set(url, { status: answer.status, isPage, body: isPage ? body : '', from });
    if (type.startsWith('text/html'))
      for (const [, , reference = ''] of body.matchAll(REFERENCE))
        add(reference.replaceAll('&amp;', '&'), url);
    const location = answer.headers.get('location');
    if (location !== null) add(location, url);
    const [, next] = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
    if (next !== undefined) add(next, url);
    if (type.startsWith('application/json') && answer.ok) {
      const { links } = JSON.parse(body) as { readonly links?: { readonly next?: string | null } };
      // Clients put it behind the address of the server that they were given.
      if (typeof links?.next === 'string') add(site + links.next, url);
    }
  };
  const work = async () => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) await visit(each);
  };
  while (queue.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, work));
  return visited;
}

describe.each([
  ['at the root', ''],
  ['below a path', '/lens'],
])('every link of the site %s', (_, prefix) => {
  let site: Site;
  afterEach(() => site?.close());

  test('leads to what exists, and every page to the rest of the site', { timeout: 180_000 }, async () => {
    site = await startSite(prefix);
    const visited = await crawl(site.url);
    const dead = [...visited].filter(([, { status }]) => status >= 400);
    expect(dead.map(([url, { from, status }]) => `${status} ${url} on ${from}`)).toEqual([]);

    const pathOf = (url: string) => url.slice(site.url.length);
    const pages = [...visited].filter(([, { isPage }]) => isPage);
    const kindsSeen = new Set(pages.map(([url]) => pathOf(url).split(/[/?]/).slice(1, 3).join('/')));
    for (const kind of [
      'ledger/transactions',
      'ledger/accounts',
      'ledger/tokens',
      'ledger/topics',
      'ledger/blocks',
    ])
      expect(kindsSeen).toContain(kind);
    for (const kind of ['repo-ui/298', 'verify-ui/compilers', 'status/history', 'status/incidents', 'docs/'])
      expect(kindsSeen).toContain(kind);
    const alone = pages.filter(([, { body }]) =>
      ['/verify-ui', '/ledger', '/status', '/docs'].some((path) => !body.includes(`href="${prefix}${path}`)),
    );
    expect(alone.map(([url]) => pathOf(url))).toEqual([]);

    const commands = [...(visited.get(`${site.url}/`)?.body ?? '').matchAll(/curl -s (http\S+)</g)];
    const examples = commands.map(([, url = '']) => url);
    expect(examples).toContain(`${site.url}/v2/contract/${CHAIN}/${ADDRESS}`);
    for (const url of examples) {
      const answer = await fetch(url);
      expect(answer.status, url).toBe(200);
      expect(await answer.text(), url).not.toContain('"match":null');
    }
  });
});
