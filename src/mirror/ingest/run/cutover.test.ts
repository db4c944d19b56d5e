import { describe, expect, test } from 'vitest';
import {
  asStreamUnit,
  type MadeUpUnit,
  madeUpUnits,
} from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import { manualTime } from '../../../../test/kit/mirror/ingest/manual-time.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { IngestError } from '../errors.ts';
import { expectHash, sha384 } from '../sha384.ts';
import { onePage, type SourcePosition, type StreamSource } from '../units/stream-source.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';
import { findOpenGap } from './find-open-gap.ts';
import { createImporter, type ImporterDependencies } from './importer.ts';

/** Record files end with number 2; blocks are native from 3 on. */
const LAST_RECORD = 2n;
const rootOf = (unit: MadeUpUnit | undefined) => sha384(unit?.hash ?? new Uint8Array(48));

function at<T>(list: readonly T[], index: number): T {
  return list[index] ?? expect.fail(`nothing at ${index}`);
}

/** The stream of a network that goes over from record files to blocks: each number in the forms that it has. */
function network(count = 6) {
  const units = madeUpUnits(count);
  const made = (
    number: number,
    form: (verified: VerifiedUnit, demands: UnitDemands) => VerifiedUnit | Promise<VerifiedUnit>,
  ) => {
    const unit = asStreamUnit(at(units, number));
    return {
      ...unit,
      async verify(demands: UnitDemands) {
        // The made-up chain check compares hashes, which native blocks do not.
        const verified = await unit.verify({ ...demands, previous: null });
        return form(verified, demands);
      },
    };
  };
  const record = (number: number): StreamUnit =>
    made(number, (verified, { previous }) => {
      if (previous !== null) {
        expectHash('chain_mismatch', 'hash', previous.hash, verified.header.previousHash);
      }
      return { ...verified, header: { ...verified.header, kind: 'record', version: 6 } };
    });
  const wrapped = (number: number, root = rootOf(units[number])): StreamUnit => ({
    ...made(number, (verified) => ({ ...verified, header: { ...verified.header, version: 6, root } })),
    blockNumber: BigInt(number),
  });
  /** Names the root of the block before it. */
  const native = (number: number, footer = rootOf(units[number - 1])): StreamUnit => ({
    ...made(number, async (verified, { gaps = noGaps, previous }) => {
      const isBehindGap =
        previous !== null && (await gaps.accepts(previous.hash, footer, at(units, number).instant));
      if (!isBehindGap && previous?.blockNumber != null && previous.blockNumber + 1n !== BigInt(number)) {
        throw new IngestError('nonconsecutive_block', `Block ${previous.blockNumber + 1n} is missing`);
      }
      if (previous?.isNative === true) expectHash('chain_mismatch', 'root', previous.root ?? footer, footer);
      expect(gaps).toBeDefined();
      const root = rootOf(units[number]);
      const previousHash = isBehindGap ? footer : (previous?.hash ?? footer);
      return {
        ...verified,
        followedRoot: footer,
        header: { ...verified.header, version: 7, isNative: true, hash: root, root, previousHash },
      };
    }),
    previousHash: async (previous) =>
      previous?.blockNumber === BigInt(number) - 1n ? (previous?.hash ?? null) : footer,
  });
  return { units, record, wrapped, native };
}

/** A source of what has a number; blocks are listed by it, record files by time. */
function sourceOf(name: string, units: readonly StreamUnit[]): StreamSource & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const numberOf = (unit: StreamUnit) => BigInt(unit.name.split('.')[0] ?? '');
  return {
    name,
    asked,
    addressBook: async () => null,
    async list(after: SourcePosition | null) {
      asked.push(after?.blockNumber ?? null);
      const beyond = units.filter((unit) => after?.blockNumber == null || numberOf(unit) > after.blockNumber);
      return { older: [], pages: onePage(beyond) };
    },
  };
}

function importing(source: StreamSource, ledger = memoryLedger(), given: Partial<ImporterDependencies> = {}) {
  const told: string[] = [];
  const importer = createImporter({
    repository: ledger.repository,
    source,
    log: { info: () => {}, warn: (_fields, message) => told.push(message) },
    isWatched: true,
    ...given,
  });
  return { importer, ledger, told };
}

/** A ledger with the record files up to the last. */
async function withRecords({ record }: ReturnType<typeof network>) {
  const { importer, ledger } = importing(sourceOf('records', [0, 1, 2].map(record)));
  await importer.run();
  expect(ledger.units).toHaveLength(Number(LAST_RECORD) + 1);
  return ledger;
}

const headers = ({ units }: ReturnType<typeof memoryLedger>) => units.map(({ header }) => header);

describe('the first native block after record files', () => {
  test('is compared with the root of the last one, which the source has as a block', async () => {
    const net = network();
    const ledger = await withRecords(net);
    const blocks = sourceOf('blocks', [net.wrapped(2), net.native(3), net.native(4)]);
    const { importer, told } = importing(blocks, ledger);
    expect(await importer.run()).toMatchObject({ units: 2, refused: [] });
    expect(headers(ledger).slice(2)).toMatchObject([
      { kind: 'record', isNative: false, root: rootOf(net.units[2]) },
      { isNative: true, previousHash: headers(ledger)[2]?.hash, previousRoot: rootOf(net.units[2]) },
      { isNative: true },
    ]);
    expect(headers(ledger)[4]).not.toHaveProperty('previousRoot');
    expect([told, importer.state().notes]).toEqual([[], []]);
    // The question was asked once, at the border.
    expect(blocks.asked).toEqual([2n, 1n]);
  });

  test('is taken with a warning when it names another root, or the last record file is another there', async () => {
    const net = network();
    const strange = net.wrapped(2);
    const otherFile: StreamUnit = {
      ...strange,
      async verify(demands) {
        const verified = await strange.verify(demands);
        return { ...verified, header: { ...verified.header, hash: sha384(Uint8Array.of(2)) } };
      },
    };
    for (const [last, first, reason] of [
      [net.wrapped(2), net.native(3, sha384(Uint8Array.of(1))), 'record files were wrapped anew'],
      [otherFile, net.native(3), 'another file as that block'],
    ] as const) {
      const ledger = await withRecords(net);
      const { importer, told } = importing(sourceOf('blocks', [last, first, net.native(4)]), ledger);
      expect(await importer.run()).toMatchObject({ units: 2, refused: [] });
      expect(told).toEqual([expect.stringContaining(reason)]);
      expect(importer.state().notes).toEqual([expect.stringContaining('not linked: block 3.madeup')]);
    }
  });

  test('is taken with a warning when nobody has the last record file as a block', async () => {
    const net = network();
    const ledger = await withRecords(net);
    const { importer, told } = importing(sourceOf('blocks', [net.native(3), net.native(4)]), ledger);
    expect(await importer.run()).toMatchObject({ units: 2 });
    expect(told).toEqual([expect.stringContaining('does not have that file as a block')]);
    expect(importer.state().notes).toEqual([expect.stringContaining('not linked: block 3.madeup')]);
  });

  /** Another source stores the last record file while this one, which has it as a block, waits for its turn. */
  const withCopy = async (net: ReturnType<typeof network>, copy: StreamUnit) => {
    const ledger = memoryLedger();
    await importing(sourceOf('records', [0, 1].map(net.record)), ledger).importer.run();
    const { importer } = importing(sourceOf('copies', [copy]), ledger, {
      turns: {
        async take() {
          await importing(sourceOf('records', [net.record(2)]), ledger).importer.run();
          return { ending: new AbortController().signal, stored: () => {}, release: async () => {} };
        },
      },
    });
    expect(await importer.run()).toMatchObject({ units: 0, skipped: 1, refused: [] });
    return ledger;
  };

  test('is taken behind what another source stored while its own waited for the turn', async () => {
    const net = network();
    const ledger = await withRecords(net);
    const { importer, told } = importing(
      sourceOf('blocks', [net.wrapped(2), net.native(3), net.native(4)]),
      ledger,
      {
        turns: {
          async take() {
            await importing(sourceOf('others', [net.wrapped(2), net.native(3)]), ledger).importer.run();
            return { ending: new AbortController().signal, stored: () => {}, release: async () => {} };
          },
        },
      },
    );
    expect(await importer.run()).toMatchObject({ units: 1, skipped: 1, refused: [] });
    expect([told, headers(ledger).map(({ blockNumber }) => blockNumber)]).toEqual([[], [0n, 1n, 2n, 3n, 4n]]);
  });

  test('is compared with a root that is kept although the source has that block no longer', async () => {
    const net = network();
    const ledger = await withCopy(net, net.wrapped(2));
    expect(headers(ledger)[2]).toMatchObject({ kind: 'record', root: rootOf(net.units[2]) });
    const { importer, told } = importing(sourceOf('blocks', [net.native(3)]), ledger);
    expect(await importer.run()).toMatchObject({ units: 1 });
    expect(told).toEqual([]);
  });

  test('asks its own source where a copy that nothing proves told another root', async () => {
    const net = network();
    const wrong = sha384(Uint8Array.of(9));
    for (const [own, root, notes] of [
      [[net.wrapped(2)], rootOf(net.units[2]), 0],
      [[], wrong, 1],
      [[net.wrapped(2, sha384(Uint8Array.of(8)))], wrong, 1],
    ] as const) {
      const ledger = await withCopy(net, net.wrapped(2, wrong));
      expect(headers(ledger)[2]).toMatchObject({ root: wrong });
      const { importer } = importing(sourceOf('blocks', [...own, net.native(3)]), ledger);
      expect(await importer.run()).toMatchObject({ units: 1, refused: [] });
      expect(headers(ledger)[2]).toMatchObject({ root });
      expect(importer.state().notes).toHaveLength(notes);
    }
  });

  test('is not taken while the source that should have that block cannot be read', async () => {
    const net = network();
    const ledger = await withRecords(net);
    const whole = sourceOf('blocks', [net.wrapped(2), net.native(3)]);
    let looks = 0;
    const source: StreamSource = {
      ...whole,
      async list(after) {
        if (++looks === 2) throw new IngestError('source_unreachable', 'connection lost');
        return whole.list(after);
      },
    };
    const { importer } = importing(source, ledger);
    await expect(importer.run()).rejects.toThrow('connection lost');
    expect(headers(ledger)).toHaveLength(3);
    expect(await importer.run()).toMatchObject({ units: 1, refused: [] });
  });

  test('leaves a gap where blocks between are missing, which an operator may accept', async () => {
    const net = network();
    const ledger = await withRecords(net);
    const time = manualTime(1_800_000_000_000);
    const blocks = sourceOf('blocks', [net.native(4), net.native(5)]);
    const { importer, told } = importing(blocks, ledger, { clock: time.clock });
    await importer.run();
    expect(importer.state()).toMatchObject({ state: 'idle', gap: null });
    time.clock.advance(31_000);
    await importer.run();
    await importer.run();
    expect(importer.state()).toMatchObject({ state: 'gap', gap: { name: '4.madeup' } });
    expect(told).toEqual([expect.stringContaining('Block 3 is missing')]);
    expect(await findOpenGap(blocks, ledger.repository, noGaps)).toMatchObject({
      unit: '4.madeup',
      expectedHash: headers(ledger)[2]?.hash,
      foundHash: rootOf(net.units[3]),
    });
  });

  test.each([
    ['known', true],
    ['not known', false],
  ])(
    'behind an accepted gap is not asked for the root of the file before it, which is %s',
    async (_what, isKnown) => {
      const net = network();
      const ledger = await withRecords(net);
      if (isKnown) await ledger.repository.keepRoot(at(net.units, 2).hash, at(net.units, 5).hash);
      const gaps = { ...noGaps, accepts: async () => true };
      const { importer, told } = importing(sourceOf('blocks', [net.wrapped(2), net.native(4)]), ledger, {
        gaps,
      });
      expect(await importer.run()).toMatchObject({ units: 1, refused: [] });
      expect(headers(ledger).at(-1)).toMatchObject({ blockNumber: 4n, previousRoot: rootOf(net.units[3]) });
      expect([told, importer.state().notes]).toEqual([[], []]);
    },
  );

  test('that is ahead of the ledger waits as long as another source moves it', async () => {
    const net = network(60);
    const time = manualTime(1_800_000_000_000);
    const ledger = memoryLedger();
    const records = importing(sourceOf('records', [net.record(0)]), ledger, { clock: time.clock });
    await records.importer.run();
    const ahead = importing(sourceOf('blocks', [net.native(50)]), ledger, { clock: time.clock });
    for (let number = 1; number < 10; number++) {
      await ahead.importer.run();
      expect(ahead.importer.state()).toMatchObject({ state: 'idle', gap: null });
      time.clock.advance(20_000);
      await importing(sourceOf('records', [net.record(number)]), ledger).importer.run();
    }
    expect(ahead.told).toEqual([]);
  });
});

describe('record files after the first native block', () => {
  test('are never asked for again, with one warning, also in a new process', async () => {
    const net = network();
    const ledger = await withRecords(net);
    await importing(sourceOf('blocks', [net.native(3)]), ledger).importer.run();
    for (let start = 0; start < 2; start++) {
      const records = sourceOf('records', [net.record(4)]);
      const { importer, told } = importing(records, ledger, { isOfRecords: true });
      for (let look = 0; look < 3; look++) {
        expect(await importer.run()).toMatchObject({ units: 0, refused: [] });
      }
      expect(importer.state()).toMatchObject({ state: 'finished', gap: null, error: null });
      expect(told).toEqual([expect.stringContaining('records is no longer read')]);
      expect(records.asked).toEqual([]);
    }
    expect(headers(ledger)).toHaveLength(4);
  });

  test('that were found before it are left when their turn comes behind it', async () => {
    const net = network();
    const ledger = await withRecords(net);
    const { importer } = importing(sourceOf('records', [net.record(3)]), ledger, {
      isOfRecords: true,
      turns: {
        async take() {
          await importing(sourceOf('blocks', [net.native(3)]), ledger).importer.run();
          return { ending: new AbortController().signal, stored: () => {}, release: async () => {} };
        },
      },
    });
    expect(await importer.run()).toMatchObject({ units: 0, refused: [] });
    expect(headers(ledger).at(-1)).toMatchObject({ isNative: true, blockNumber: 3n });
  });
});
