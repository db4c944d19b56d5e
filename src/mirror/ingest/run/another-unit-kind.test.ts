import { describe, expect, test } from 'vitest';
import {
  announced,
  asStreamUnit,
  liveSource,
  type MadeUpUnit,
  madeUpUnits,
  pagedSource,
} from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { aTransaction, aTransfer } from '../../../../test/kit/mirror/ledger-rows.ts';
import { ManualClock } from '../../../values/clock.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { everyRow } from '../../ledger/fixture-unit.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { onePage, type SourcePosition, type StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { findOpenGap } from './find-open-gap.ts';
import { createImporter, type ImporterDependencies } from './importer.ts';

/** Whatever the units are: the importer has never heard of them. */
function importing(
  units: readonly StreamUnit[],
  given: Partial<ImporterDependencies> & { readonly ledger?: ReturnType<typeof memoryLedger> } = {},
) {
  const { ledger = memoryLedger(), ...dependencies } = given;
  const events: string[] = [];
  const source = pagedSource(units, 2, events);
  const importer = createImporter({
    repository: ledger.repository,
    source,
    log: { info: () => {}, warn: (_fields, message) => events.push(message) },
    ...dependencies,
  });
  return { events, importer, ledger, source };
}

function stored({ units }: ReturnType<typeof memoryLedger>) {
  return units.map(({ header }) => header.name);
}

function withoutSeal(unit: MadeUpUnit): MadeUpUnit {
  return { ...unit, seal: new Uint8Array(48) };
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`nothing at ${index}`);
  return found;
}

describe('units of another kind', () => {
  test('are taken in order, with the header and the items that they tell', async () => {
    const { importer, ledger } = importing(madeUpUnits(3).map(asStreamUnit));
    expect(await importer.run()).toMatchObject({ units: 3, transactions: 3, verification: 'signatures' });
    expect(stored(ledger)).toEqual(['0.madeup', '1.madeup', '2.madeup']);
    expect(ledger.units[2]?.header).toMatchObject({ kind: 'block', blockNumber: 2n, count: 1 });
    expect(importer.state()).toMatchObject({ state: 'finished', lastUnit: '2.madeup' });
  });

  test.each([
    ['record', 0],
    ['block', 1],
  ] as const)('of kind %s without their sidecars are taken at once: %i', async (kind, units) => {
    const [unit] = madeUpUnits(1).map(asStreamUnit);
    if (unit === undefined) throw new Error('there is a unit');
    const lacking: StreamUnit = {
      ...unit,
      async verify(demands) {
        const verified = await unit.verify(demands);
        const sidecars = [{ id: 1, types: [3], hash: new Uint8Array(48), contents: null }];
        return { ...verified, header: { ...verified.header, kind }, sidecars };
      },
    };
    const clock = new ManualClock(Number(unit.instant / 1_000_000n));
    expect(await importing([lacking], { isWatched: true, clock }).importer.run()).toMatchObject({ units });
  });

  test('are listed page by page, each when the one before is used up', async () => {
    const events: string[] = [];
    const units = madeUpUnits(5)
      .map(asStreamUnit)
      .map((unit) => ({
        ...unit,
        verify: (demands: Parameters<StreamUnit['verify']>[0]) => {
          events.push(unit.name);
          return unit.verify(demands);
        },
      }));
    await importing(units, { source: pagedSource(units, 2, events) }).importer.run();
    expect(events).toEqual([
      'listed from 0',
      '0.madeup',
      '1.madeup',
      'listed from 2',
      '2.madeup',
      '3.madeup',
      'listed from 4',
      '4.madeup',
    ]);
  });

  test('continue after the block that the ledger ends with', async () => {
    const units = madeUpUnits(5).map(asStreamUnit);
    const begun = importing(units.slice(0, 2));
    await begun.importer.run();
    const { events, importer } = importing(units, { ledger: begun.ledger });
    expect(await importer.run()).toMatchObject({ units: 3, skipped: 0 });
    expect(events[0]).toBe('listed from 2');
  });

  test('are taken from now on, and after a restart from where the ledger ends', async () => {
    const units = madeUpUnits(6).map(asStreamUnit);
    const clock = new ManualClock(Number(at(units, 2).instant / 1_000_000n));
    const options = { start: 'now' } as const;
    const pages = (until: number, after: SourcePosition | null) =>
      onePage(units.slice(0, until).filter(({ instant }) => after === null || instant > after.time));
    const from = (until: number): StreamSource => ({
      name: 'made up',
      addressBook: async () => null,
      list: async (after) => ({ older: [], pages: pages(until, after) }),
    });
    const begun = importing([], { source: from(4), clock, options, isWatched: true });
    await begun.importer.run();
    expect(stored(begun.ledger)).toEqual(['2.madeup', '3.madeup']);
    clock.advance(3_600_000);
    const next = importing([], { source: from(6), clock, options, isWatched: true, ledger: begun.ledger });
    await next.importer.run();
    expect(stored(begun.ledger).slice(2)).toEqual(['4.madeup', '5.madeup']);
    const once = importing(units, { options });
    expect(await once.importer.run()).toMatchObject({ units: 6 });
  });

  test('that do not verify end the run by name, and nothing behind them is stored', async () => {
    const units = madeUpUnits(4);
    const broken = units.map((unit, index) => asStreamUnit(index === 2 ? withoutSeal(unit) : unit));
    const { importer, ledger } = importing(broken);
    expect(await importer.run()).toMatchObject({ refused: [{ name: '2.madeup', code: 'bad_signature' }] });
    expect(stored(ledger)).toEqual(['0.madeup', '1.madeup']);
    expect(importer.state()).toMatchObject({
      state: 'failed',
      rejections: [
        { node: 'sealer', code: 'bad_signature', count: 1 },
        { node: '', code: 'bad_signature', count: 1 },
      ],
    });
  });

  test('verify themselves to the level that is demanded', async () => {
    const units = madeUpUnits(2).map(withoutSeal).map(asStreamUnit);
    const { importer } = importing(units, { options: { verify: 'chain' } });
    expect(await importer.run()).toMatchObject({ units: 2, verification: 'chain' });
  });

  test('that tell rows instead of items are stored as they tell them', async () => {
    const [unit] = madeUpUnits(1);
    if (unit === undefined) throw new Error('no unit');
    const transaction = aTransaction(unit.instant, { transfers: [aTransfer(7n, 5n)] });
    const balances = [{ account: entityId(7n), balance: 3n, timestamp: unit.instant }];
    const told: StreamUnit = {
      ...asStreamUnit(unit),
      async verify(demands) {
        const { header, rejectedSignatures, sidecars, tree } = await asStreamUnit(unit).verify(demands);
        return {
          header,
          rejectedSignatures,
          sidecars,
          tree,
          span: { from: unit.instant, to: consensusTimestamp(unit.instant + 5n) },
          rows: everyRow({ transactions: [transaction], balances }),
        };
      },
    };
    const { importer, ledger } = importing([told]);
    expect(await importer.run()).toMatchObject({ units: 1, transactions: 1, refused: [] });
    expect(ledger.units[0]).toMatchObject({
      header: { kind: 'block', count: 1, consensusStart: unit.instant, consensusEnd: unit.instant + 5n },
      transactions: [transaction],
      balances,
      filePieces: [],
    });
  });

  test('leave a gap where one is missing, until the operator accepts it', async () => {
    const all = madeUpUnits(4);
    const units = all.filter(({ number }) => number !== 1n).map(asStreamUnit);
    const { importer, ledger, source } = importing(units);
    await importer.run();
    expect(importer.state()).toMatchObject({ state: 'gap', gap: { name: '2.madeup' } });
    expect(await findOpenGap(source, ledger.repository, noGaps)).toMatchObject({
      unit: '2.madeup',
      expectedHash: all[0]?.hash,
      foundHash: all[1]?.hash,
    });
    const accepted = importing(units, {
      ledger,
      gaps: { ...noGaps, accepts: async (_expected, found) => found === all[1]?.hash },
    });
    await accepted.importer.run();
    expect(stored(ledger)).toEqual(['0.madeup', '2.madeup', '3.madeup']);
  });

  test('that are announced alone are a gap when that is proven, and left out with a word when not', async () => {
    const all = madeUpUnits(3);
    const missing = [asStreamUnit(at(all, 0)), announced(at(all, 1)), asStreamUnit(at(all, 2))];
    const proven = importing(missing);
    await proven.importer.run();
    expect(proven.importer.state()).toMatchObject({ state: 'gap', gap: { name: '1.madeup' } });
    const unproven = importing([asStreamUnit(at(all, 0)), announced(withoutSeal(at(all, 1)))]);
    expect(await unproven.importer.run()).toMatchObject({ units: 1, refused: [] });
    expect(unproven.events).toContain('1.madeup is announced by a false seal: it is left out');
    expect(unproven.importer.state().rejections).toEqual([
      { node: 'sealer', code: 'bad_signature', count: 1 },
    ]);
  });
});

describe('a live source', () => {
  test('has its units stored as they arrive, although they are old enough to share a commit', async () => {
    const source = liveSource();
    const ledger = memoryLedger();
    const importer = createImporter({ repository: ledger.repository, source, isWatched: true });
    const stop = new AbortController();
    const running = importer.run(stop.signal);
    for (const [index, unit] of madeUpUnits(3).map(asStreamUnit).entries()) {
      source.arrive(unit);
      await expect.poll(() => stored(ledger)).toHaveLength(index + 1);
    }
    expect(source.openFrom).toBe('begin');
    stop.abort();
    expect(await running).toMatchObject({ units: 3, refused: [] });
    expect(source.openFrom).toBeNull();
  });

  test('is let go when a unit is refused, and asked again from the end of the ledger', async () => {
    const source = liveSource();
    const ledger = memoryLedger();
    const importer = createImporter({ repository: ledger.repository, source, isWatched: true });
    const units = madeUpUnits(2);
    const first = importer.run();
    source.arrive(asStreamUnit(at(units, 0)));
    source.arrive(asStreamUnit(withoutSeal(at(units, 1))));
    expect(await first).toMatchObject({ units: 1, refused: [{ name: '1.madeup' }] });
    expect(source.openFrom).toBeNull();
    const stop = new AbortController();
    const second = importer.run(stop.signal);
    await expect.poll(() => source.openFrom).toMatchObject({ time: units[0]?.instant, blockNumber: 0n });
    source.arrive(asStreamUnit(at(units, 1)));
    await expect.poll(() => stored(ledger)).toEqual(['0.madeup', '1.madeup']);
    stop.abort();
    await second;
  });

  test('that breaks ends the run with its error, and what came before is stored', async () => {
    const units = madeUpUnits(2).map(asStreamUnit);
    const ledger = memoryLedger();
    async function* pages() {
      yield units;
      throw new Error('connection lost');
    }
    const source = { ...liveSource(), list: async () => ({ older: [], pages: pages() }) };
    const importer = createImporter({ repository: ledger.repository, source, isWatched: true });
    await expect(importer.run()).rejects.toThrow('connection lost');
    expect(stored(ledger)).toEqual(['0.madeup', '1.madeup']);
    expect(importer.state()).toMatchObject({ state: 'failed', error: 'connection lost' });
  });
});
