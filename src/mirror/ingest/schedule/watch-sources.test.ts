import { describe, expect, test } from 'vitest';
import {
  asStreamUnit,
  type MadeUpUnit,
  madeUpUnits,
} from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import { manualTime } from '../../../../test/kit/mirror/ingest/manual-time.ts';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { emptyLookup } from '../decode/known-entities.ts';
import { IngestError } from '../errors.ts';
import type { LiveSource } from '../units/live-source.ts';
import type { SourcePosition, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { noImportLock } from './import-lock.ts';
import { createLedgerImports } from './ledger-imports.ts';

const NOW = 1_800_000_000_000;
const HANGS = new Promise<never>(() => {});

/** A source over a network that a test fills, breaks and mends. */
function fakeSource(name: string, { tells = false } = {}) {
  const units: StreamUnit[] = [];
  const asked: (bigint | null)[] = [];
  let fault: (() => Promise<never>) | null = null;
  let wake = (): void => {};
  const source: StreamSource = {
    name,
    addressBook: async () => null,
    async list(after: SourcePosition | null) {
      asked.push(after?.blockNumber ?? null);
      if (fault !== null) await fault();
      const beyond = units.filter(({ instant }) => after === null || instant > after.time);
      async function* pages() {
        for (const unit of beyond) {
          if (fault !== null) await fault();
          yield [unit];
        }
      }
      return { older: [], pages: pages() };
    },
    ...(tells
      ? {
          changed: (signal: AbortSignal) =>
            new Promise<void>((resolve) => {
              wake = resolve;
              signal.addEventListener('abort', () => resolve(), { once: true });
            }),
        }
      : {}),
  };
  return {
    source,
    asked,
    has(...added: readonly (MadeUpUnit | StreamUnit)[]) {
      units.push(...added.map((unit) => ('verify' in unit ? unit : asStreamUnit(unit))));
      wake();
    },
    breaks: (with_: (() => Promise<never>) | null) => {
      fault = with_;
    },
  };
}

/** Follows the sources into one ledger; the last `reserves` of them are mirrors. */
function following(sources: readonly ReturnType<typeof fakeSource>[], { reserves = 0 } = {}) {
  const time = manualTime(NOW);
  const ledger = memoryLedger();
  const logged: string[] = [];
  const log = {
    info: (_fields: object, message: string) => logged.push(message),
    warn: (_fields: object, message: string) => logged.push(message),
    error: (_fields: object, message: string) => logged.push(message),
  };
  const imports = createLedgerImports({
    repository: ledger.repository,
    lookup: emptyLookup,
    gaps: noGaps,
    lock: noImportLock,
    tree: memoryFileTree(),
    addressBookPath: null,
    options: { sharesCommits: false },
    log,
    openLive: async ({ name }) =>
      sources.find(({ source }) => source.name === name)?.source ?? expect.fail(name),
    clock: time.clock,
    pause: time.pause,
    random: () => 0.5,
  });
  const settings = sources.map(({ source: { name } }, index): LiveSource => {
    const isReserve = index >= sources.length - reserves;
    return isReserve
      ? { kind: 'mirror', name, url: name }
      : { kind: 'block-nodes', name, discovery: 'off', nodes: [] };
  });
  imports.begin({ importPaths: [], watchPaths: [], live: settings, watchPeriodMs: 1000 });
  return {
    ...time,
    imports,
    logged,
    stored: () => ledger.units.map(({ header }) => header.name),
    from: () => ledger.units.map(({ header }) => header.source),
    state: (name: string) => imports.states().find(({ source }) => source === name),
  };
}

const names = (units: readonly MadeUpUnit[]) => units.map(({ number }) => `${number}.madeup`);

describe('several sources of one ledger', () => {
  test('the past comes from the first, the present from the one that tells of it, without waiting for a poll', async () => {
    const units = madeUpUnits(8);
    const [bucket, node] = [fakeSource('bucket'), fakeSource('node', { tells: true })];
    bucket.has(...units.slice(0, 5));
    node.has(...units.slice(3, 6));
    const { from, imports, pass, stored } = following([bucket, node]);
    await pass(200);
    expect(stored()).toEqual(names(units.slice(0, 6)));
    expect(from().slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'bucket'));
    await pass(100);
    node.has(at(units, 6));
    await pass(0);
    expect(stored()).toEqual(names(units.slice(0, 7)));
    bucket.has(...units.slice(5, 8));
    await pass(999);
    expect(stored()).toEqual(names(units));
    await imports.close();
  });

  test('each look begins at the end of the ledger, whoever wrote it', async () => {
    const units = madeUpUnits(4);
    const [bucket, node] = [fakeSource('bucket'), fakeSource('node')];
    bucket.has(...units.slice(0, 2));
    const { imports, pass } = following([bucket, node]);
    await pass(1000);
    expect(bucket.asked).toEqual([null, 1n]);
    expect(node.asked).toEqual([1n]);
    node.has(...units.slice(2));
    await pass(2000);
    expect(bucket.asked.at(-1)).toBe(3n);
    await imports.close();
  });

  test('one that fails backs off by itself, says so once, and continues when it works again', async () => {
    const units = madeUpUnits(6);
    const [broken, sound] = [fakeSource('broken'), fakeSource('sound')];
    broken.breaks(() => Promise.reject(new IngestError('source_unreachable', 'connection refused')));
    const { imports, logged, pass, state, stored } = following([sound, broken]);
    await pass(60_000);
    // 1 + 2 + 4 s, then 8 s each.
    expect(broken.asked).toHaveLength(4 + 6);
    expect(sound.asked.length).toBeGreaterThan(50);
    expect(logged).toEqual(['watching broken failed; retrying: connection refused']);
    expect(state('broken')).toMatchObject({ state: 'failed', error: 'connection refused' });
    sound.has(...units.slice(0, 3));
    await pass(1000);
    expect(stored()).toHaveLength(3);
    broken.breaks(null);
    broken.has(...units);
    await pass(10_000);
    expect(stored()).toEqual(names(units));
    expect(state('broken')).toMatchObject({ state: 'idle', error: null });
    expect(logged.at(-1)).toBe('broken is read again');
    await imports.close();
  });

  test('one that breaks after each unit is asked again after a second, however often it breaks', async () => {
    const units = madeUpUnits(12);
    const breaking = fakeSource('breaking');
    breaking.has(...units);
    let asked = 0;
    // At the list and at the first unit of each look it is well.
    breaking.breaks(async () => {
      asked++;
      if (asked % 3 === 0) throw new IngestError('source_unreachable', 'connection reset');
      return undefined as never;
    });
    const { imports, pass, stored } = following([breaking]);
    await pass(11_500);
    expect(stored()).toEqual(names(units));
    await imports.close();
  });

  test('one that refuses its reader is asked once a minute', async () => {
    const refusing = fakeSource('refusing');
    refusing.breaks(() => Promise.reject(new IngestError('source_refused', 'no credentials')));
    const { imports, pass } = following([refusing]);
    await pass(600_000);
    expect(refusing.asked.length).toBeLessThan(18);
    await imports.close();
  });

  test('one that hangs while it looks holds up nobody, and ends by itself', async () => {
    const units = madeUpUnits(3);
    const [hanging, sound] = [fakeSource('hanging'), fakeSource('sound')];
    hanging.breaks(() => HANGS);
    const { imports, pass, state, stored } = following([sound, hanging]);
    sound.has(...units);
    await pass(1000);
    expect(stored()).toEqual(names(units));
    await pass(120_000);
    expect(state('hanging')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('hanging did not respond for 120 s'),
    });
    await imports.close();
  });

  test('one that hangs in its turn gives way to one that has units', async () => {
    const units = madeUpUnits(3);
    const [hanging, sound] = [fakeSource('hanging'), fakeSource('sound')];
    hanging.has(at(units, 0), { ...asStreamUnit(at(units, 1)), verify: () => HANGS });
    sound.has(...units);
    const { imports, pass, state, stored } = following([hanging, sound]);
    await pass(9000);
    expect(stored()).toEqual(names(units.slice(0, 1)));
    await pass(2000);
    expect(stored()).toEqual(names(units));
    expect(state('hanging')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Nothing arrived for 10 s'),
    });
    await imports.close();
  });

  test('one with a false unit is passed by, and is itself again behind that unit', async () => {
    const units = madeUpUnits(4);
    const [forged, sound] = [fakeSource('forged'), fakeSource('sound')];
    forged.has(...units.map((unit, index) => (index === 1 ? { ...unit, seal: new Uint8Array(48) } : unit)));
    const { from, imports, pass, state, stored } = following([forged, sound]);
    await pass(0);
    expect(state('forged')).toMatchObject({ state: 'failed', error: 'The seal of 1.madeup does not hold' });
    sound.has(...units.slice(0, 2));
    await pass(12_000);
    expect(stored()).toEqual(names(units));
    expect(from()).toEqual(['forged', 'sound', 'forged', 'forged']);
    await imports.close();
  });

  test('an empty ledger begins with what the best source has that can be read', async () => {
    const units = madeUpUnits(6);
    const [late, node] = [fakeSource('late'), fakeSource('node')];
    late.breaks(() => Promise.reject(new IngestError('source_unreachable', 'not yet')));
    node.has(...units.slice(3));
    const { imports, pass, stored } = following([late, node]);
    await pass(20_000);
    expect(stored()).toEqual([]);
    late.breaks(null);
    late.has(...units.slice(0, 3));
    await pass(10_000);
    expect(stored()).toEqual(names(units));
    await imports.close();
  });

  test('an empty ledger does not wait for ever for a source that cannot be read', async () => {
    const units = madeUpUnits(3);
    const [broken, node] = [fakeSource('broken'), fakeSource('node')];
    broken.breaks(() => HANGS);
    node.has(...units);
    const { imports, pass, stored } = following([broken, node]);
    await pass(59_000);
    expect(stored()).toEqual([]);
    await pass(2000);
    expect(stored()).toEqual(names(units));
    await imports.close();
  });

  test('a mirror is asked only when the others have given nothing for a while', async () => {
    const units = madeUpUnits(6);
    const [node, mirror] = [fakeSource('node'), fakeSource('mirror')];
    node.has(...units.slice(0, 2));
    mirror.has(...units);
    const { from, imports, pass } = following([node, mirror], { reserves: 1 });
    await pass(15_000);
    expect([mirror.asked, from()]).toEqual([[], ['node', 'node']]);
    await pass(2000);
    expect(from()).toEqual(['node', 'node', 'mirror', 'mirror', 'mirror', 'mirror']);
    await imports.close();
  });

  test('a mirror alone is asked at once', async () => {
    const mirror = fakeSource('mirror');
    mirror.has(...madeUpUnits(2));
    const { from, imports, pass } = following([mirror], { reserves: 1 });
    await pass(0);
    expect(from()).toEqual(['mirror', 'mirror']);
    await imports.close();
  });

  test('a process ends although a source hangs', async () => {
    const [looking, storing] = [fakeSource('looking'), fakeSource('storing')];
    looking.breaks(() => HANGS);
    storing.has({ ...asStreamUnit(at(madeUpUnits(1), 0)), verify: () => HANGS });
    const { imports, pass, state } = following([looking, storing]);
    await pass(0);
    await imports.close();
    expect([state('looking')?.error, state('storing')?.error]).toEqual([null, null]);
  });
});

function at<T>(list: readonly T[], index: number): T {
  return list[index] ?? expect.fail(`nothing at ${index}`);
}
