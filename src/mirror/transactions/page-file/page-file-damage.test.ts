import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../../storage/testing/a-folder.ts';
import { aTransaction } from '../../testing/ledger-rows.ts';
import { followLedger } from './follow-ledger.ts';
import { type PageDisk, systemPageDisk } from './page-disk.ts';
import type { PageFile } from './page-file.ts';
import { withPageFile } from './page-file-repository.ts';
import {
  aFilter,
  contentsOf,
  createPagedLedger,
  type PagedLedger,
  writeAll,
} from './testing/paged-ledger.ts';

const START = 1_700_000_000_000_000_000n;
const ROWS = 30;
/** Whole blocks of four. */
const COVERED = 28;
const timeOf = (row: number) => START + BigInt(row);
const PAUSES = { lookMs: 1, elsewhereMs: 1, writeMs: 0 };

async function aLedger(folder: string, rows = ROWS): Promise<PagedLedger> {
  const ledger = createPagedLedger(folder);
  onTestFinished(() => ledger.close());
  const transactions = Array.from({ length: rows }, (_, row) => aTransaction(timeOf(row)));
  await ledger.store('a', transactions);
  return ledger;
}

/** A ledger whose page file was written by a process that has ended. */
async function aWrittenLedger(folder: string): Promise<PagedLedger> {
  const ledger = await aLedger(folder);
  const pageFile = ledger.open();
  await writeAll(pageFile);
  expect(pageFile.transactions).toBe(COVERED);
  pageFile.close();
  return ledger;
}

function opened(ledger: PagedLedger, disk?: PageDisk): PageFile {
  const pageFile = ledger.open(disk === undefined ? {} : { disk });
  onTestFinished(() => pageFile.close());
  return pageFile;
}

/** What a client gets, from the file or not, is what the database has. */
async function expectRightPages(ledger: PagedLedger, pageFile: PageFile): Promise<void> {
  const paged = withPageFile(ledger.transactions, pageFile, () => ledger.edition());
  for (const order of ['asc', 'desc'] as const) {
    for (const upper of [3, 11, 12, 20, 27].map(timeOf)) {
      const filter = aFilter({ order, upper, limit: 9 });
      expect(contentsOf(await paged.page(filter))).toEqual(contentsOf(ledger.transactions.page(filter)));
    }
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name !== 'lock')
    .map((name) => join(folder, name));

function copyOf(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(filesIn(folder).map((path) => [path, readFileSync(path)]));
}

function overwrite(path: string, position: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, position);
  closeSync(file);
}

/** Does something to the files, opens them as a new process would, and expects that pages stay right and come back. */
async function expectHealed(ledger: PagedLedger, damage: () => void): Promise<void> {
  damage();
  const pageFile = ledger.open();
  try {
    await pageFile.advance();
    await expectRightPages(ledger, pageFile);
    await writeAll(pageFile);
    await expectRightPages(ledger, pageFile);
    expect(pageFile.transactions).toBe(COVERED);
  } finally {
    pageFile.close();
  }
}

describe('a page file that was damaged while nobody had it open', () => {
  /** Each third of an index entry, some places of each row. */
  const stepIn = (path: string) => (path.endsWith('.index') ? 9 : 331);

  test('by a changed byte is never served and written anew where needed', { timeout: 60_000 }, async () => {
    const folder = aFolder();
    const ledger = await aWrittenLedger(folder);
    const whole = copyOf(folder);
    for (const [path, bytes] of whole) {
      for (let at = 0; at < bytes.length; at += stepIn(path)) {
        await expectHealed(ledger, () => {
          for (const [each, right] of whole) writeFileSync(each, right);
          overwrite(path, at, Buffer.of((bytes[at] ?? 0) ^ 0x11));
        });
      }
    }
  });

  test('by a cut at any length, or a missing file, goes on before the cut', { timeout: 60_000 }, async () => {
    const folder = aFolder();
    const ledger = await aWrittenLedger(folder);
    const whole = copyOf(folder);
    for (const [path, bytes] of whole) {
      for (let length = 0; length < bytes.length; length += stepIn(path)) {
        await expectHealed(ledger, () => {
          for (const [each, right] of whole) writeFileSync(each, right);
          if (length === 0) systemPageDisk.remove(path);
          else truncateSync(path, length);
        });
      }
    }
  });

  test('by blocks of zeros at its end, as a power cut leaves them, loses these alone', async () => {
    const folder = aFolder();
    const ledger = await aWrittenLedger(folder);
    const last =
      filesIn(folder)
        .filter((path) => path.endsWith('.rows'))
        .at(-1) ?? '';
    overwrite(last, 0, Buffer.alloc(statSync(last).size));
    const pageFile = opened(ledger);
    await pageFile.advance();
    expect(pageFile.transactions).toBe(24);
    await writeAll(pageFile);
    await expectRightPages(ledger, pageFile);
  });
});

describe('a page file that is damaged while it is served', () => {
  const neverAsked = () => {
    throw new Error('the database was asked');
  };

  test('in a block that was not used yet answers from the database and is written anew', async () => {
    const folder = aFolder();
    // Enough blocks that not all of them are compared with the database at the start.
    const ledger = await aLedger(folder, 100);
    const before = ledger.open();
    await writeAll(before);
    before.close();
    const pageFile = opened(ledger);
    await pageFile.advance();
    const [, rows = ''] = filesIn(folder);
    const { size } = statSync(rows);
    // The second of three blocks.
    overwrite(rows, Math.floor(size / 2), Buffer.from('damage'));
    const filter = aFilter({ upper: timeOf(7) });
    expect(pageFile.page(filter, neverAsked)).toBeNull();
    await expectRightPages(ledger, pageFile);
    expect(ledger.warnings).toEqual(['the page file is damaged and is written anew']);
    await writeAll(pageFile);
    expect(pageFile.page(filter, neverAsked)?.rows.text()).toBe(ledger.transactions.page(filter).rows.text());
  });

  test('between finding a page and reading it answers from the database', async () => {
    const folder = aFolder();
    const ledger = await aWrittenLedger(folder);
    let isBroken = false;
    const disk: PageDisk = {
      ...systemPageDisk,
      read: (...args) => (isBroken ? 0 : systemPageDisk.read(...args)),
    };
    const pageFile = opened(ledger, disk);
    await writeAll(pageFile);
    const filter = aFilter({ upper: timeOf(20) });
    const page = pageFile.page(filter, () => ledger.transactions.page(filter).rows);
    if (page === null) throw new Error('the file has no such page');
    isBroken = true;
    expect(page.rows.text()).toBe(ledger.transactions.page(filter).rows.text());
    expect(pageFile.page(filter, neverAsked)).toBeNull();
  });

  test('again and again is given up', async () => {
    const ledger = await aWrittenLedger(aFolder());
    let isBroken = false;
    const disk: PageDisk = {
      ...systemPageDisk,
      read: (...args) => (isBroken ? 0 : systemPageDisk.read(...args)),
    };
    const pageFile = ledger.open({ disk });
    const following = followLedger(
      pageFile,
      { warn: (_fields, message) => void ledger.warnings.push(message) },
      PAUSES,
    );
    while (pageFile.state !== 'off') {
      isBroken = pageFile.state === 'current';
      if (isBroken)
        withPageFile(ledger.transactions, pageFile, () => ledger.edition()).page(
          aFilter({ upper: timeOf(20) }),
        );
      await new Promise(setImmediate);
    }
    await following.close();
    expect(new Set(ledger.warnings)).toEqual(
      new Set(['the page file is damaged and is written anew', 'the page file is off until the next start']),
    );
  });
});

describe('a page file that cannot be written', () => {
  function failing(code: string, given: (fail: () => never) => Partial<PageDisk>): PageDisk {
    const fail = () => {
      throw Object.assign(new Error(`${code}: injected`), { code });
    };
    return { ...systemPageDisk, ...given(fail) };
  }

  async function followUntilOff(ledger: PagedLedger, disk: PageDisk): Promise<PageFile> {
    const pageFile = ledger.open({ disk });
    const warn = (_fields: object, message: string) => void ledger.warnings.push(message);
    const following = followLedger(pageFile, { warn }, PAUSES);
    while (pageFile.state !== 'off') await new Promise(setImmediate);
    await following.close();
    return pageFile;
  }

  test('because the disk gets full is removed, with one line in the log', async () => {
    const folder = aFolder();
    const ledger = await aLedger(folder);
    let writes = 0;
    const disk = failing('ENOSPC', (fail) => ({
      write: async (...args) => (++writes > 5 ? fail() : systemPageDisk.write(...args)),
    }));
    const pageFile = await followUntilOff(ledger, disk);
    expect(ledger.warnings).toEqual(['the page file is off until the next start']);
    expect(filesIn(folder)).toEqual([]);
    await expectRightPages(ledger, pageFile);
  });

  test.each([
    ['the folder cannot be made', (fail: () => never) => ({ makeFolder: fail })],
    ['files cannot be opened', (fail: () => never) => ({ open: fail })],
    ['the folder cannot be read', (fail: () => never) => ({ list: fail })],
  ])('because %s is off, with one line in the log', async (_, given) => {
    const ledger = await aLedger(aFolder());
    const pageFile = await followUntilOff(ledger, failing('EROFS', given));
    expect(ledger.warnings).toEqual(['the page file is off until the next start']);
    await expectRightPages(ledger, pageFile);
  });

  test('because its folder is a file is off', async () => {
    const ledger = await aLedger(join(aFolder({ taken: '' }), 'taken'));
    await expectRightPages(ledger, await followUntilOff(ledger, systemPageDisk));
    expect(ledger.warnings).toHaveLength(1);
  });
});
