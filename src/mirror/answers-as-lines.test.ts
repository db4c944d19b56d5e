import { stringify } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseBigintJson } from '../../test/kit/mirror/bigint-json.ts';
import { writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type NaiveLedger, naiveLedger } from '../../test/kit/mirror/ledger/naive-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { freshSeed } from '../../test/support/seed.ts';
import { readFixture } from './ingest/fixture/read-fixture.ts';
import { createImporter } from './ingest/run/importer.ts';
import { createDirectorySource } from './ingest/source/directory-source.ts';
import { fixtureUnit } from './ledger/fixture-unit.ts';
import type { LedgerUnit } from './ledger/rows.ts';

type Json = Readonly<Record<string, unknown>>;

/** A kind of line, and the answers whose objects are such lines. */
interface LineKind {
  readonly kind: string;
  /** Paths with what the objects do not say themselves. */
  readonly answers: (ledger: NaiveLedger) => readonly (readonly [path: string, more?: Json])[];
  /** Member with the list of objects; the answer itself is the object without it. */
  readonly list?: string;
}

/** The contract of the ledger is a line of kind `contract`. */
const CONTRACT = 2004n;
const accounts = ({ hbar }: NaiveLedger) =>
  [...hbar.keys()].flatMap((num) => (num === CONTRACT ? [] : `0.0.${num}`));
const topics = ({ services }: NaiveLedger) => [
  ...new Set([...services.messages.values()].map(({ topic }) => topic)),
];

const LINE_KINDS: readonly LineKind[] = [
  {
    kind: 'account',
    answers: (ledger) => accounts(ledger).map((id) => [`accounts/${id}?transactions=false`]),
  },
  {
    kind: 'token',
    answers: ({ tokens }) => [...tokens.tokens.keys()].map((num) => [`tokens/0.0.${num}`]),
  },
  {
    kind: 'nft',
    answers: ({ tokens }) =>
      [...tokens.tokens].flatMap(([num, { isUnique }]) =>
        isUnique ? [[`tokens/0.0.${num}/nfts?limit=100`]] : [],
      ),
    list: 'nfts',
  },
  {
    kind: 'token_relation',
    answers: (ledger) => accounts(ledger).map((id) => [`accounts/${id}/tokens?limit=100`, { account: id }]),
    list: 'tokens',
  },
  {
    kind: 'allowance',
    answers: (ledger) =>
      accounts(ledger).flatMap((id) =>
        ['crypto', 'tokens', 'nfts'].map((kind) => [`accounts/${id}/allowances/${kind}?limit=100`] as const),
      ),
    list: 'allowances',
  },
  {
    kind: 'airdrop',
    answers: (ledger) => accounts(ledger).map((id) => [`accounts/${id}/airdrops/outstanding?limit=100`]),
    list: 'airdrops',
  },
  {
    kind: 'topic',
    answers: (ledger) => topics(ledger).map((num) => [`topics/0.0.${num}`]),
  },
  {
    kind: 'topic_message',
    answers: (ledger) => topics(ledger).map((num) => [`topics/0.0.${num}/messages?limit=100`]),
    list: 'messages',
  },
  {
    kind: 'schedule',
    answers: ({ services }) => [...services.schedules.keys()].map((num) => [`schedules/0.0.${num}`]),
  },
];
/** A ledger that has some of all. */
const SEED = 'one';
const HOME = { shard: 0n, realm: 0n };
const FOUR_HOURS = 14_400_000_000_000n;
/** Pages of a list that are followed, at most. */
const MAX_PAGES = 50;

describe.each([
  ['hiero', SEED],
  ['spec', `${freshSeed()}`],
] as const)('answers in the dialect %s, seed %s', (dialect, seed) => {
  let imported: MirrorApp;
  let written: MirrorApp;
  let replay: NaiveLedger;

  beforeAll(async () => {
    imported = await buildMirrorApp({ dialect });
    const units: LedgerUnit[] = [];
    const { ledger, lookup } = imported.store;
    const { tree } = await writtenStream({
      mix: 'everything',
      seed,
      files: 16,
      transactionsPerFile: 90,
      filePeriod: FOUR_HOURS,
      nodes: 1,
      accounts: 20,
    });
    const repository: typeof ledger = {
      ...ledger,
      async commitUnits(added) {
        units.push(...added);
        return ledger.commitUnits(added);
      },
    };
    const source = createDirectorySource('/stream', tree);
    expect(await createImporter({ repository, lookup, source }).run()).toMatchObject({ refused: [] });
    replay = naiveLedger(units);
    const lines: string[] = [];
    for (const kind of LINE_KINDS) {
      for (const [path, more] of kind.answers(replay)) {
        for (const object of await objectsOf(imported, path, kind.list)) {
          lines.push(stringify({ kind: kind.kind, ...more, ...object }) ?? '');
        }
      }
    }
    written = await buildMirrorApp({ dialect });
    const rows = readFixture(Buffer.from(lines.join('\n')), 'answers.ndjson', HOME);
    expect(await written.store.ledger.commitUnits([fixtureUnit('answers', rows)])).toEqual(['stored']);
  });
  afterAll(async () => {
    await imported.close();
    await written.close();
  });

  test.each(LINE_KINDS)('line by line as $kind give the same answers', async ({ answers, list }) => {
    const paths = answers(replay);
    expect(paths.length).toBeGreaterThan(0);
    let objects = 0;
    for (const [path] of paths) {
      const expected = await objectsOf(imported, path, list);
      objects += expected.length;
      expect([path, await objectsOf(written, path, list)]).toEqual([path, expected]);
    }
    if (seed === SEED) expect(objects).toBeGreaterThan(0);
  });
});

/** The objects of an answer, and of all pages that follow it. */
async function objectsOf({ app }: MirrorApp, path: string, list?: string): Promise<readonly Json[]> {
  const objects: Json[] = [];
  let url: string | null = `/api/v1/${path}`;
  for (let pages = 0; url !== null; pages++) {
    expect(pages, path).toBeLessThan(MAX_PAGES);
    const answer = await app.inject(url);
    expect([url, answer.statusCode]).toEqual([url, 200]);
    const body = parseBigintJson(answer.body) as Json;
    if (list === undefined) {
      const { links: _links, transactions: _transactions, ...object } = body;
      return [object];
    }
    objects.push(...(body[list] as readonly Json[]));
    url = (body['links'] as { readonly next: string | null }).next;
  }
  return objects;
}
