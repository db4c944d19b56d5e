import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followedMirror } from '../../../../test/kit/mirror/ingest/followed-mirror.ts';
import { memoryFileTree, writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { writtenBlockSource } from '../../../../test/kit/mirror/ingest/written-blocks.ts';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { gasPriceFile } from '../../../../tools/network/system-files.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { createImporter } from '../run/importer.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import type { StreamSource } from '../units/stream-source.ts';

const open: MirrorApp[] = [];
afterAll(async () => {
  for (const mirror of open) await mirror.close();
});

async function openMirror(options: Parameters<typeof buildMirrorApp>[0] = {}): Promise<MirrorApp> {
  const mirror = await buildMirrorApp(options);
  open.push(mirror);
  return mirror;
}

const importInto = ({ area, store }: MirrorApp, source: StreamSource) =>
  createImporter({ repository: area.ledger, lookup: store.lookup, source }).run();

const bodyOf = async ({ app }: MirrorApp, path: string) => (await app.inject(`/api/v1/${path}`)).body;

/** Every page of a list, as text. */
async function pagesOf(mirror: MirrorApp, path: string): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let next: string | null = path; next !== null; ) {
    const body = await bodyOf(mirror, next);
    pages.push(body);
    next = (JSON.parse(body).links.next as string | null)?.replace('/api/v1/', '') ?? null;
  }
  return pages;
}

/** Ids of every transaction of the ledger. */
function idsOf(pages: readonly string[]): readonly string[] {
  return pages.flatMap((page) =>
    (JSON.parse(page).transactions as { transaction_id: string }[]).map((each) => each.transaction_id),
  );
}

describe.each([
  ['spec', 'spec'],
  ['spec', 'hiero'],
  ['hiero', 'spec'],
] as const)(
  'a mirror in dialect %s, followed from its first block by one in dialect %s',
  (spoken, dialect) => {
    /** The followed mirror, as it answers in the dialect of the follower. */
    let peer: MirrorApp;
    let follower: MirrorApp;
    let asked: readonly string[];
    beforeAll(async () => {
      const { tree } = await writtenStream({
        files: 40,
        transactionsPerFile: 30,
        systemFiles: [gasPriceFile()],
      });
      peer = await openMirror({ dialect });
      await importInto(peer, createDirectorySource('/stream', tree));
      follower = await openMirror({ dialect });
      const asSpoken = await openMirror({ dialect: spoken, store: peer.store });
      const followed = followedMirror((path) => asSpoken.app.inject(path));
      const report = await importInto(follower, followed.source);
      expect(report).toMatchObject({ units: 40, refused: [], verification: 'none' });
      asked = followed.asked;
    });

    test.each([
      'transactions?limit=100',
      'transactions?limit=100&order=asc&result=fail',
      'transactions?limit=100&type=debit',
      'transactions?limit=25&account.id=0.0.98',
      'blocks?limit=100',
      'network/nodes?limit=25',
    ])('answers %s as it does, page by page', async (path) => {
      const pages = await pagesOf(follower, path);
      expect(pages).toEqual(await pagesOf(peer, path));
      expect(pages.join('')).toMatch(/"0\.0\.|"number"/);
    });

    test.each(['network/stake', 'network/exchangerate', 'network/supply', 'network/supply?q=circulating'])(
      'answers %s as it does',
      async (path) => {
        const answer = await bodyOf(follower, path);
        expect(answer).toBe(await bodyOf(peer, path));
        expect(answer).not.toContain('_status');
      },
    );

    test('answers the balances as it does, but for tokens that an account took up and never had', async () => {
      const withoutZeros = (answer: string) =>
        answer.replace(/\{"token_id":"[\d.]+","balance":0\},?/g, '').replaceAll(',]', ']');
      const answer = await bodyOf(follower, 'balances?limit=100');
      expect(withoutZeros(answer)).toBe(withoutZeros(await bodyOf(peer, 'balances?limit=100')));
      expect(answer).toMatch(/"token_id":"[\d.]+","balance":[1-9]\d{15}/);
    });

    test('answers each single transaction as it does, with the custom fees that lists do not tell', async () => {
      const ids = new Set(idsOf(await pagesOf(peer, 'transactions?limit=100')));
      const answers: string[] = [];
      for (const id of ids) {
        answers.push(await bodyOf(follower, `transactions/${id}`));
        expect(answers.at(-1)).toBe(await bodyOf(peer, `transactions/${id}`));
      }
      expect(answers.join('')).toContain('assessed_custom_fees');
    });

    test('tells no more of accounts than it can know', async () => {
      const [known, told] = await Promise.all(
        [peer, follower].map(async (mirror) =>
          JSON.parse(await bodyOf(mirror, 'accounts/0.0.3001?transactions=false')),
        ),
      );
      const { balance, created_timestamp } = known;
      expect(told).toMatchObject({
        account: '0.0.3001',
        balance,
        created_timestamp,
        deleted: false,
        key: null,
        // A text everywhere, also where nothing states it.
        memo: '',
      });
      expect(known.key).not.toBeNull();
    });

    test('is asked in pages, and alone only for what may have custom fees', async () => {
      const lists = asked.filter((path) => path.startsWith('/api/v1/transactions?'));
      expect(lists.length).toBeGreaterThan(10);
      expect(lists.length).toBeLessThan(20);
      expect(lists.every((path) => /timestamp=gte?:[\d.]+&timestamp=lte:[\d.]+$/.test(path))).toBe(true);
      const alone = asked.filter((path) => path.startsWith('/api/v1/transactions/'));
      expect(alone.length).toBeLessThan(400);
    });
  },
);

describe('a mirror that is followed from the middle', () => {
  let peer: MirrorApp;
  beforeAll(async () => {
    peer = await openMirror();
    const { tree } = await writtenStream({ files: 12, transactionsPerFile: 30 });
    await importInto(peer, createDirectorySource('/stream', tree));
  });
  /** The begin of block 5. */
  const start = consensusTimestamp(1_700_000_010_000_000_000n);
  const follow = () => followedMirror((path) => peer.app.inject(path));
  const importFrom = ({ area, store }: MirrorApp, source: StreamSource) =>
    createImporter({ repository: area.ledger, lookup: store.lookup, source, options: { start } }).run();

  test('has the blocks from there on, the network, and the balances that it states', async () => {
    const follower = await openMirror();
    expect(await importFrom(follower, follow().source)).toMatchObject({ units: 7, refused: [] });
    for (const path of ['blocks?block.number=gte:5', 'transactions?limit=100&timestamp=gte:1700000010']) {
      expect(await pagesOf(follower, path)).toEqual(await pagesOf(peer, path));
    }
    for (const path of [
      'network/nodes',
      'network/stake',
      'network/exchangerate',
      'network/fees',
      'network/fees?order=desc',
      'network/supply?q=circulating',
    ]) {
      expect(await bodyOf(follower, path), path).toBe(await bodyOf(peer, path));
    }
    const balances = async (mirror: MirrorApp) =>
      JSON.parse(await bodyOf(mirror, 'balances?limit=100')).balances;
    expect(await balances(follower)).toEqual(await balances(peer));
  });

  test('is not asked for balances by a ledger that had begun', async () => {
    const follower = await openMirror();
    const first = follow();
    await importFrom(follower, first.source);
    const { tree } = await writtenStream({ files: 14, transactionsPerFile: 30 });
    await importInto(peer, createDirectorySource('/stream', tree));
    const again = follow();
    expect(await importInto(follower, again.source)).toMatchObject({ units: 2, refused: [] });
    const isOfBalances = (path: string) => path.startsWith('/api/v1/balances');
    expect([first, again].map(({ asked }) => asked.some(isOfBalances))).toEqual([true, false]);
    expect(await bodyOf(follower, 'network/supply?q=circulating')).toBe(
      await bodyOf(peer, 'network/supply?q=circulating'),
    );
  });

  test('gives way to a source that has the next record file, whose keys the operator vouches for', async () => {
    const follower = await openMirror();
    await importFrom(follower, follow().source);
    const now = consensusTimestamp(1_800_000_000_000_000_000n);
    expect(await follower.area.ledger.nodeKeysAt(now)).toBeNull();
    const { tree } = await writtenStream({ files: 16, transactionsPerFile: 30 });
    const withoutBook = new Map([...tree.files].filter(([path]) => !path.endsWith('address_book.bin')));
    const unvouched = createDirectorySource('/stream', memoryFileTree(withoutBook));
    expect(await importInto(follower, unvouched)).toMatchObject({ units: 0, refused: [{}] });
    const report = await importInto(follower, createDirectorySource('/stream', tree));
    expect(report).toMatchObject({ refused: [], verification: 'signatures' });
    expect((await follower.area.ledger.nodeKeysAt(now))?.nodes).toHaveLength(4);
    const [newest] = JSON.parse(await bodyOf(follower, 'blocks?limit=1')).blocks;
    expect(newest).toMatchObject({ number: 15 });
  });

  test('is told of with a note where the network could not be read, and stores the transactions', async () => {
    const followed = follow();
    followed.answer((path) =>
      path.startsWith('/api/v1/network') ? new Response('', { status: 403 }) : null,
    );
    const follower = await openMirror();
    expect(await importFrom(follower, followed.source)).toMatchObject({ refused: [] });
    expect(followed.source.standing?.().notes).toEqual([
      expect.stringContaining('nodes could not be read: http://mirror.test/api/v1/network/nodes'),
      expect.stringContaining('rates could not be read: http://mirror.test/api/v1/network/exchangerate'),
      expect.stringContaining('prices could not be read: http://mirror.test/api/v1/network/fees'),
    ]);
    expect(followed.asked.filter((path) => path.startsWith('/api/v1/network'))).toHaveLength(3);
  });
});

/** @see contracts/streams.md section 11: times are data */
describe('a mirror whose blocks step back and overlap', () => {
  const options = { files: 250, transactionsPerFile: 6, stepsBack: true, nativeFrom: 20, nodes: 1 };
  const growing = [90, 91, 95, 230, 250];

  test('is followed whole, as it grows and from the middle on', async () => {
    const [peer, follower] = [await openMirror(), await openMirror()];
    const follow = () =>
      followedMirror((path) => peer.app.inject(path), { storedTimes: follower.area.ledger.storedTimes });
    for (const [index, files] of growing.entries()) {
      const grown = writtenBlockSource({ ...options, files }, growing[index - 1] ?? 0);
      expect(await importInto(peer, grown)).toMatchObject({ refused: [] });
      const report = await importInto(follower, follow().source);
      expect(report).toMatchObject({ refused: [], units: files - (growing[index - 1] ?? 0) });
    }
    for (const path of ['blocks?limit=100', 'transactions?limit=100']) {
      expect(await pagesOf(follower, path)).toEqual(await pagesOf(peer, path));
    }
    const late = await openMirror();
    const source = followedMirror((path) => peer.app.inject(path)).source;
    expect(await importInto(late, source)).toMatchObject({ refused: [], units: options.files });
    expect(await pagesOf(late, 'blocks?limit=100')).toEqual(await pagesOf(peer, 'blocks?limit=100'));
    expect(await pagesOf(late, 'transactions?limit=100')).toEqual(
      await pagesOf(peer, 'transactions?limit=100'),
    );
  });
});

describe('the look for new blocks', () => {
  test('gets rarer while none comes, and ends with a new one', async () => {
    const { tree } = await writtenStream({ files: 3 });
    const peer = await openMirror();
    await importInto(peer, createDirectorySource('/stream', tree));
    const followed = followedMirror((path) => peer.app.inject(path));
    const follower = await openMirror();
    await importInto(follower, followed.source);
    expect(followed.source.standing?.()).toMatchObject({
      node: null,
      newest: { blockNumber: 2n },
      notes: [],
    });
    let looks = 0;
    followed.answer(async () => {
      if (++looks === 8) {
        const { tree: longer } = await writtenStream({ files: 4 });
        await importInto(peer, createDirectorySource('/stream', longer));
      }
      return null;
    });
    const { signal } = new AbortController();
    await followed.source.changed?.(signal);
    expect(followed.rests).toEqual([1000, 1500, 2250, 3375, 5062.5, 7593.75, 10_000, 10_000]);
    expect(followed.source.standing?.()).toMatchObject({ newest: { blockNumber: 3n } });
    await importInto(follower, followed.source);
    expect(await bodyOf(follower, 'blocks')).toBe(await bodyOf(peer, 'blocks'));
    const stop = new AbortController();
    followed.answer(() => {
      stop.abort();
      return null;
    });
    await followed.source.changed?.(stop.signal);
    expect(followed.rests.at(-1)).toBe(5000);
  });

  test('ends at once where something was left', async () => {
    const { tree } = await writtenStream({ files: 3 });
    const peer = await openMirror();
    await importInto(peer, createDirectorySource('/stream', tree));
    const followed = followedMirror((path) => peer.app.inject(path));
    const listing = await followed.source.list(null);
    for await (const _page of listing.pages) break;
    await followed.source.changed?.(new AbortController().signal);
    expect(followed.rests).toEqual([1000]);
    expect(followed.asked.filter((path) => path.includes('order=desc'))).toEqual([]);
  });
});
