import { describe, expect, test } from 'vitest';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type MemoryLedger, memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { memoryObjectStore } from '../../../../test/kit/mirror/ingest/memory-object-store.ts';
import {
  drawDeliveries,
  NODES,
  type OddDeliveries,
} from '../../../../test/kit/mirror/ingest/odd-deliveries.ts';
import { freshSeed, numbersFrom } from '../../../../test/support/seed.ts';
import { type Clock, ManualClock } from '../../../values/clock.ts';
import type { ImportReport } from '../report/import-report.ts';
import { createRecordBucket } from '../source/bucket/record-bucket.ts';
import { createDirectorySource, createWatchedFolder } from '../source/directory-source.ts';
import type { StreamSource } from '../units/stream-source.ts';
import { createImporter, type ImporterOptions } from './importer.ts';

const DRAWS = Number(process.env['ODD_DELIVERIES'] ?? 1);
const OPTIONS = { files: 24, transactionsPerFile: 3, stepsBack: true, beginsAnywhereFrom: 1 };

interface Reader {
  readonly ledger: MemoryLedger;
  readonly put: (path: string, bytes: Uint8Array) => void;
  /** As often as it takes to see what came. */
  look(): Promise<readonly ImportReport[]>;
}

const watching = (ledger: MemoryLedger, source: StreamSource, options: ImporterOptions, clock: Clock) =>
  createImporter({ repository: ledger.repository, source, isWatched: true, options, clock });

const READERS: Readonly<Record<string, (verify: ImporterOptions) => Reader>> = {
  'a folder': (options) => {
    const tree = memoryFileTree();
    const ledger = memoryLedger();
    return {
      ledger,
      put: (path, bytes) => void tree.files.set(`/s/${path}`, bytes),
      look: async () => [await ledger.import(createDirectorySource('/s', tree), options)],
    };
  },
  'a watched folder': (options) => {
    const tree = memoryFileTree();
    const ledger = memoryLedger();
    const clock = new ManualClock(1_800_000_000_000);
    const source = createWatchedFolder('/s', tree);
    const importer = watching(ledger, source, options, clock);
    return {
      ledger,
      put: (path, bytes) => void tree.files.set(`/s/${path}`, bytes),
      async look() {
        const reports: ImportReport[] = [];
        // A size has to be that of the last time, and all copies are read twice a minute.
        for (let run = 0; run < 3; run++) {
          clock.advance(31_000);
          reports.push(await importer.run());
        }
        return reports;
      },
    };
  },
  'a bucket': (options) => {
    const store = memoryObjectStore();
    const ledger = memoryLedger();
    const clock = new ManualClock(1_800_000_000_000);
    const order = numbersFrom(7);
    const source = createRecordBucket({
      ...{ name: '/s', bucket: 's3://s', store, top: '', clock, random: order, consensusRatio: [1n, 3n] },
      nodesAt: async (time) => (await ledger.repository.nodeKeysAt(time))?.nodes ?? null,
      wantsSignatures: options.verify !== 'chain',
    });
    const importer = watching(ledger, source, options, clock);
    return {
      ledger,
      put: (path, bytes) => void store.objects.set(path, bytes),
      async look() {
        const reports: ImportReport[] = [];
        // Each node is listed in its turn.
        for (let run = 0; run < 3 * NODES; run++) {
          clock.advance(31_000);
          reports.push(await importer.run());
        }
        return reports;
      },
    };
  },
};

const numbersOf = ({ units }: MemoryLedger) => units.map(({ header }) => Number(header.blockNumber));

/** @see contracts/streams.md sections 5 and 11 */
describe.each(['signatures', 'chain'] as const)('record files that come in odd order, mode %s', (verify) => {
  test.each(Object.entries(READERS))(
    '%s: each is taken as soon as it can be, and nothing else',
    async (_name, read) => {
      const random = numbersFrom(freshSeed());
      for (let draw = 0; draw < DRAWS; draw++) {
        const seed = `odd ${Math.floor(random() * 1e9)}`;
        const drawn = drawDeliveries(random, { ...OPTIONS, seed, isSigned: verify === 'signatures' });
        const reader = read({ verify });
        for (let takable = drawn.next(reader.put); takable !== null; takable = drawn.next(reader.put)) {
          const reports = await reader.look();
          const codes = reports.flatMap(({ refused }) => refused.map(({ code }) => code));
          const numbers = numbersOf(reader.ledger);
          expect(codes, seed).not.toContain('fork');
          expect(numbers, seed).toEqual(numbers.map((_, index) => index));
          expect(
            numbers.length,
            `${seed}: ${JSON.stringify(reports.at(-1)?.refused)}`,
          ).toBeGreaterThanOrEqual(takable);
        }
        expect(reader.ledger.dump() === (await cleanDump(drawn, { verify })), seed).toBe(true);
      }
    },
    60_000 + DRAWS * 30_000,
  );
});

async function cleanDump({ clean, files }: OddDeliveries, options: ImporterOptions): Promise<string> {
  const tree = memoryFileTree(new Map([...clean].map(([path, bytes]) => [`/s/${path}`, bytes])));
  const ledger = memoryLedger();
  expect(await ledger.import(createDirectorySource('/s', tree), options)).toMatchObject({ units: files });
  return ledger.dump();
}
