import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type OpenStatusAreaSettings,
  openStatusArea,
  START,
} from '../../test/kit/status/open-status-area.ts';
import { openFileStore } from '../../test/support/test-store.ts';

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'status-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'page.sqlite');
}

async function state(settings: OpenStatusAreaSettings) {
  const opened = await openStatusArea(settings);
  const read = await opened.area.repository.read(null);
  await opened.close();
  return read;
}

const builtIn = { builtinComponents: true };

describe('first start', () => {
  test('makes the page from the options, with an id of its own', async () => {
    const { page, components } = await state({ options: { pageName: 'Mine', timeZone: 'Asia/Tokyo' } });
    expect(page).toMatchObject({
      name: 'Mine',
      url: 'https://status.example.org',
      timeZone: 'Asia/Tokyo',
      createdAt: START,
      updatedAt: START,
      revision: 1,
    });
    expect(page.id).toMatch(/^[0-9b-df-hj-np-tv-z]{12}$/);
    expect(components).toEqual([]);
  });

  test('adds the components for the parts of the server, once', async () => {
    const file = aFile();
    const first = await state({ file, options: builtIn });
    const outline = first.components.map(({ name, group, position }) => [name, group, position]);
    expect(outline).toEqual([
      ['Contract verification', true, 1],
      ['Verification API', false, 1],
      ['Verification queue', false, 2],
      ['Compilers', false, 3],
      ['Ledger mirror', true, 2],
      ['Mirror REST API', false, 1],
      ['Mirror data freshness', false, 2],
      ['Fee estimation', false, 3],
      ['Platform', true, 3],
      ['Database', false, 1],
      ['Upstream record source', false, 2],
    ]);

    const opened = await openStatusArea({ file, options: builtIn });
    await opened.area.service.deleteComponent(first.components[1]?.id ?? '');
    await opened.close();
    const again = await state({ file, options: builtIn });
    expect(again.components).toHaveLength(10);
    expect(again.page.id).toBe(first.page.id);
  });

  test('components switched off at the first start do not appear later', async () => {
    const file = aFile();
    await state({ file });
    expect((await state({ file, options: builtIn })).components).toEqual([]);
  });

  test('a changed URL is taken over, name and zone stay as stored', async () => {
    const file = aFile();
    const first = await state({ file });
    const options = { pageUrl: 'https://new.example.org', pageName: 'Other', timeZone: 'Asia/Tokyo' };
    const second = await state({ file, options, now: START + 1000 });
    expect(second.page).toEqual({
      ...first.page,
      url: 'https://new.example.org',
      updatedAt: START + 1000,
      revision: 2,
    });
    expect((await state({ file, options, now: START + 2000 })).page).toEqual(second.page);
  });

  test('a start that was cut off before its end is completed by the next', async () => {
    const file = aFile();
    const { status, close } = await openFileStore(file);
    const setUp = async () => Promise.reject(new Error('the process ended'));
    const store = { ...status, page: { ...status.page, setUp } };
    await expect(openStatusArea({ store })).rejects.toThrow('the process ended');
    await close();
    const { page, components } = await state({ file, options: builtIn, now: START + 1000 });
    expect(page).toMatchObject({ revision: 1, createdAt: START, updatedAt: START });
    expect(components.map(({ createdAt }) => createdAt)).toEqual(Array(11).fill(START));
  });

  test('preparing twice does the work once', async () => {
    const { area, close } = await openStatusArea({ options: builtIn });
    await Promise.all([area.prepare(), area.start()]);
    expect((await area.repository.read(null)).components).toHaveLength(11);
    expect(area.readiness()).toEqual({ ready: true, members: { status_page: { revision: 1 } } });
    await area.close();
    await close();
  });
});
