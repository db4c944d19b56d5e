import { describe, expect, test } from 'vitest';
import {
  asStreamUnit,
  type MadeUpUnit,
  madeUpUnits,
  pagedSource,
} from '../../test/kit/mirror/ingest/made-up-units.ts';
import { manualTime } from '../../test/kit/mirror/ingest/manual-time.ts';
import { writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../test/kit/mirror/ingest/memory-ledger.ts';
import { emptyLookup } from '../mirror/ingest/decode/known-entities.ts';
import { IngestError } from '../mirror/ingest/errors.ts';
import type { ImporterOptions } from '../mirror/ingest/run/importer.ts';
import { createDirectorySource } from '../mirror/ingest/source/directory-source.ts';
import { onePage, type SourcePosition, type StreamSource } from '../mirror/ingest/units/stream-source.ts';
import { type StoredLedger, trySource } from './try-source.ts';

const UNITS = madeUpUnits(5);

function trial(
  source: StreamSource,
  given: { options?: ImporterOptions; stored?: StoredLedger | null; mayBeEmpty?: boolean } = {},
) {
  const { clock, pass, pause } = manualTime(Number((UNITS[4]?.instant ?? 0n) / 1_000_000n));
  const taken = memoryLedger();
  const trying = trySource(source, {
    stored: given.stored ?? null,
    empty: { ledger: taken.repository, lookup: emptyLookup },
    options: given.options ?? {},
    mayBeEmpty: given.mayBeEmpty ?? false,
    clock,
    pause,
  });
  return { trying, taken, pass };
}

function recording(units: readonly MadeUpUnit[]) {
  const asked: (SourcePosition | null)[] = [];
  const source: StreamSource = {
    name: 's3://bucket',
    addressBook: async () => null,
    async list(after) {
      asked.push(after);
      const beyond = units.filter(({ instant }) => after === null || instant > after.time);
      return { older: [], pages: onePage(beyond.map(asStreamUnit)) };
    },
  };
  return { source, asked };
}

describe('trying a source', () => {
  test('reads and verifies one unit', async () => {
    const { taken, trying } = trial(pagedSource(UNITS.map(asStreamUnit), 2, []));
    expect(await trying).toEqual({
      ok: true,
      detail: 'can be read; a unit has proof level "signatures"',
    });
    expect(taken.units).toHaveLength(1);
  });

  test('takes the last unit of the ledger again, with the keys that it knows', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    await ledger.import(createDirectorySource('/stream', tree));
    for (const path of tree.files.keys()) if (path.includes('address_book')) tree.files.delete(path);
    const folder = createDirectorySource('/stream', tree);
    const { taken, trying } = trial(folder, { stored: ledger.repository });
    expect(await trying).toMatchObject({ ok: true });
    expect(taken.units.map(({ header }) => header.name)).toEqual([ledger.units.at(-1)?.header.name]);
    expect(await trial(folder).trying).toEqual({
      ok: false,
      detail: expect.stringContaining('no address book is known; name one with MIRROR_ADDRESS_BOOK'),
    });
  });

  test('begins where an import would', async () => {
    const askedWith = async (options: ImporterOptions) => {
      const { asked, source } = recording(UNITS);
      await trial(source, { options }).trying;
      return asked[0]?.time ?? null;
    };
    const [first, last] = [UNITS[0]?.instant ?? 0n, UNITS[4]?.instant ?? 0n];
    expect(await askedWith({})).toBeNull();
    expect(await askedWith({ start: 'now' })).toBe(last - 120_000_000_000n);
    expect(await askedWith({ start: UNITS[0]?.instant ?? null })).toBe(first - 1n);
  });

  test('says in words what is wrong', async () => {
    const failing = (error: Error): StreamSource => ({
      ...recording([]).source,
      list: () => Promise.reject(error),
    });
    const detailOf = async (source: StreamSource, options: ImporterOptions = {}) => {
      const { detail, ok } = await trial(source, { options }).trying;
      expect(ok).toBe(false);
      return detail;
    };
    expect(await detailOf(failing(new IngestError('source_refused', 'the region is wrong')))).toBe(
      'the region is wrong',
    );
    expect(await detailOf(recording([]).source)).toContain('no units: check its name');
    expect(await detailOf(recording([]).source, { start: 'now' })).toContain('the clock of this machine');
    const forged = UNITS.map((unit) => ({ ...unit, seal: new Uint8Array(48) }));
    expect(await detailOf(recording(forged).source)).toBe(
      '0.madeup: The seal of 0.madeup does not hold (bad_signature)',
    );
    const weak = pagedSource(
      UNITS.map(asStreamUnit).map((unit) => ({
        ...unit,
        verify: (demands: Parameters<typeof unit.verify>[0]) => unit.verify({ ...demands, mode: 'chain' }),
      })),
      1,
      [],
    );
    expect(await detailOf(weak)).toBe(
      'can be read; a unit has proof level "chain"; MIRROR_VERIFY=signatures requires more. Signatures are checked with ' +
        'MIRROR_LEDGER_ID (blocks) or MIRROR_ADDRESS_BOOK (record files); MIRROR_VERIFY=chain accepts this',
    );
  });

  test('a folder may be empty so far', async () => {
    expect(await trial(recording([]).source, { mayBeEmpty: true }).trying).toEqual({
      ok: true,
      detail: 'can be read, but is still empty',
    });
  });

  test('does not wait for one that hangs', async () => {
    const hanging: StreamSource = { ...recording([]).source, list: () => new Promise(() => {}) };
    const { pass, trying } = trial(hanging);
    await pass(60_000);
    expect(await trying).toEqual({ ok: false, detail: 'did not respond within 60 s' });
  });

  test('a fault of this program is one', async () => {
    const { trying } = trial({ ...recording([]).source, list: () => Promise.reject(new TypeError('x')) });
    await expect(trying).rejects.toThrow(TypeError);
  });
});
