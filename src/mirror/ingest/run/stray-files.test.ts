import { describe, expect, test } from 'vitest';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { makeNodeSigners } from '../../../../tools/network/node-signer.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { writeStream } from '../../../../tools/network/write-stream.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { IngestLog } from '../report/ingest-log.ts';
import { silentLog } from '../report/ingest-log.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { streamInstant } from '../units/stream-file-name.ts';
import { createImporter } from './importer.ts';

const SIGNERS = makeNodeSigners(8, seededRandom('stray files'), 1024);
const [OWN, OTHERS] = [SIGNERS.slice(0, 4), SIGNERS.slice(4)];
const SECOND = 1_000_000_000n;
const BEGIN = 1_700_000_000n * SECOND;

type Files = Map<string, Uint8Array>;
const folder = (files: Files) => createDirectorySource('/s', memoryFileTree(files));

/** A signed stream, two seconds from file to file. */
async function signedStream(seed: string, signers = OWN, files = 6): Promise<Files> {
  const written: Files = new Map();
  const options = { seed, signers, files, transactionsPerFile: 2 };
  await writeStream(async (path, bytes) => void written.set(`/s/${path}`, bytes), options);
  return written;
}

/** The first files of a stream, with all that belongs to it. */
function first(count: number, files: Files): Files {
  const names = [...new Set([...files.keys()].flatMap((key) => /[^/]+Z/.exec(key) ?? []))].sort();
  const isLater = (key: string) => names.slice(count).some((name) => key.includes(name));
  return new Map([...files].filter(([key]) => !isLater(key)));
}

/** A file of one transaction that nobody signed. */
function unsigned(at: bigint, number: bigint, previous: Uint8Array) {
  const consensus = consensusTimestamp(at);
  const data = { cryptoTransfer: {} };
  const event = { consensus, validStart: consensus, payer: 801n, data, status: 22, fee: 0n, node: null };
  const item = ledgerItem(event, { shard: 0n, realm: 0n });
  const { bytes, endHash } = writeRecordFile([item], previous, number, [0, 65, 0]);
  return { name: `${streamInstant(consensus)}.rcd`, bytes, endHash, previous };
}

/** Files of one transaction each, chained in this order. */
function chained(seconds: readonly bigint[]) {
  let previous: Uint8Array = ZERO_HASH;
  return seconds.map((second, index) => {
    const file = unsigned(BEGIN + second * SECOND, BigInt(index), previous);
    previous = file.endHash;
    return file;
  });
}

/** The same bytes with other ones in one place. */
function changed(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(from);
  if (at < 0) throw new Error('not in the file');
  copy.set(to, at);
  return copy;
}

/** @see contracts/streams.md section 11 */
describe('a stray record file', () => {
  test.each([-1000n, 1000n])(
    'that names the end of the ledger and that nobody signed stops nothing: %i',
    async (beside) => {
      const whole = await signedStream('whole');
      const ledger = memoryLedger();
      await ledger.import(folder(first(4, whole)));
      const end = ledger.units.at(-1)?.header;
      const stray = unsigned((end?.consensusStart ?? 0n) + beside, 4n, end?.hash ?? ZERO_HASH);
      const files = new Map([...whole, [`/s/recordstreams/record0.0.3/${stray.name}`, stray.bytes]]);
      const logged: string[] = [];
      const log: IngestLog = { ...silentLog, warn: (_facts, text) => void logged.push(text) };
      expect(await ledger.import(folder(files), {}, log)).toMatchObject({ units: 2, refused: [] });
      expect(ledger.units).toHaveLength(6);
      if (beside > 0n) return;
      expect(ledger.state()?.rejections).toContainEqual({
        node: '',
        code: 'consensus_not_reached',
        count: 1,
      });
      expect(logged).toContainEqual(expect.stringMatching(`^passed over: .*${stray.name}`));
    },
  );

  test.each([
    ['signatures', Buffer.alloc(48, 9)],
    ['signatures', ZERO_HASH],
    ['chain', Buffer.alloc(48, 9)],
    ['chain', ZERO_HASH],
  ] as const)('before the begin of a stream begins no ledger: %s', async (verify, previous) => {
    const whole = await signedStream('whole');
    const stray = unsigned(BEGIN - 1000n, 0n, previous);
    const files = new Map([...whole, [`/s/recordstreams/record0.0.3/${stray.name}`, stray.bytes]]);
    const ledger = memoryLedger();
    for (const units of [6, 0]) {
      expect(await ledger.import(folder(files), { verify })).toMatchObject({ units, refused: [] });
      expect(ledger.units.map(({ header }) => header.blockNumber)).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
    }
  });

  /** A stream without the files of some numbers, beside a stray one of before those that are left. */
  const beside = async (without: readonly number[], stray: bigint | null): Promise<Files> => {
    const whole = await signedStream('whole');
    const keysOf = (number: number) =>
      [...first(number + 1, whole).keys()].filter((key) => !first(number, whole).has(key));
    const dropped = new Set(without.flatMap(keysOf));
    const files = new Map([...whole].filter(([key]) => !dropped.has(key)));
    if (stray === null) return files;
    const { bytes, name } = unsigned(BEGIN + 4n * SECOND - 1000n, stray, Buffer.alloc(48, 9));
    return files.set(`/s/recordstreams/record0.0.3/${name}`, bytes);
  };
  const numbers = ({ units }: ReturnType<typeof memoryLedger>) =>
    units.map(({ header }) => header.blockNumber);

  test.each([
    ['signatures', 1n],
    ['signatures', 3n],
    ['signatures', 9n],
    ['chain', 1n],
    ['chain', 3n],
  ] as const)('before the middle of a stream begins no ledger: %s %i', async (verify, number) => {
    const files = await beside([0, 1], number);
    const ledger = memoryLedger();
    for (const units of [4, 0]) {
      expect(await ledger.import(folder(files), { verify })).toMatchObject({ units, refused: [] });
      expect(numbers(ledger)).toEqual([2n, 3n, 4n, 5n]);
    }
  });

  test('with a number beyond those of the stream is refused once where nobody signs, and costs nothing', async () => {
    const files = await beside([0, 1], 9n);
    const ledger = memoryLedger();
    for (const refused of [[{ code: 'chain_mismatch' }], []]) {
      expect(await ledger.import(folder(files), { verify: 'chain' })).toMatchObject({ refused });
      expect(numbers(ledger)).toEqual([2n, 3n, 4n, 5n]);
    }
  });

  /** What another node sent under the names of some files, chained after a hash; the last one comes after it. */
  const dissenting = (whole: Files, places: readonly number[], previous: Uint8Array): Files => {
    const names = [...new Set([...whole.keys()].flatMap((key) => /[^/]+Z(?=\.rcd)/.exec(key) ?? []))].sort();
    let last = previous;
    const made = places.map((place) => {
      const [day, time = ''] = (names[place] ?? '').replace('Z', '').split('T');
      const [seconds, nanos = ''] = time.replaceAll('_', ':').split('.');
      const at = BigInt(Date.parse(`${day}T${seconds}Z`)) * 1_000_000n + BigInt(nanos.padEnd(9, '0'));
      const { bytes, endHash, name } = unsigned(at, BigInt(place), last);
      last = endHash;
      return [`/s/recordstreams/record0.0.2/${name}`, bytes] as const;
    });
    return new Map([...whole, ...made]);
  };

  test.each([
    ['those behind the first, chained to nothing', [1, 2], null],
    ['the first, as if it came after the second', [0], 1],
    ['the first, as if it came after the third', [0], 2],
    ['the second, and the first as if it came after that', [1, 0], null],
    ['the third, and the first as if it came after that', [2, 0], null],
    ['the last, and the first as if it came after that', [5, 0], null],
  ] as const)(
    'of a node that dissents costs a signed ledger no first file: %s',
    async (_what, places, behind) => {
      const whole = await signedStream('whole');
      const known = memoryLedger();
      await known.import(folder(whole));
      const previous = behind === null ? Buffer.alloc(48, 9) : known.units[behind]?.header.hash;
      const ledger = memoryLedger();
      const files = dissenting(whole, places, previous ?? ZERO_HASH);
      expect(await ledger.import(folder(files))).toMatchObject({ units: 6, refused: [] });
      expect(numbers(ledger)).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
    },
  );

  test('of a node that also names it as the one before the first stops nothing', async () => {
    const whole = await signedStream('whole');
    const known = memoryLedger();
    await known.import(folder(whole));
    const stray = unsigned((known.units[0]?.header.consensusStart ?? 0n) - SECOND, 0n, Buffer.alloc(48, 9));
    const files = dissenting(whole, [0], stray.endHash);
    files.set(`/s/recordstreams/record0.0.2/${stray.name}`, stray.bytes);
    const ledger = memoryLedger();
    expect(await ledger.import(folder(files))).toMatchObject({ units: 6, refused: [] });
    expect(numbers(ledger)).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
  });

  test.each([
    ['of its own stream', [1], null],
    ['that may be of its own stream', [0, 1], 0n],
    ['that is not', [0, 1, 3], 1n],
    ['far from it', [0, 1, 3], 9n],
  ] as const)('never lets a ledger begin behind a missing file: one %s', async (_what, without, stray) => {
    for (const verify of ['signatures', 'chain'] as const) {
      const ledger = memoryLedger();
      const { refused } = await ledger.import(folder(await beside(without, stray)), { verify });
      expect(refused).toHaveLength(1);
      expect(ledger.units.length).toBeLessThan(2);
      const [begin = 0n] = numbers(ledger);
      expect([0n, stray]).toContain(begin);
    }
  });

  test('is named beside a gap', async () => {
    const files = chained([10n, 20n, 30n, 40n]);
    const stray = unsigned(BEGIN + 15n * SECOND, 9n, Buffer.alloc(48, 9));
    const tree = (some: readonly { name: string; bytes: Uint8Array }[]) =>
      folder(new Map(some.map(({ bytes, name }) => [`/s/${name}`, bytes])));
    const ledger = memoryLedger();
    await ledger.import(tree(files.slice(0, 2)), { verify: 'chain' });
    const report = await ledger.import(tree([...files.filter((_, at) => at !== 2), stray]), {
      verify: 'chain',
    });
    expect(report.refused).toMatchObject([{ name: files[3]?.name, code: 'chain_mismatch' }]);
    expect(report.refused[0]?.message).toMatch(
      new RegExp(`files before it that nothing leads to: ${stray.name}$`),
    );
  });
});

describe('the first file of a ledger', () => {
  const nodes = ['3', '4', '5'];

  const forgeries = [
    { at: 1, behind: null },
    { at: 0, behind: 1 },
    { at: 0, behind: 3 },
  ];
  test.each(nodes.flatMap((liar) => forgeries.map((forgery) => ({ liar, ...forgery }))))(
    'is the one that most copies name, whatever one node says: %o',
    async ({ at, behind, liar }) => {
      const files = chained([20n, 10n, 30n, 40n]);
      const [begin] = files;
      const previous = behind === null ? Buffer.alloc(48, 7) : files[behind]?.endHash;
      const forged = unsigned(BEGIN + (at === 0 ? 20n : 10n) * SECOND, BigInt(at), previous ?? ZERO_HASH);
      const tree: Files = new Map();
      for (const node of nodes)
        for (const file of files)
          tree.set(
            `/s/record0.0.${node}/${file.name}`,
            file === files[at] && node === liar ? forged.bytes : file.bytes,
          );
      const ledger = memoryLedger();
      const report = await ledger.import(folder(tree), { verify: 'chain' });
      expect(ledger.units[0]?.header.name).toBe(begin?.name);
      // Without signatures the first copy of the first file is the one.
      const isTaken = at === 0 && liar === nodes[0];
      expect([report.units, report.refused.length]).toEqual(isTaken ? [1, 1] : [4, 0]);
    },
  );
});

describe('a damaged copy', () => {
  test('of the newest file makes no fork while another copy is the one of the ledger', async () => {
    const files = chained([10n, 20n, 30n, 40n]);
    const tree: Files = new Map();
    const put = (node: string, at: number, bytes = files[at]?.bytes) =>
      void tree.set(`/s/record0.0.${node}/${files[at]?.name}`, bytes ?? new Uint8Array());
    for (const at of [0, 1, 2]) for (const node of ['3', '4']) put(node, at);
    const ledger = memoryLedger();
    await ledger.import(folder(tree), { verify: 'chain' });
    const stranger = unsigned(BEGIN + 30n * SECOND, 2n, Buffer.alloc(48, 7));
    for (const bytes of [
      changed(files[2]?.bytes ?? ZERO_HASH, files[2]?.endHash ?? ZERO_HASH, Buffer.alloc(48, 7)),
      stranger.bytes,
    ]) {
      put('3', 2, bytes);
      expect(await ledger.import(folder(tree), { verify: 'chain' })).toMatchObject({ units: 0, refused: [] });
    }
    put('4', 3);
    expect(await ledger.import(folder(tree), { verify: 'chain' })).toMatchObject({ units: 1, refused: [] });
  });

  test.each(['damaged', 'of another network'])(
    'that names an end before is no reason to leave the other one out: %s',
    async (how) => {
      const files = chained([10n, 40n, 30n, 50n]);
      const tree: Files = new Map(files.map(({ bytes, name }) => [`/s/record0.0.4/${name}`, bytes]));
      const [begin, , late] = files;
      const bytes = late?.bytes ?? ZERO_HASH;
      const [from, to] = [late?.previous ?? ZERO_HASH, begin?.endHash ?? ZERO_HASH];
      const other = unsigned(BEGIN + 30n * SECOND, 7n, Buffer.alloc(48, 3)).bytes;
      tree.set(`/s/record0.0.3/${late?.name}`, how === 'damaged' ? changed(bytes, from, to) : other);
      const ledger = memoryLedger();
      expect(await ledger.import(folder(tree), { verify: 'chain' })).toMatchObject({ units: 4, refused: [] });
    },
  );

  test('is looked at again once it was replaced, by the process that saw it', async () => {
    const [begin, then, late, last] = chained([10n, 40n, 30n, 50n]);
    const tree: Files = new Map();
    const put = (file: typeof begin, bytes = file?.bytes) =>
      void tree.set(`/s/${file?.name}`, bytes ?? new Uint8Array());
    const { repository, units } = memoryLedger();
    const source = folder(tree);
    const importer = createImporter({ repository, source, isWatched: true, options: { verify: 'chain' } });
    put(begin);
    put(then);
    await importer.run();
    put(late, changed(late?.bytes ?? ZERO_HASH, late?.previous ?? ZERO_HASH, Buffer.alloc(48, 3)));
    put(last);
    expect((await importer.run()).refused).toMatchObject([{ name: last?.name, code: 'chain_mismatch' }]);
    put(late);
    expect(await importer.run()).toMatchObject({ units: 2, refused: [] });
    expect(units).toHaveLength(4);
  });
});

describe('a source of another network whose files are up to the last name', () => {
  test('is a fork where the nodes signed them', async () => {
    const ledger = memoryLedger();
    await ledger.import(folder(await signedStream('one')));
    const report = await ledger.import(folder(await signedStream('other')));
    expect(report).toMatchObject({ units: 0, refused: [{ code: 'fork' }] });
    expect(ledger.state()?.state).toBe('fork');
  });

  test('is named and counted where others signed them, and no fork', async () => {
    const ledger = memoryLedger();
    await ledger.import(folder(await signedStream('one')));
    const logged: string[] = [];
    const log: IngestLog = { ...silentLog, warn: (_facts, text) => void logged.push(text) };
    const report = await ledger.import(folder(await signedStream('other', OTHERS)), {}, log);
    expect(report).toMatchObject({ units: 0, refused: [] });
    expect(logged).toContainEqual(expect.stringMatching(/is another file than the ledger has in its place/));
    expect(ledger.state()?.rejections).toMatchObject([{ node: '', code: 'fork', count: 4 }]);
  });
});

test('a gap costs the signatures of one file, however many wait behind it', async () => {
  const whole = await signedStream('gap', OWN, 20);
  const ledger = memoryLedger();
  await ledger.import(folder(first(4, whole)));
  const missing = [...first(5, whole).keys()].filter((key) => !first(4, whole).has(key));
  const read: string[] = [];
  const tree = memoryFileTree(new Map([...whole].filter(([key]) => !missing.includes(key))));
  const remembered: typeof tree.read = (path) => {
    read.push(path);
    return tree.read(path);
  };
  const source = createDirectorySource('/s', { ...tree, read: remembered });
  const report = await ledger.import(source);
  expect(report).toMatchObject({ units: 0, refused: [{ code: 'chain_mismatch' }] });
  expect(read.filter((path) => path.endsWith('_sig'))).toHaveLength(OWN.length);
});
