import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  runCommand,
  runCommandBeside,
  type ServeProcess,
  startServe,
  until,
} from '../support/serve-process.ts';
import { type WrittenNetwork, writeNetwork } from '../support/written-network.ts';

/** A server that environment variables alone let follow a network, through a stop and a restart. */
const FILES = 10;
const HALF = 5;
const OPTIONS = { files: FILES, transactionsPerFile: 8, nodes: 3, keyBits: 1024, seed: 'follow a network' };
const PATHS = [
  '/api/v1/transactions?limit=100&order=asc',
  '/api/v1/transactions?limit=100',
  '/api/v1/blocks?limit=100',
  '/api/v1/accounts/0.0.2',
];

let folder = '';
let network: WrittenNetwork;
/** Imported once from the folder: what every way must answer. */
let wanted: readonly string[] = [];
const running: ServeProcess[] = [];

async function start(environment: Readonly<Record<string, string>>): Promise<ServeProcess> {
  const server = await startServe({ MIRROR_WATCH_MS: '50', ...environment }, folder);
  running.push(server);
  return server;
}

/** Names and sizes of files are those of the way that they came. */
const ofTheWay = /"name":"[^"]*\.(rcd\.gz|blk)"|"size":\d+/g;

const answers = (server: ServeProcess): Promise<readonly string[]> =>
  Promise.all(
    PATHS.map(async (path) => (await (await fetch(`${server.url}${path}`)).text()).replaceAll(ofTheWay, '')),
  );

/** Compared as truth values: a difference of such texts would take minutes to print. */
async function differing(server: ServeProcess, paths = PATHS): Promise<readonly string[]> {
  const found = await answers(server);
  return paths.filter((path) => found[PATHS.indexOf(path)] !== wanted[PATHS.indexOf(path)]);
}

async function blocks(server: ServeProcess): Promise<number> {
  const { blocks } = (await (await fetch(`${server.url}/api/v1/blocks?limit=100`)).json()) as {
    blocks: unknown[];
  };
  return blocks.length;
}

async function sources(server: ServeProcess): Promise<readonly Record<string, unknown>[]> {
  const answer = await fetch(`${server.url}/health/readiness`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { ingest: Record<string, unknown>[] }).ingest;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-network-'));
  network = await writeNetwork(folder, OPTIONS);
  const server = await start({ DATABASE_URL: 'sqlite:wanted.sqlite', MIRROR_WATCH: network.folder });
  await until('the folder is imported', async () => (await blocks(server)) === FILES);
  wanted = await answers(server);
  await server.stop('SIGTERM');
}, 120_000);

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop('SIGKILL');
});

afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Follows until half of the network is there, stops, and follows the rest after a restart. */
async function followInTwo(
  name: string,
  variables: Readonly<Record<string, string>>,
  appear: (from: number, to: number) => Promise<void> | void,
): Promise<ServeProcess> {
  const environment = { DATABASE_URL: `sqlite:${name}.sqlite`, ...variables };
  await appear(0, HALF);
  const first = await start(environment);
  await until(`${name}: half is there`, async () => (await blocks(first)) === HALF);
  expect(await first.stop('SIGTERM')).toBe(0);
  const second = await start(environment);
  await appear(HALF, FILES);
  await until(`${name}: all is there`, async () => (await blocks(second)) === FILES);
  return second;
}

describe('a server follows', { timeout: 240_000 }, () => {
  test('a folder', async () => {
    const watched = join(folder, 'watched');
    const server = await followInTwo('folder', { MIRROR_WATCH: watched }, (from, to) =>
      network.intoFolder(watched, from, to),
    );
    expect(await differing(server)).toEqual([]);
  });

  test('a bucket, and check tries it', async () => {
    const variables = network.bucketVariables;
    const server = await followInTwo('bucket', variables, network.intoBucket);
    expect(await differing(server)).toEqual([]);
    expect(await sources(server)).toMatchObject([{ source: 's3://streams', verification: 'signatures' }]);
    await server.stop('SIGTERM');
    const checked = (more: Record<string, string>) =>
      runCommandBeside(['check'], { ...variables, DATABASE_URL: 'sqlite:bucket.sqlite', ...more }, folder);
    const right = await checked({});
    expect(right.output).toMatch(
      /source s3:\/\/streams +ok +can be read; a unit has proof level "signatures"/,
    );
    expect(right.exitCode, right.output).toBe(0);
    const denied = await checked({ AWS_ACCESS_KEY_ID: 'nobody' });
    expect(denied.output).toMatch(/source s3:\/\/streams +WRONG .*AWS_ACCESS_KEY_ID/);
    expect(denied.exitCode).toBe(1);
    const missing = await checked({ MIRROR_BUCKET: 's3://nobodys' });
    expect(missing.output).toMatch(/source s3:\/\/nobodys +WRONG .*bucket/i);
  });

  test('a block node', async () => {
    const server = await followInTwo('node', network.nodeVariables, network.intoNode);
    expect(await differing(server)).toEqual([]);
    expect(await sources(server)).toMatchObject([
      { verification: 'signatures', network: { block: FILES - 1, blocksBehind: 0 } },
    ]);
  });

  test('another server', async () => {
    const watched = join(folder, 'of the peer');
    const peer = await start({ DATABASE_URL: 'sqlite:peer.sqlite', MIRROR_WATCH: watched });
    const server = await followInTwo('mirror', { MIRROR_FOLLOW: peer.url }, (from, to) =>
      network.intoFolder(watched, from, to),
    );
    expect(await differing(server, PATHS.slice(0, 3))).toEqual([]);
    expect(await sources(server)).toMatchObject([{ source: peer.url, verification: 'none' }]);
  });
});

test('all of them together make one ledger, whoever has the next unit', { timeout: 240_000 }, async () => {
  const watched = join(folder, 'a part');
  const other = await writeNetwork(join(folder, 'together'), OPTIONS);
  try {
    const peer = await start({ DATABASE_URL: 'sqlite:another-peer.sqlite', MIRROR_WATCH: network.folder });
    await until('the peer has all', async () => (await blocks(peer)) === FILES);
    const environment = {
      DATABASE_URL: 'sqlite:together.sqlite',
      MIRROR_WATCH: watched,
      MIRROR_FOLLOW: peer.url,
      ...other.bucketVariables,
      ...other.nodeVariables,
    };
    other.intoFolder(watched, 0, 2);
    const first = await start(environment);
    await until('what the folder has is there', async () => (await blocks(first)) >= 2);
    await other.intoBucket(1, 4);
    await until('what the bucket has is there', async () => (await blocks(first)) >= 4);
    other.intoNode(0, 6);
    await until('what the node has is there', async () => (await blocks(first)) >= 6);
    expect(await first.stop('SIGTERM')).toBe(0);
    other.intoFolder(watched, 5, 8);
    const second = await start(environment);
    await until('what came meanwhile is there', async () => (await blocks(second)) >= 8);
    // The rest has the mirror alone, which is asked when the others give nothing.
    await until('all is there', async () => (await blocks(second)) === FILES);
    expect(await differing(second, PATHS.slice(0, 3))).toEqual([]);
    await second.stop('SIGTERM');
    const { output } = runCommand(['ledger', 'units'], environment, folder);
    for (const source of [watched, 's3://streams', 'block nodes', peer.url]) expect(output).toContain(source);
  } finally {
    await other.close();
  }
});

test('a network goes over from record files in a bucket to native blocks of a node', {
  timeout: 240_000,
}, async () => {
  const changing = await writeNetwork(join(folder, 'changing'), { ...OPTIONS, nativeFrom: 6 });
  try {
    const environment = {
      DATABASE_URL: 'sqlite:changing.sqlite',
      ...changing.bucketVariables,
      ...changing.nodeVariables,
    };
    await changing.intoBucket(0, 6);
    const first = await start(environment);
    await until('the record files are there', async () => (await blocks(first)) === 6);
    changing.intoNode(5, 8);
    await until('native blocks follow', async () => (await blocks(first)) === 8);
    // Nobody reads what a bucket says after that.
    await changing.intoBucket(6, FILES);
    expect(await first.stop('SIGTERM')).toBe(0);
    const second = await start(environment);
    changing.intoNode(8, FILES);
    await until('the last block is there', async () => (await blocks(second)) === FILES);
    expect(await differing(second, PATHS.slice(0, 2))).toEqual([]);
    const [bucket, node] = await sources(second);
    expect(bucket).toMatchObject({ source: 's3://streams', state: 'finished' });
    expect(node).toMatchObject({ verification: 'chain', gap: null });
    expect(JSON.stringify(node)).not.toContain('not linked');
    const warnings = second.log().match(/is no longer read/g) ?? [];
    expect(warnings).toHaveLength(1);
  } finally {
    await changing.close();
  }
});
