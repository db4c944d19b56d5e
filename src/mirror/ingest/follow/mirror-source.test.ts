import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../testing/mirror-app.ts';
import { createImporter } from '../run/importer.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { followedMirror } from '../testing/followed-mirror.ts';
import { writtenStream } from '../testing/memory-file-tree.ts';
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

describe.each(['spec', 'hiero'] as const)(
  'a mirror in dialect %s, followed from its first block',
  (dialect) => {
    let peer: MirrorApp;
    let follower: MirrorApp;
    let asked: readonly string[];
    beforeAll(async () => {
      const { tree } = await writtenStream({ files: 40, transactionsPerFile: 30 });
      peer = await openMirror({ dialect });
      await importInto(peer, createDirectorySource('/stream', tree));
      follower = await openMirror({ dialect });
      const followed = followedMirror((path) => peer.app.inject(path));
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
