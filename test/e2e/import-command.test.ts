import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeIntoFolder } from '../../tools/network/folder-writer.ts';
import { writeStream } from '../../tools/network/write-stream.ts';
import { sharedPath } from '../shared-data.ts';
import { runCommand, runCommandBeside, type ServeProcess, startServe } from '../support/serve-process.ts';
import { describeShared } from '../support/shared-suites.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

/** `ledgerlens import` as an operator runs it, and what a server on the same database then answers. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-import-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function importInto(name: string, ...args: string[]) {
  return runCommand(['import', ...args], { DATABASE_URL: await databaseUrl(name) }, folder);
}

const databaseUrl = (name: string) => databaseUrlOf(join(folder, `${name}.sqlite`));

interface Listed {
  readonly transactions: readonly { readonly consensus_timestamp: string }[];
  readonly links: { readonly next: string | null };
}

async function walk(server: ServeProcess, first: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | null = first; next !== null; ) {
    const page = (await (await fetch(server.url + next)).json()) as Listed;
    seen.push(...page.transactions.map(({ consensus_timestamp }) => consensus_timestamp));
    expect(page.links.next).not.toBe(next);
    next = page.links.next;
  }
  return seen;
}

describeShared('ledgerlens import of real sets', () => {
  test.each([
    ['mainnet-v6', 47, 31],
    ['mainnet-v5', 35, 24],
  ])('%s: verified, imported once, served and paged in both directions', async (set, count, nodes) => {
    const path = sharedPath('data', 'streams', set);
    const first = await importInto(set, path);
    expect(first.exitCode, first.errors).toBe(0);
    expect(first.output).toContain(`1 unit with ${count} transactions imported, 0 already stored`);
    expect(first.output).toContain('verified: signatures');
    const again = await importInto(set, path);
    expect(again.output).toContain('0 units with 0 transactions imported, 1 already stored');

    const server = await startServe({ DATABASE_URL: await databaseUrl(set) }, folder);
    try {
      const newestFirst = await walk(server, '/api/v1/transactions?limit=7');
      expect(newestFirst).toHaveLength(count);
      expect(new Set(newestFirst).size).toBe(count);
      expect(await walk(server, '/api/v1/transactions?limit=7&order=asc')).toEqual(
        [...newestFirst].reverse(),
      );
      let listed = 0;
      for (let next: string | null = '/api/v1/network/nodes?limit=25'; next !== null; ) {
        const page = (await (await fetch(server.url + next)).json()) as {
          nodes: unknown[];
          links: { next: string | null };
        };
        listed += page.nodes.length;
        next = page.links.next;
      }
      expect(listed).toBe(nodes);
    } finally {
      await server.stop('SIGTERM');
    }
  });
});

describe('ledgerlens import of a written stream', () => {
  beforeAll(() => writeStream(writeIntoFolder(join(folder, 'stream')), { seed: 'command', files: 6 }));

  test('refuses a flipped byte with the name of the file and the reason, and keeps what came before', async () => {
    const damaged = join(folder, 'damaged');
    cpSync(join(folder, 'stream'), damaged, { recursive: true });
    const third = readdirSync(join(damaged, 'recordstreams', 'record0.0.3'))
      .filter((name) => name.includes('.rcd') && !name.endsWith('_sig'))
      .sort()[2] as string;
    // Every node's copy is damaged, so that none can stand in for another.
    for (const node of readdirSync(join(damaged, 'recordstreams'))) {
      const path = join(damaged, 'recordstreams', node, third);
      const bytes = readFileSync(path);
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    }
    const refused = await importInto('damaged', damaged);
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain('2 units with');
    expect(refused.output).toMatch(
      new RegExp(`rejected ${third.replaceAll('.', '\\.')} \\((malformed|file_hash_mismatch)\\)`),
    );
    const mended = await importInto('damaged', join(folder, 'stream'));
    expect(mended.exitCode, mended.errors).toBe(0);
    expect(mended.output).toContain('4 units with');
  });

  test('ends as usual when nobody reads what it tells', async () => {
    const env = { DATABASE_URL: await databaseUrl('unread') };
    const unread = await runCommandBeside(['import', join(folder, 'stream')], env, folder, {
      closed: ['stdout'],
    });
    expect([unread.exitCode, unread.output]).toEqual([0, '']);
    // Its log, and nothing else.
    const lines = unread.errors.trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).level))).toEqual(new Set([30]));
    expect((await importInto('unread', join(folder, 'stream'))).output).toContain('6 already stored');
  });

  test('says which units lie before the end of the ledger and were left out, exit code 1', async () => {
    const book = ['--address-book', join(folder, 'stream', 'address_book.bin')];
    const records = join(folder, 'stream', 'recordstreams', 'record0.0.3');
    const names = readdirSync(records).filter((name) => name.endsWith('.rcd.gz'));
    const [first, second, third] = names.sort().map((name) => join(records, name));
    const environment = { DATABASE_URL: await databaseUrl('older'), MIRROR_VERIFY: 'chain' };
    const into = (...args: readonly string[]) =>
      runCommand(['import', ...args, ...book], environment, folder);
    expect(into(second ?? '').exitCode).toBe(0);
    const older = into(first ?? '');
    expect([older.exitCode, older.output]).toEqual([
      1,
      expect.stringMatching(/0 already stored.*\n {2}skipped 1 unit from 1700000000\.000000000 to /),
    ]);
    expect(into(first ?? '', '--ignore-older').exitCode).toBe(0);
    expect(into(second ?? '')).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('1 already stored'),
    });
    expect(into(third ?? '').exitCode).toBe(0);
  });

  test('says what is wrong with a path or an address book', async () => {
    const missing = await importInto('wrong', join(folder, 'nowhere'));
    expect(missing.exitCode).toBe(1);
    expect(missing.errors).toContain(`There is no file or folder ${join(folder, 'nowhere')}`);
    const book = await importInto(
      'wrong',
      join(folder, 'stream'),
      '--address-book',
      join(folder, 'nowhere.bin'),
    );
    expect(book.exitCode).toBe(1);
    expect(book.errors).toContain('nowhere.bin');
    expect((await importInto('wrong')).exitCode).toBe(2);
  });
});
