import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Fault,
  type FollowedMirror,
  type FollowedMirrorOptions,
  followedMirror,
} from '../../../../test/kit/mirror/ingest/followed-mirror.ts';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type MemoryLedger, memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { createImporter } from '../run/importer.ts';
import { createDirectorySource } from '../source/directory-source.ts';

let peer: MirrorApp;
let another: MirrorApp;
let undisturbed: string;
beforeAll(async () => {
  peer = await mirrorOf('ledgerlens');
  another = await mirrorOf('another');
  const ledger = memoryLedger();
  await ledger.import(follow().source);
  undisturbed = ledger.dump();
});
afterAll(async () => {
  await peer.close();
  await another.close();
});

async function mirrorOf(seed: string): Promise<MirrorApp> {
  const mirror = await buildMirrorApp();
  const { tree } = await writtenStream({ seed, files: 6, transactionsPerFile: 40 });
  const source = createDirectorySource('/stream', tree);
  await createImporter({ repository: mirror.area.ledger, lookup: mirror.store.lookup, source }).run();
  return mirror;
}

const follow = (options?: FollowedMirrorOptions, of = peer) =>
  followedMirror((path) => of.app.inject(path), options);
const watching = ({ repository }: MemoryLedger, { clock, source }: FollowedMirror) =>
  createImporter({ repository, source, isWatched: true, clock });
const isList = (path: string) => path.startsWith('/api/v1/transactions?');
const isBlocks = (path: string) => path.startsWith('/api/v1/blocks?');
const numbersOf = ({ units }: MemoryLedger) => units.map(({ header }) => Number(header.blockNumber));

/** A fault for the first questions that meet the condition. */
function atFirst(times: number, isMet: (path: string) => boolean, fault: Fault): Fault {
  let left = times;
  return (path, init) => (isMet(path) && left-- > 0 ? fault(path, init) : null);
}

function cutBody(): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('{"transactions":[{"charged_tx'));
      controller.error(Object.assign(new TypeError('terminated'), { cause: new Error('other side closed') }));
    },
  });
  return new Response(body);
}

const silent: Fault = (_path, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
const noConnection =
  (code: string): Fault =>
  () =>
    Promise.reject(
      Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code }) }),
    );
const refusedConnection = noConnection('ECONNREFUSED');
const notTls = noConnection('ERR_SSL_WRONG_VERSION_NUMBER');
const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Fault =>
  () =>
    new Response(body, { status: code, headers });

describe('faults that pass', () => {
  test.each([
    ['an answer that does not come', silent],
    ['a connection that is refused', refusedConnection],
    ['500', status(500)],
    ['503', status(503)],
    ['504', status(504)],
    ['429 without a time', status(429)],
    ['a body that is cut', cutBody],
    ['a page of a proxy instead of JSON', status(200, {}, '<html>busy</html>')],
    ['an empty body', status(200)],
  ] satisfies [string, Fault][])(
    '%s, three times at any question, loses and doubles nothing',
    async (_name, fault) => {
      for (const isMet of [isBlocks, isList, (path: string) => path.startsWith('/api/v1/transactions/')]) {
        const followed = follow({ limits: { timeoutMs: 50 } });
        followed.answer(atFirst(3, isMet, fault));
        const ledger = memoryLedger();
        expect(await ledger.import(followed.source)).toMatchObject({ units: 6, refused: [] });
        expect(ledger.dump()).toBe(undisturbed);
        expect(followed.rests.slice(0, 3)).toEqual(expect.arrayContaining([250]));
      }
    },
  );

  test('rests are doubled, and spread by chance', async () => {
    const chances = [0, 0.25, 0.5];
    const followed = follow({ random: () => chances.shift() ?? 0.5 });
    followed.answer(atFirst(3, isBlocks, status(503)));
    await memoryLedger().import(followed.source);
    expect(followed.rests).toEqual([125, 375, 1000]);
  });

  test('the time that it asks for is waited when it is short', async () => {
    const followed = follow();
    followed.answer(atFirst(1, isBlocks, status(429, { 'retry-after': '4' })));
    expect(await memoryLedger().import(followed.source)).toMatchObject({ units: 6 });
    expect(followed.rests).toEqual([4000]);
  });

  test.each(['120', 'Fri, 15 Dec 2023 00:02:00 GMT'])(
    'it is left alone while it asks for longer: %s',
    async (retryAfter) => {
      const followed = follow();
      followed.answer(atFirst(1, isBlocks, status(429, { 'retry-after': retryAfter })));
      const ledger = memoryLedger();
      const wanted =
        /it returned 429: it received too many requests; not contacted until 2023-12-15T00:02:00.000Z, as it requested/;
      await expect(ledger.import(followed.source)).rejects.toThrow(wanted);
      followed.clock.advance(59_000);
      await expect(ledger.import(followed.source)).rejects.toThrow(
        /not contacted until 2023-12-15T00:02:00.000Z/,
      );
      expect(followed.asked).toHaveLength(1);
      followed.clock.advance(61_000);
      expect(await ledger.import(followed.source)).toMatchObject({ units: 6 });
    },
  );
});

describe('faults that stay', () => {
  test.each([
    ['an answer that does not come', silent, /no response within 50 ms; tried 4 times/],
    [
      'a connection that is refused',
      refusedConnection,
      /nothing is listening there: check host and port of MIRROR_FOLLOW/,
    ],
    ['TLS at a port without it', notTls, /does not speak TLS: try http:\/\/ in MIRROR_FOLLOW/],
    [
      '500',
      status(500, {}, '{"_status":{"messages":[{"message":"Internal error"}]}}'),
      /it returned 500 \(Internal error\); tried 4 times/,
    ],
    ['no JSON', status(200, {}, '<html>'), /the response is invalid: it is not JSON/],
  ] satisfies [string, Fault, RegExp][])('%s ends the run as unreachable', async (_name, fault, message) => {
    const followed = follow({ limits: { timeoutMs: 50 } });
    followed.answer(fault);
    const run = memoryLedger().import(followed.source);
    await expect(run).rejects.toMatchObject({ code: 'source_unreachable' });
    await expect(run).rejects.toThrow(message);
  });

  test.each([
    ['401', status(401), /it returned 401: it requires credentials/],
    ['400', status(400), /is it a mirror, and of a version that has \/api\/v1\/blocks\?/],
    ['no blocks', status(404), /MIRROR_FOLLOW must be the address before \/api\/v1/],
    [
      'another host',
      status(302, { location: 'https://elsewhere.test/api/v1/blocks' }),
      /redirects to https:\/\/elsewhere.test: set MIRROR_FOLLOW to that address/,
    ],
    ['a circle', status(307, { location: '/api/v1/blocks' }), /redirects in a loop/],
    ['an answer without end', status(200, {}, ' '.repeat(5000)), /longer than 4000 bytes/],
  ] satisfies [string, Fault, RegExp][])('%s is refused at once', async (_name, fault, message) => {
    const followed = follow({ limits: { maxBytes: 4000 } });
    followed.answer(fault);
    const run = memoryLedger().import(followed.source);
    await expect(run).rejects.toMatchObject({ code: 'source_refused' });
    await expect(run).rejects.toThrow(message);
    expect(followed.rests).toEqual([]);
  });

  test('a redirect on the same host is followed', async () => {
    const moved = followedMirror((path) => peer.app.inject(path.replace('/old', '')));
    moved.answer((path) =>
      isBlocks(path) ? new Response('', { status: 301, headers: { location: `/old${path}` } }) : null,
    );
    expect(await memoryLedger().import(moved.source)).toMatchObject({ units: 6 });
  });
});

interface Json {
  [name: string]: unknown;
}
type Rows = Json[];

/** Changes answers that have a list of this name. */
function changed(list: 'blocks' | 'transactions', change: (rows: Rows) => Rows): Fault {
  return async (path) => {
    const { body, statusCode } = await peer.app.inject(path);
    const isWanted = list === 'blocks' ? isBlocks(path) : isList(path);
    if (!isWanted || statusCode !== 200) return null;
    const answer = JSON.parse(body) as Json;
    return new Response(JSON.stringify({ ...answer, [list]: change(answer[list] as Rows) }));
  };
}

const numbered = (number: number, change: (block: Json) => Json) => (blocks: Rows) =>
  blocks.map((block) => (block['number'] === number ? change(block) : block));
const without = (number: number) => (blocks: Rows) => blocks.filter((block) => block['number'] !== number);
/** The transaction in the middle of what is listed of block 3. */
const inBlock3 = (row: Json) => String(row['consensus_timestamp']).startsWith('1700000006.01');
const times = (block: Json) => block['timestamp'] as Json;

describe('a mirror that contradicts itself is not believed', () => {
  test.each([
    [
      'a transaction is missing',
      changed('transactions', (rows) =>
        rows.filter((row) => !String(row['consensus_timestamp']).startsWith('1700000006.010')),
      ),
      'inconsistent_source',
      3,
    ],
    [
      'a transaction is there twice',
      changed('transactions', (rows) => rows.flatMap((row) => (inBlock3(row) ? [row, row] : [row]))),
      'inconsistent_source',
      2,
    ],
    [
      'transactions do not ascend',
      changed('transactions', (rows) => (rows.some(inBlock3) ? [...rows].reverse() : rows)),
      'inconsistent_source',
      2,
    ],
    [
      'a transaction is of another time',
      changed('transactions', (rows) =>
        rows.map((row) => (inBlock3(row) ? { ...row, consensus_timestamp: '1800000000.000000001' } : row)),
      ),
      'inconsistent_source',
      2,
    ],
    [
      'a transaction has a type that nobody knows',
      changed('transactions', (rows) =>
        rows.map((row) => (inBlock3(row) ? { ...row, name: 'TIMETRAVEL' } : row)),
      ),
      'inconsistent_source',
      2,
    ],
    [
      'an amount is no integer of 64 bits',
      changed('transactions', (rows) =>
        rows.map((row) => (inBlock3(row) ? { ...row, charged_tx_fee: '9223372036854775808' } : row)),
      ),
      'inconsistent_source',
      2,
    ],
    ['a block is missing', changed('blocks', without(3)), 'inconsistent_source', 3],
    [
      'a block has the number of another',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, number: 7 })),
      ),
      'inconsistent_source',
      3,
    ],
    [
      'a block does not name the one before it',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, previous_hash: block['hash'] })),
      ),
      'chain_mismatch',
      3,
    ],
    [
      'a block begins a network anew',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, previous_hash: `0x${'00'.repeat(48)}` })),
      ),
      'chain_mismatch',
      3,
    ],
    [
      'a block says more transactions',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, count: Number(block['count']) + 1 })),
      ),
      'inconsistent_source',
      3,
    ],
    [
      'a block says no transactions',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, count: 0 })),
      ),
      'inconsistent_source',
      3,
    ],
    [
      'a block says more transactions than anybody can keep',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, count: 2_000_000_000 })),
      ),
      'inconsistent_source',
      3,
    ],
    [
      'a block begins in the one before it',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, timestamp: { ...times(block), from: '1700000004.000000000' } })),
      ),
      'inconsistent_source',
      3,
    ],
    [
      'a block ends early',
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, timestamp: { ...times(block), to: '1700000006.010000000' } })),
      ),
      'inconsistent_source',
      3,
    ],
  ] satisfies [string, Fault, string, number][])(
    '%s: refused by name, and taken later',
    async (_name, fault, code, stored) => {
      const followed = follow();
      followed.answer(fault);
      const ledger = memoryLedger();
      const { refused } = await ledger.import(followed.source);
      expect(refused).toMatchObject([{ code }]);
      expect(ledger.units.length).toBeLessThanOrEqual(stored);
      expect(numbersOf(ledger)).toEqual([0, 1, 2].slice(0, ledger.units.length));
      followed.answer(() => null);
      expect(await ledger.import(followed.source)).toMatchObject({ refused: [] });
      expect(numbersOf(ledger)).toEqual([0, 1, 2, 3, 4, 5]);
    },
  );

  test.each([
    ['no time', { timestamp: null }],
    ['a short hash', { hash: '0x12' }],
    ['no number', { number: null }],
    ['an end before its begin', { timestamp: { from: '9.000000000', to: '8.000000000' } }],
  ])('a block with %s ends the run', async (_name, members) => {
    const followed = follow();
    followed.answer(
      changed(
        'blocks',
        numbered(3, (block) => ({ ...block, ...members })),
      ),
    );
    const ledger = memoryLedger();
    await expect(ledger.import(followed.source)).rejects.toMatchObject({ code: 'inconsistent_source' });
    expect(ledger.units).toEqual([]);
  });

  test('custom fees that are not told alone refuse the block', async () => {
    const followed = follow();
    followed.answer((path) =>
      path.startsWith('/api/v1/transactions/') ? new Response('{}', { status: 404 }) : null,
    );
    const ledger = memoryLedger();
    const { refused } = await ledger.import(followed.source);
    expect(refused).toMatchObject([
      { code: 'inconsistent_source', message: /exists only in the list, not individually/ },
    ]);
  });

  test('another network does not follow this ledger', async () => {
    const ledger = memoryLedger();
    const { tree } = await writtenStream({ files: 3, transactionsPerFile: 40 });
    await ledger.import(createDirectorySource('/stream', tree));
    const followed = follow({}, another);
    const { refused } = await ledger.import(followed.source);
    expect(refused).toMatchObject([
      { code: 'chain_mismatch', message: /Block 3 .* does not follow this ledger/ },
    ]);
    expect(ledger.state()).toMatchObject({ state: 'gap' });
    expect(numbersOf(ledger)).toEqual([0, 1, 2]);
  });

  test('a block that grows is waited for', async () => {
    const followed = follow();
    const cut = changed('transactions', (rows) => rows.filter((row) => !inBlock3(row)));
    followed.answer(atFirst(20, isList, cut));
    const ledger = memoryLedger();
    const importer = watching(ledger, followed);
    expect(await importer.run()).toMatchObject({ units: 3, refused: [{ code: 'inconsistent_source' }] });
    expect(importer.state()).toMatchObject({ state: 'idle', gap: null });
    followed.clock.advance(31_000);
    await importer.run();
    expect(importer.state()).toMatchObject({
      state: 'failed',
      error: /it reports \d+ transactions, its time range lists/,
    });
    followed.answer(() => null);
    expect(await importer.run()).toMatchObject({ units: 3, refused: [] });
    expect(importer.state()).toMatchObject({ state: 'idle', error: null });
  });

  test.each([
    ['which brings no supply into being', (rows: Rows) => rows.map((row) => ({ ...row, transfers: [] })), {}],
    ['which is not the first of a chain', (rows: Rows) => rows, { previous_hash: `0x${'01'.repeat(48)}` }],
  ])('a block 0 %s is no genesis: no balance follows from it', async (_name, change, members) => {
    const followed = follow();
    const [blocks, lists] = [
      changed(
        'blocks',
        numbered(0, (block) => ({ ...block, ...members })),
      ),
      changed('transactions', change),
    ];
    const noBalances = (path: string) =>
      path.startsWith('/api/v1/balances')
        ? new Response(JSON.stringify({ timestamp: null, balances: [], links: { next: null } }))
        : null;
    followed.answer(
      async (path, init) => noBalances(path) ?? (await blocks(path, init)) ?? lists(path, init),
    );
    const follower = await buildMirrorApp();
    const { area, store } = follower;
    const importer = createImporter({
      repository: area.ledger,
      lookup: store.lookup,
      source: followed.source,
    });
    expect(await importer.run()).toMatchObject({ units: 6, refused: [] });
    // Of a genesis they are not asked.
    expect(followed.asked.some((path) => path.startsWith('/api/v1/balances'))).toBe(true);
    const first = await follower.app.inject('/api/v1/blocks?order=asc&limit=1');
    expect(first.json().blocks).toMatchObject([{ number: 0 }]);
    const { balances } = (await follower.app.inject('/api/v1/balances?limit=100')).json();
    // The balances of those that were created are known, and of no others.
    const balanceOf = new Map(
      (balances as { account: string; balance: number | null }[]).map((row) => [row.account, row.balance]),
    );
    expect(balanceOf.get('0.0.3001')).toEqual(expect.any(Number));
    expect(balanceOf.get('0.0.98') ?? null).toBeNull();
    await follower.close();
  });

  test('a mirror that shows small pages is followed through them', async () => {
    const small = await buildMirrorApp({ dialect: 'hiero', limitMax: 7, limitDefault: 7, store: peer.store });
    const ledger = memoryLedger();
    expect(await ledger.import(follow({}, small).source)).toMatchObject({ units: 6, refused: [] });
    expect(ledger.dump()).toBe(undisturbed);
    await small.close();
  });

  test('a mirror that fell behind is told of, and nothing is taken back', async () => {
    const ledger = memoryLedger();
    await ledger.import(follow().source);
    const followed = follow();
    followed.answer(async (path) =>
      isBlocks(path) ? new Response((await peer.app.inject(`${path}&block.number=lt:3`)).body) : null,
    );
    await watching(ledger, followed).run();
    expect(ledger.dump()).toBe(undisturbed);
    expect(followed.source.standing?.()).toMatchObject({
      newest: { blockNumber: 2n },
      notes: [expect.stringContaining('the followed mirror ends before this ledger')],
    });
  });
});
