import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLeftOut, NO_SMALL_DISK } from '../support/left-out.ts';
import { type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { emptyWriteAheadLog, holdWriteLock } from '../support/sqlite-file.ts';
import { openFileStore } from '../support/test-store.ts';

/** What becomes of a server whose database is taken from under it: the disk is full, somebody has the lock, the file is gone. */
const CONTRACTS = 200;
const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

let folder: string;
let serve: ServeProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-faults-'));
});

afterEach(async () => {
  await serve?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(database = join(folder, 'data', 'l.sqlite')): Promise<string> {
  const codes = Array.from({ length: CONTRACTS }, (_, index) => [
    addressOf(index),
    { runtimeBytecode: '0x6000' },
  ]);
  writeFileSync(
    join(folder, 'chains.json'),
    JSON.stringify({ 1: { name: 'given', static: Object.fromEntries(codes) } }),
  );
  serve = await startServe(
    {
      DATABASE_URL: `sqlite:${database}`,
      VERIFY_CHAINS_FILE: join(folder, 'chains.json'),
      VERIFY_COMPILER_CACHE_DIR: join(folder, 'compilers'),
      VERIFY_OUTPUT_CACHE_DIR: join(folder, 'outputs'),
      VERIFY_FIRST_POLL_MS: '0',
    },
    folder,
  );
  await until('it is ready', async () => (await readiness()).status === 'ok');
  return database;
}

let submitted = 0;
async function submit(): Promise<{ status: number; id: string; text: string }> {
  const answer = await fetch(`${serve.url}/v2/verify/1/${addressOf(submitted++)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: {
        language: 'Solidity',
        sources: { 'a.sol': { content: 'contract A {}' } },
        settings: {},
      },
      compilerVersion: '0.8.30+commit.73712a01',
      contractIdentifier: 'a.sol:A',
    }),
  });
  const text = await answer.text();
  return { status: answer.status, id: answer.status === 202 ? JSON.parse(text).verificationId : '', text };
}

async function readiness() {
  const answer = await fetch(`${serve.url}/health/readiness`);
  const body = (await answer.json()) as { status: string; database: { writes: string; reason?: string } };
  return { ...body, code: answer.status };
}

const isCompleted = async (id: string) =>
  ((await (await fetch(`${serve.url}/v2/verify/${id}`)).json()) as { isJobCompleted?: boolean })
    .isJobCompleted === true;

const logged = (text: string) =>
  serve
    .log()
    .split('\n')
    .filter((line) => line.includes(text)).length;

describe('a full disk', { timeout: 120_000 }, () => {
  let disk: string;
  const mounts = (...args: string[]) => spawnSync(args[0] ?? '', args.slice(1)).status === 0;

  beforeEach(() => {
    disk = join(folder, 'disk');
    mkdirSync(disk);
  });
  afterEach(() => void mounts('umount', '-l', disk));

  test('refuses submissions with the reason, answers everything else, and continues by itself', async ({
    skip,
  }) => {
    if (!mounts('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk)) {
      isLeftOut(NO_SMALL_DISK);
      return skip(NO_SMALL_DISK);
    }
    await start(join(disk, 'l.sqlite'));
    const accepted: string[] = [];
    for (let count = 0; count < 20; count++) accepted.push((await submit()).id);
    const fill = openSync(join(disk, 'fill'), 'w');
    expect(() => {
      for (;;) writeSync(fill, Buffer.alloc(4096));
    }).toThrow('ENOSPC');
    closeSync(fill);
    let refused = 0;
    const refusedOrAccepted = async () => {
      const { id, status, text } = await submit();
      if (status === 202) accepted.push(id);
      else {
        expect([status, text]).toEqual([503, expect.stringContaining('the disk is full')]);
        refused += 1;
      }
    };
    await until('a submission is refused', async () => {
      await refusedOrAccepted();
      return refused > 0;
    });
    for (let count = 0; count < 20; count++) {
      await refusedOrAccepted();
      for (const path of ['/health/liveness', '/api/v2/summary.json', '/api/v1/transactions']) {
        expect((await fetch(`${serve.url}${path}`)).status).toBe(200);
      }
    }
    // A write that fits into the room that its log has left succeeds for some time, and is told as well.
    await until('readiness tells it', async () => {
      await refusedOrAccepted();
      const { code, database } = await readiness();
      expect(code).toBe(200);
      return database.writes === 'failing' && database.reason === 'the disk is full';
    });
    expect(logged('the database does not accept writes')).toBeGreaterThan(0);
    // A line for each change, not for each refusal.
    expect(logged('the database does not accept writes')).toBeLessThan(refused);
    rmSync(join(disk, 'fill'));
    await until('it takes writes again', async () => (await readiness()).database.writes === 'working');
    for (const id of accepted) await until(`job ${id} ends`, () => isCompleted(id));
    expect((await submit()).status).toBe(202);
    expect(await serve.stop('SIGTERM')).toBe(0);
  });
});

test('while another process holds the lock nobody waits but those who write, and nothing is lost', {
  timeout: 120_000,
}, async () => {
  const path = await start();
  let release = holdWriteLock(path);
  const stored = submit();
  for (let count = 0; count < 50; count++) {
    for (const url of ['/health/liveness', '/api/v2/summary.json', '/api/v1/transactions?limit=1']) {
      expect((await fetch(`${serve.url}${url}`)).status).toBe(200);
    }
  }
  release();
  const { id, status } = await stored;
  expect(status).toBe(202);

  release = holdWriteLock(path);
  const refused = await submit();
  expect([refused.status, refused.text]).toEqual([
    503,
    expect.stringContaining('another process holds the write lock'),
  ]);
  expect((await readiness()).database.writes).toBe('waiting');
  release();
  expect((await submit()).status).toBe(202);
  await until('the job ends', () => isCompleted(id));
  expect((await readiness()).database).toEqual({ writes: 'working' });
});

test.each(['deleted', 'replaced'])(
  'a database file that was %s takes no more writes until it is back',
  {
    timeout: 120_000,
  },
  async (fault) => {
    const path = await start();
    expect((await submit()).status).toBe(202);
    // In one step, or the server may see for a moment that there is none.
    linkSync(path, `${path}.away`);
    if (fault === 'deleted') unlinkSync(path);
    else {
      copyFileSync(path, `${path}.other`);
      renameSync(`${path}.other`, path);
    }
    const refused = await submit();
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining(`the database file was ${fault}`),
    ]);
    await until('readiness refuses', async () => (await readiness()).code === 503);
    expect((await readiness()).database.reason).toMatch(`the database file was ${fault}`);
    expect((await fetch(`${serve.url}/health/liveness`)).status).toBe(200);
    renameSync(`${path}.away`, path);
    await until('it is ready again', async () => (await readiness()).code === 200);
    expect((await submit()).status).toBe(202);
    expect(logged('the database does not accept writes')).toBe(1);
  },
);

test('a deleted write-ahead log costs nothing that was accepted, when the server is stopped in order', {
  timeout: 120_000,
}, async () => {
  const path = await start();
  const ids = [await submit(), await submit()].map(({ id }) => id);
  rmSync(`${path}-wal`);
  expect(await submit()).toMatchObject({ status: 503, text: expect.stringContaining('write-ahead log') });
  expect(await serve.stop('SIGTERM')).toBe(0);
  const store = await openFileStore(path);
  const stored = await Promise.all(ids.map((id) => store.verify.jobs.find(id)));
  await store.close();
  expect(stored.map((job) => job?.id)).toEqual(ids);
});

test('a database file that is cut off does not end the process', { timeout: 120_000 }, async () => {
  const path = await start();
  emptyWriteAheadLog(path);
  truncateSync(path, 8192);
  for (const url of ['/api/v1/transactions', '/api/v1/network/nodes', `/v2/contract/1/${addressOf(1)}`]) {
    expect([200, 404, 503]).toContain((await fetch(`${serve.url}${url}`)).status);
  }
  expect((await fetch(`${serve.url}/health/liveness`)).status).toBe(200);
});
