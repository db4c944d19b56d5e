import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSelfSignedIdentity } from '../../../test/clients/self-signed-certificate.ts';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { freePort } from '../../../test/support/serve-process.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import { backendOf, openStore } from '../../store/open-store.ts';
import { StorageFaultError } from '../../values/storage-errors.ts';
import { postgresStorageError } from './postgres-errors.ts';
import { openPostgresPool } from './postgres-pool.ts';

const HOST = 'localhost';
const identity = createSelfSignedIdentity(HOST);
const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-tls-'));
const right = join(folder, 'right.pem');
const other = join(folder, 'other.pem');

let cluster: PostgresCluster;
/** Without TLS, to which a test adds what it wants. */
let url: string;
/** Of the same server, where its certificate does not name the host. */
let elsewhere: string;
/** Takes no TLS. */
let plain: PostgresCluster;
beforeAll(async () => {
  writeFileSync(right, identity.certificate);
  writeFileSync(other, createSelfSignedIdentity(HOST).certificate);
  const port = await freePort();
  cluster = await startPostgres({ tls: { port, ...identity } });
  const name = /\/(\w+)\?/.exec(await cluster.createMigrated())?.[1];
  url = `postgres://ledgerlens:hidden@${HOST}:${port}/${name}`;
  elsewhere = `postgres://ledgerlens:hidden@127.0.0.1:${port}/${name}`;
  plain = await startPostgres();
});
afterAll(async () => {
  await cluster?.stop();
  await plain?.stop();
  rmSync(folder, { recursive: true });
});

const silent = { info() {}, warn() {}, error() {} };

/** As a start does it. */
async function open(at: string): Promise<void> {
  const mirror = { dialect: 'spec', shard: 0n, realm: 0n, transactionBytes: false } as const;
  const store = await openStore({ database: parseDatabaseUrl(at), mirror }, { log: silent });
  try {
    await store.maintenance.size();
  } finally {
    await store.close();
  }
}

/** As `ledgerlens check` does it. */
const check = (at: string) => {
  const database = parseDatabaseUrl(at);
  return backendOf(database).examine(database, async ({ integrity }) => integrity(false));
};

async function isEncrypted(at: string): Promise<boolean> {
  const pool = openPostgresPool(at, { connections: 1 });
  try {
    const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return rows[0]?.ssl;
  } finally {
    await pool.end();
  }
}

describe('connects with TLS', () => {
  test.each([
    ['without looking at the certificate', () => `${elsewhere}?sslmode=require`],
    [
      'to a certificate of the authority, whatever its host',
      () => `${elsewhere}?sslmode=require&sslrootcert=${right}`,
    ],
    ['the same as verify-ca', () => `${elsewhere}?sslmode=verify-ca&sslrootcert=${right}`],
    [
      'to a certificate of the authority for the host',
      () => `${url}?sslmode=verify-full&sslrootcert=${right}`,
    ],
    ['the same with an authority alone', () => `${url}?application_name=x&sslrootcert=${right}`],
  ])('%s', async (_, at) => {
    await open(at());
    expect(await check(at())).toBe('ok');
    expect(await isEncrypted(at())).toBe(true);
  });
});

const UNTRUSTED =
  'its certificate is not signed by a trusted authority: set sslrootcert in its URL to the file';
const OTHER_HOST = 'its certificate is for another host: its URL must use the host name of the certificate';
const NEEDS_TLS = 'it accepts only connections with TLS: add sslmode=verify-full';
const refused: readonly (readonly [string, () => string, string])[] = [
  ['another authority', () => `${url}?sslmode=verify-full&sslrootcert=${other}`, UNTRUSTED],
  ['another authority for any host', () => `${url}?sslmode=verify-ca&sslrootcert=${other}`, UNTRUSTED],
  ['another authority where one is named', () => `${url}?sslmode=require&sslrootcert=${other}`, UNTRUSTED],
  ['the authorities that everybody trusts', () => `${url}?sslmode=verify-full`, UNTRUSTED],
  ['the same by name', () => `${url}?sslmode=verify-full&sslrootcert=system`, UNTRUSTED],
  ['another host', () => `${elsewhere}?sslmode=verify-full&sslrootcert=${right}`, OTHER_HOST],
  ['no TLS', () => `${url}?sslmode=disable`, NEEDS_TLS],
  ['nothing about TLS', () => url, NEEDS_TLS],
];

describe('is refused in words, which name the database but no password', () => {
  test.each(refused)('%s', async (_, at, reason) => {
    for (const attempt of [open, check]) {
      const error = await attempt(at()).then(
        () => null,
        (caught: Error) => caught,
      );
      expect(error).toMatchObject({ code: 'database_unusable', message: expect.stringContaining(reason) });
      expect(error?.message).toContain('ledgerlens@');
      expect(error?.message).not.toContain('hidden');
    }
  });

  test('a file that is not there', async () => {
    const at = `${url}?sslmode=verify-full&sslrootcert=${join(folder, 'none.pem')}`;
    const reason = `the file that sslrootcert names, ${join(folder, 'none.pem')}, cannot be read (ENOENT)`;
    await expect(open(at)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
    await expect(check(at)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
  });

  test('a server that does not offer TLS', async () => {
    const at = `${await plain.createMigrated()}&sslmode=require`;
    const reason = 'it does not offer TLS, which sslmode in its URL requires';
    await expect(open(at)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
  });
});

test('a certificate that a running server does not trust any more is a fault of storage', async () => {
  const pool = openPostgresPool(`${url}?sslmode=verify-full&sslrootcert=${other}`);
  const error = postgresStorageError(await pool.query('select 1').catch((caught: unknown) => caught));
  await pool.end();
  expect(error).toBeInstanceOf(StorageFaultError);
  expect(error?.reason).toContain(UNTRUSTED);
});
