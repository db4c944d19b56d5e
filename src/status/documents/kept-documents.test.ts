import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenStatusArea, openStatusArea } from '../testing/open-status-area.ts';
import { KeptDocuments } from './kept-documents.ts';
import { PreparedDocuments, prepareText } from './prepared-documents.ts';

let opened: OpenStatusArea;
let kept: KeptDocuments;
let builds: number;

beforeEach(async () => {
  opened = await openStatusArea();
  const { area, clock } = opened;
  const documents = new PreparedDocuments(area.repository, clock, (error) => {
    throw error;
  });
  await documents.rebuild();
  kept = new KeptDocuments(area.repository, documents, clock);
  builds = 0;
});

afterEach(() => opened.close());

const build = async () => prepareText(`build ${++builds}`, 'Thu, 01 Jan 1970 00:00:00 GMT');
const read = async (keepMs: number | null) => {
  const { plain } = await kept.keep('key', keepMs, build);
  return (await plain.bytes()).toString();
};

describe('KeptDocuments', () => {
  test('build once until the page changes, whoever changed it', async () => {
    expect([await read(null), await read(null)]).toEqual(['build 1', 'build 1']);
    await opened.area.service.createComponent({ name: 'API' });
    opened.clock.advance(1_000);
    expect([await read(null), await read(null)]).toEqual(['build 2', 'build 2']);
  });

  test('build again when their time is over, also after the clock was set back', async () => {
    expect(await read(60_000)).toBe('build 1');
    opened.clock.advance(59_999);
    expect(await read(60_000)).toBe('build 1');
    opened.clock.advance(1);
    expect(await read(60_000)).toBe('build 2');
    opened.clock.advance(-3_600_000);
    expect(await read(60_000)).toBe('build 3');
  });

  test('build once for all who ask at the same time', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => read(null))))).toEqual(
      new Set(['build 1']),
    );
  });

  test('forget a build that failed', async () => {
    const failing = async () => {
      throw new Error('The disk is gone');
    };
    await expect(kept.keep('key', null, failing)).rejects.toThrow('The disk is gone');
    expect(await read(null)).toBe('build 1');
  });
});
