import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listed } from '../../../../test/kit/mirror/ingest/listed-units.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { repetitions } from '../../../../test/support/depth.ts';
import { seedOf } from '../../../../test/support/seed.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { parseAddressBookFile } from '../decode/address-book.ts';
import { decompress } from '../record-file/parse-record-file.ts';
import type { StreamFile, UnitFiles } from '../record-file/unit-files.ts';
import { createRecordUnit, type RecordUnit } from '../record-unit/record-unit.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { systemFileTree } from '../source/file-tree.ts';
import { onePage, type StreamSource } from '../units/stream-source.ts';
import type { UnitDemands } from '../units/stream-unit.ts';

/** Up to this size every byte and every length is tried, beyond it as many as SAMPLES. The largest file has 41037. */
const EXHAUSTIVE_BYTES = Number(process.env['DAMAGE_EXHAUSTIVE_BYTES'] ?? 5000);
const SAMPLES = repetitions(250);
const TIMEOUT_MS = EXHAUSTIVE_BYTES > 5000 ? 1_800_000 : 120_000;
const SEED = seedOf('damage');
const random = seededRandom(SEED);

/** The sets whose signatures reach consensus, and those of one node, which ratio 0 takes. */
const SETS = [
  ['mainnet-v2', [1n, 3n]],
  ['mainnet-v5', [1n, 3n]],
  ['mainnet-v6', [1n, 3n]],
  ['chain-v1', [1n, 3n]],
  ['chain-v2v5', [1n, 3n]],
  ['chain-v5v6', [1n, 3n]],
  ['chain-v6-sidecar', [1n, 3n]],
  ['gap-v5-ethereum', [0n, 1n]],
  ['layout-node-id', [0n, 1n]],
] as const;

async function unitsOf(set: string): Promise<readonly UnitFiles[]> {
  const units = await listed(createDirectorySource(streamPath(set), systemFileTree));
  // Folders without blocks have record files alone.
  return units.map((unit) => (unit as RecordUnit).files);
}

/** As the importer verifies the first unit of an empty ledger. */
function optionsOf(set: string, consensusRatio: UnitDemands['consensusRatio']): UnitDemands {
  const book = streamPath(set, 'address_book.bin');
  const keys: NodeKeys = {
    nodes: parseAddressBookFile(readFileSync(book), book).map((entry) => ({ ...entry, stake: 0n })),
  };
  return { mode: 'signatures', consensusRatio, keys, previous: null, gaps: noGaps };
}

/** A unit whose files are in memory, without compression. */
async function inMemory(unit: UnitFiles): Promise<UnitFiles> {
  const held = async <T extends StreamFile>(file: T): Promise<T> => {
    const bytes = decompress(await file.read(), file.path);
    return { ...file, read: async () => bytes };
  };
  return {
    ...unit,
    records: await Promise.all(unit.records.map(held)),
    signatures: await Promise.all(unit.signatures.map(held)),
    sidecars: await Promise.all(unit.sidecars.map(held)),
  };
}

/** The files with the same damage in every copy. */
function withBytes<T extends StreamFile>(files: readonly T[], bytes: Uint8Array): readonly T[] {
  return files.map((file) => ({ ...file, read: async () => bytes }));
}

function* damages(bytes: Uint8Array): Generator<readonly [what: string, damaged: Uint8Array]> {
  const isExhaustive = bytes.length <= EXHAUSTIVE_BYTES;
  const count = isExhaustive ? bytes.length : SAMPLES;
  for (let index = 0; index < count; index++) {
    const at = isExhaustive ? index : random.below(bytes.length);
    yield [`byte ${at} changed`, flipped(bytes, at)];
    yield [`cut after ${at} bytes`, bytes.slice(0, at)];
  }
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ (1 + random.below(255));
  return damaged;
}

/** Imports a unit into an empty ledger that knows the keys of the nodes. */
async function importAlone(unit: UnitFiles, { consensusRatio, keys, mode }: UnitDemands) {
  const source: StreamSource = {
    name: 'damaged',
    list: async () => ({ pages: onePage([createRecordUnit(unit)]), older: [] }),
    addressBook: async () => null,
  };
  const ledger = memoryLedger(keys);
  const before = ledger.dump();
  const report = await ledger.import(source, { verify: mode, consensusRatio });
  return { report, isUnchanged: ledger.dump() === before };
}

/** Damage refuses the unit with one of the codes, and the ledger has nothing of it. */
async function expectRefused(unit: UnitFiles, options: UnitDemands, what: string, codes: RegExp) {
  const { isUnchanged, report } = await importAlone(unit, options);
  const code = report.refused[0]?.code ?? 'taken';
  if (report.units === 0 && isUnchanged && codes.test(code)) return;
  throw new Error(`${unit.name}, ${what}, seed ${SEED}: ${code}, ${report.units} units stored`);
}

/** Otherwise a refusal would prove nothing. */
async function expectTaken(unit: UnitFiles, options: UnitDemands) {
  const { isUnchanged, report } = await importAlone(unit, options);
  expect(report).toMatchObject({ units: 1, refused: [], verification: options.mode });
  expect(isUnchanged).toBe(false);
}

describeShared('damage in real files', () => {
  test.each(SETS)(
    'of a record file of %s refuses its unit, and nothing is stored',
    { timeout: TIMEOUT_MS },
    async (set, ratio) => {
      const options = optionsOf(set, ratio);
      for (const each of await unitsOf(set)) {
        const unit = await inMemory(each);
        const original = (await unit.records[0]?.read()) ?? new Uint8Array();
        await expectTaken(unit, options);
        for (const [what, damaged] of damages(original)) {
          const broken = { ...unit, records: withBytes(unit.records, damaged) };
          await expectRefused(broken, options, what, /^(file_hash_mismatch|unsupported_version|malformed)$/);
        }
      }
    },
  );

  test.each([
    ['mainnet-v6', [1n, 3n]],
    ['chain-v6-sidecar', [1n, 3n]],
    ['single-v6-raw', null],
  ] as const)(
    'of a sidecar of %s refuses its unit, and nothing is stored',
    { timeout: TIMEOUT_MS },
    async (set, ratio) => {
      // Without signatures the chain of hashes still proves the sidecar that a record file names.
      const options: UnitDemands =
        ratio === null
          ? { mode: 'chain', consensusRatio: [0n, 1n], keys: null, previous: null, gaps: noGaps }
          : optionsOf(set, ratio);
      let tried = 0;
      for (const each of await unitsOf(set)) {
        const unit = await inMemory(each);
        await expectTaken(unit, options);
        for (const id of new Set(unit.sidecars.map((sidecar) => sidecar.id))) {
          const copies = unit.sidecars.filter((sidecar) => sidecar.id === id);
          const others = unit.sidecars.filter((sidecar) => sidecar.id !== id);
          const original = (await copies[0]?.read()) ?? new Uint8Array();
          for (const [what, damaged] of damages(original)) {
            const broken = { ...unit, sidecars: [...others, ...withBytes(copies, damaged)] };
            await expectRefused(broken, options, `sidecar ${id}, ${what}`, /^sidecar_hash_mismatch$/);
            tried++;
          }
        }
      }
      expect(tried).toBeGreaterThanOrEqual(2 * SAMPLES);
    },
  );

  test.each(SETS)(
    'of every signature of %s refuses its unit, and nothing is stored',
    { timeout: TIMEOUT_MS },
    async (set, ratio) => {
      const options = optionsOf(set, ratio);
      for (const each of await unitsOf(set)) {
        const unit = await inMemory(each);
        await expectTaken(unit, options);
        for (let round = 0; round < 20; round++) {
          const signatures = await Promise.all(
            unit.signatures.map(async (file) => {
              const bytes = await file.read();
              const at = random.below(bytes.length);
              const damaged = round % 2 === 0 ? flipped(bytes, at) : bytes.slice(0, at);
              return { ...file, read: async () => damaged };
            }),
          );
          await expectRefused({ ...unit, signatures }, options, `round ${round}`, /^consensus_not_reached$/);
        }
      }
    },
  );

  test.each(SETS)(
    'of one signature of %s takes only that one away',
    { timeout: TIMEOUT_MS },
    async (set, ratio) => {
      const options = optionsOf(set, ratio);
      const [each] = await unitsOf(set);
      const unit = await inMemory(each as UnitFiles);
      const [first, ...rest] = unit.signatures;
      if (first === undefined) throw new Error(`${set} has no signatures`);
      const original = await first.read();
      let refused = 0;
      for (const [what, damaged] of damages(original)) {
        const alone = { ...unit, signatures: withBytes([first], damaged) };
        const alike = { ...optionsOf(set, [0n, 1n]) };
        await expectRefused(alone, alike, `signature, ${what}`, /^consensus_not_reached$/);
        refused += 1;
      }
      expect(refused).toBeGreaterThan(100);
      const broken = {
        ...unit,
        signatures: [...withBytes([first], flipped(original, original.length - 1)), ...rest],
      };
      if (rest.length === 0) return;
      expect((await importAlone(broken, options)).report).toMatchObject({ units: 1, rejectedSignatures: 1 });
    },
  );
});
