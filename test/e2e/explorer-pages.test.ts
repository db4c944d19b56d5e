import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { sharedPath } from '../shared-data.ts';
import { explorerPlaces, type Place, pathsAt, rowsOf } from '../support/explorer-places.ts';
import { EXPLORER_REQUESTS, EXPLORER_TABLES } from '../support/explorer-requests.ts';
import { SHAPES, type ShapeName } from '../support/explorer-shapes.ts';
import { describeShared } from '../support/shared-suites.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Json = Readonly<Record<string, unknown>>;

const FOUR_HOURS = 14_400_000_000_000n;
/** Places of one path that are asked, at most: spread over all that there are. */
const MAX_PLACES = 40;

/** An explorer at a server that imported these files. */
async function openExplorer(path: string, env: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ env: { MIRROR_DIALECT: 'hiero', ...env } });
  const [report] = await server.services.imports.run([path]);
  expect(report).toMatchObject({ refused: [] });
  const send = (target: string) => fetch(`${server.url}/api/v1/${target}`);
  const get = async (target: string): Promise<Json> => {
    const answer = await send(target);
    expect(answer.status, target).toBe(200);
    expect(answer.headers.get('access-control-allow-origin'), target).toBe('*');
    return (await answer.json()) as Json;
  };
  return { get, places: await explorerPlaces(get), send, server };
}

/** What is wrong with the answers to a request at all places of a ledger. */
async function faultsOf(get: (path: string) => Promise<Json>, paths: readonly string[], shape: ShapeName) {
  const step = Math.max(1, Math.floor(paths.length / MAX_PLACES));
  const asked = paths.filter((_, index) => index % step === 0);
  const faults: string[] = [];
  for (const path of asked) {
    const body = await get(path);
    const wrong = Value.Errors(SHAPES[shape], body).First();
    if (wrong !== undefined)
      faults.push(`${path}: ${wrong.path} ${JSON.stringify(wrong.value)} ${wrong.message}`);
  }
  return faults;
}

describe('pages of the web explorer at a generated ledger', () => {
  let folder = '';
  let server: TestServer;
  let get: (path: string) => Promise<Json>;
  let send: (path: string) => Promise<Response>;
  let places: readonly Place[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-pages-'));
    await writeStream(writeIntoFolder(folder), {
      mix: 'everything',
      seed: 'one',
      files: 16,
      transactionsPerFile: 90,
      filePeriod: FOUR_HOURS,
      nodes: 1,
      accounts: 20,
      keyBits: 1024,
    });
    ({ get, places, send, server } = await openExplorer(folder));
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(EXPLORER_REQUESTS)('%s: %s', async (_page, template, shape) => {
    const paths = pathsAt(template, places);
    expect(paths).not.toEqual([]);
    expect(await faultsOf(get, paths, shape)).toEqual([]);
  });

  test.each(EXPLORER_TABLES)(
    'the table $table is paged in both orders',
    async ({ cursor, fewest, list, path }) => {
      let longest = 0;
      for (const target of pathsAt(path, places).slice(0, MAX_PLACES)) {
        for (const order of ['asc', 'desc'] as const) {
          const expected = await rowsOf(get, `${target}?limit=100&order=${order}`, list);
          const found: Json[] = [];
          for (let more = ''; ; ) {
            const page = (await get(`${target}?limit=1&order=${order}${more}`))[list] as readonly Json[];
            found.push(...page);
            const last = page.at(-1);
            if (last === undefined || found.length > expected.length) break;
            more = cursorAfter(last, cursor, order);
          }
          expect(found, `${target} ${order}`).toEqual(expected);
          longest = Math.max(longest, found.length);
        }
      }
      expect(longest).toBeGreaterThanOrEqual(fewest);
    },
  );

  test('all requests of a page at once are answered', async () => {
    const account =
      places.find((place) => place['token'] !== undefined && place['account'] !== undefined) ?? {};
    const paths = EXPLORER_REQUESTS.filter(([page]) => page.startsWith('account:')).flatMap(([, template]) =>
      pathsAt(template, [account]),
    );
    expect(paths.length).toBeGreaterThan(7);
    const answers = await Promise.all(paths.map((path) => send(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  });
});

describeShared('pages of the web explorer at real streams', () => {
  test.each([
    ['blocks-0.78', { MIRROR_SHARD: '11', MIRROR_REALM: '12' }],
    ['mainnet-v5', {}],
    ['mainnet-v6', {}],
  ])('%s', async (stream, env) => {
    const { get, places, server } = await openExplorer(sharedPath('data', 'streams', stream), env);
    try {
      const faults: string[] = [];
      for (const [, template, shape] of EXPLORER_REQUESTS) {
        faults.push(...(await faultsOf(get, pathsAt(template, places), shape)));
      }
      expect(faults).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

/** The parameters by which a table asks for what comes after a row; a serial number only where there is one. */
function cursorAfter(
  row: Json,
  cursor: readonly (readonly [parameter: string, member: string])[],
  order: 'asc' | 'desc',
): string {
  const [strict, kept] = order === 'asc' ? ['gt', 'gte'] : ['lt', 'lte'];
  const told = cursor.filter(([, member]) => row[member] !== null && row[member] !== 0);
  return told
    .map(([parameter, member], index) => {
      const operator = index === told.length - 1 ? strict : kept;
      return `&${parameter}=${operator}:${row[member]}`;
    })
    .join('');
}
