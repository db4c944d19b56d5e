import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  blockMessage,
  headerMessage,
  lengthField,
  numberField,
  timestampMessage,
  versionMessage,
} from '../../../../test/kit/mirror/ingest/block-bytes.ts';
import {
  blockOf,
  blockParts,
  listing,
  sharedBlock,
} from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { type BlockFacts, blockSets, streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { bareHex } from '../../../values/hex.ts';
import { wireFields } from '../../protobuf/wire.ts';
import { createBlockUnit } from '../block/block-unit.ts';
import type { ProofVerdict } from '../block-proof/proof-verdict.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { systemFileTree } from '../source/file-tree.ts';
import { NO_LEDGER_TRUST } from '../units/ledger-trust.ts';
import { recordFileName } from '../units/stream-file-name.ts';

const SOLO = 'blocks-wrapped-solo';
const BOOKS: Readonly<Record<string, string>> = {
  [SOLO]: `${SOLO}/address-book.json`,
  'blocks-wrapped-mainnet': 'mainnet-v2/address_book.bin',
};
const solo = (number: number) => blockOf(sharedBlock(`${SOLO}/${number}.blk.gz`), `${number}.blk.gz`);
const importing = (units: Parameters<typeof listing>[0], options = {}) => {
  const ledger = memoryLedger();
  return { ledger, report: ledger.import(listing(units, BOOKS[SOLO] ?? null), options) };
};

describeShared('wrapped blocks', () => {
  const wrapped = blockSets().flatMap(({ files, set }) =>
    BOOKS[set] === undefined ? [] : files.map((facts) => ({ set, facts })),
  );
  test.each(wrapped)('$facts.file is what the facts say, its signatures too', async ({ facts, set }) => {
    const unit = blockOf(sharedBlock(facts.file), facts.file);
    const ledger = memoryLedger();
    const before: BlockFacts[] = wrapped
      .filter((each) => each.set === set && set === SOLO)
      .map((each) => each.facts);
    const chain = before.slice(0, before.indexOf(facts)).map(({ file }) => blockOf(sharedBlock(file), file));
    const report = await ledger.import(listing([...chain, unit], BOOKS[set] ?? null));
    expect(report.refused).toEqual([]);
    const stored = ledger.units.at(-1);
    const known = facts.wrapped;
    const [valid, all] = known?.signatures_verified.split('/') ?? [];
    expect(valid).toBe(all);
    expect(report.rejectedSignatures).toBe(0);
    expect(stored?.header).toMatchObject({
      kind: 'block',
      isNative: false,
      version: known?.record_file_version,
      blockNumber: BigInt(facts.block_number),
      count: facts.count,
    });
    const { consensusEnd = 0n, fileHash, previousHash, root } = stored?.header ?? {};
    expect(bareHex(fileHash ?? new Uint8Array())).toBe(known?.signed_hash);
    expect(bareHex(previousHash ?? new Uint8Array())).toBe(known?.record_start_hash);
    expect(bareHex(root ?? new Uint8Array())).toBe(facts.root_hash);
    expect(`${consensusEnd / 1_000_000_000n}.${String(consensusEnd % 1_000_000_000n).padStart(9, '0')}`).toBe(
      facts.consensus_end,
    );
  });

  test('are the same chain of hashes as their record files, and know the roots of all blocks', async () => {
    const { ledger, report } = importing([solo(0), solo(1), solo(2)]);
    expect(await report).toMatchObject({
      units: 3,
      transactions: 982,
      refused: [],
      verification: 'signatures',
    });
    const [facts] = blockSets().filter(({ set }) => set === SOLO);
    expect(ledger.units.map(({ header }) => bareHex(header.hash))).toEqual(
      facts?.files.map((file) => file.wrapped?.record_end_hash),
    );
    const end = await ledger.repository.chainEnd();
    expect(end).toMatchObject({ isNative: false, version: 6, blockNumber: 2n });
    expect(end?.tree).toHaveLength(48);
  });

  test.each([
    ['swapped', [0, 2, 1], 'nonconsecutive_block', /Block 1 is missing/],
    ['missing', [0, 2], 'nonconsecutive_block', /Block 1 is missing/],
  ])('stop a chain where one is %s', async (_what, numbers, code, message) => {
    const { ledger, report } = importing(numbers.map(solo));
    const { refused, units } = await report;
    expect(units).toBe(1);
    expect(refused).toMatchObject([{ code, message: expect.stringMatching(message) }]);
    expect(ledger.state()).toMatchObject({ state: 'gap' });
  });

  test('bring their opening balances, which no node signed', async () => {
    const file = 'blocks-wrapped-mainnet/genesis/0000000000000000000.blk.zstd';
    const ledger = memoryLedger();
    const report = await ledger.import(
      listing([blockOf(sharedBlock(file), file)], BOOKS['blocks-wrapped-mainnet'] ?? null),
    );
    expect(report).toMatchObject({ units: 1, refused: [], verification: 'chain' });
    const balances = ledger.units[0]?.balances ?? [];
    expect(balances).toHaveLength(15_368);
    const sum = (of: typeof balances) => of.reduce((total, { balance }) => total + balance, 0n);
    expect(sum(balances)).toBe(5_000_000_000_000_000_000n);
    const unreleased = balances.filter(({ account }) => isUnreleased(account));
    expect(sum(unreleased)).toBe(4_648_128_469_777_600_717n);
  });

  test('are refused when the record file is another one than the header says', async () => {
    const [header, ...rest] = wireFields(sharedBlock(`${SOLO}/1.blk.gz`)).flatMap(({ bytes }) =>
      wireFields(bytes),
    );
    if (header === undefined) throw new Error('no header');
    const items = rest.map(({ bytes, number }) => [number, bytes] as const);
    const at = solo(1).instant;
    const first = importing([solo(0), blockOf(blockMessage([[1, headerMessage(1, at + 1n)], ...items]))]);
    expect((await first.report).refused).toMatchObject([
      { code: 'malformed', message: expect.stringContaining('its first transaction') },
    ]);
    const numbered = items.map(([field, bytes]) =>
      field === 9
        ? ([9, Buffer.concat([numberField(1, 7), bytes.subarray(2)])] as const)
        : ([field, bytes] as const),
    );
    const second = importing([blockOf(blockMessage([[1, headerMessage(7, at)], ...numbered]))], {
      verify: 'chain',
    });
    expect((await second.report).refused).toMatchObject([{ code: 'block_number_mismatch' }]);
  });

  test.each([
    [
      'two record files',
      (record: Uint8Array) =>
        [
          [10, record],
          [10, record],
        ] as const,
      'malformed',
    ],
    [
      'a signed transaction beside it',
      (record: Uint8Array) =>
        [
          [10, record],
          [4, new Uint8Array()],
        ] as const,
      'malformed',
    ],
    [
      'a record file with an unknown field',
      (record: Uint8Array) => [[10, Buffer.concat([record, lengthField(9)])]] as const,
      'unsupported_item',
    ],
    [
      'a record file with two contents',
      (record: Uint8Array) => [[10, Buffer.concat([record, lengthField(2)])]] as const,
      'malformed',
    ],
    [
      'a sidecar that its record file does not name',
      (record: Uint8Array) => [[10, Buffer.concat([record, lengthField(3, Uint8Array.of(1))])]] as const,
      'sidecar_hash_mismatch',
    ],
  ])('are refused with %s', async (_what, change, code) => {
    const items = wireFields(sharedBlock(`${SOLO}/0.blk.gz`)).flatMap(({ bytes }) => wireFields(bytes));
    const changed = items.flatMap(({ bytes, number }) =>
      number === 10 ? change(bytes) : [[number, bytes] as const],
    );
    const { ledger, report } = importing([blockOf(blockMessage(changed))]);
    expect((await report).refused).toMatchObject([{ code }]);
    expect(ledger.units).toEqual([]);
  });

  test('take amendments for what they are: no node signed them', async () => {
    const items = wireFields(sharedBlock(`${SOLO}/0.blk.gz`)).flatMap(({ bytes }) => wireFields(bytes));
    const amended = items.map(
      ({ bytes, number }) =>
        [number, number === 10 ? Buffer.concat([bytes, lengthField(4, lengthField(1))]) : bytes] as const,
    );
    const { ledger, report } = importing([blockOf(blockMessage(amended))]);
    expect(await report).toMatchObject({ units: 1, refused: [] });
    expect(ledger.units[0]?.transactions).toHaveLength(760);
  });

  test.each([
    [
      'its creation',
      [lengthField(1, timestampMessage(1_700_000_000_123_000_000n))],
      '2023-11-14T22_13_20.123Z.rcd',
    ],
    ['its first transaction where that is not told', [], recordFileName(solo(0).instant)],
  ])(
    'are named as the record file was, by the time of %s, and as big as it',
    async (_what, creation, name) => {
      const items = wireFields(sharedBlock(`${SOLO}/0.blk.gz`)).flatMap(({ bytes }) => wireFields(bytes));
      const record = wireFields(items.find(({ number }) => number === ITEM.recordFile)?.bytes ?? Buffer.of());
      const fields = record.filter(({ number }) => number !== 1);
      const recordFile = [...creation, ...fields.map(({ bytes, number }) => lengthField(number, bytes))];
      const changed: Readonly<Record<number, Uint8Array>> = {
        [ITEM.header]: Buffer.concat([
          lengthField(1, versionMessage(1, 2, 3)),
          lengthField(4, timestampMessage(solo(0).instant)),
        ]),
        [ITEM.recordFile]: Buffer.concat(recordFile),
      };
      const block = items.map(({ bytes, number }) => [number, changed[number] ?? bytes] as const);
      const { ledger, report } = importing([blockOf(blockMessage(block))]);
      expect(await report).toMatchObject({ units: 1, refused: [] });
      const VERSION_BYTES = 4;
      const size = VERSION_BYTES + (fields.find(({ number }) => number === 2)?.bytes.length ?? 0);
      expect(ledger.units[0]?.header).toMatchObject({ name, size, hapiVersion: '1.2.3' });
    },
  );

  test('are refused when too few nodes signed, and without a book', async () => {
    const items = wireFields(sharedBlock(`${SOLO}/0.blk.gz`)).flatMap(({ bytes }) => wireFields(bytes));
    const proof = items.find(({ number }) => number === 9)?.bytes ?? new Uint8Array();
    const [signed] = wireFields(proof);
    const signatures = wireFields(signed?.bytes ?? new Uint8Array()).filter(({ number }) => number === 2);
    const withSignatures = (kept: readonly (Uint8Array | undefined)[]) =>
      blockMessage(
        items.map(
          ({ bytes, number }) =>
            [
              number,
              number === 9
                ? lengthField(
                    4,
                    numberField(1, 6),
                    ...kept.map((each) => lengthField(2, each ?? new Uint8Array())),
                  )
                : bytes,
            ] as const,
        ),
      );
    const [first, second] = signatures.map(({ bytes }) => bytes);
    for (const kept of [[first], [first, first]]) {
      const few = importing([blockOf(withSignatures(kept))]);
      expect((await few.report).refused).toMatchObject([
        { code: 'consensus_not_reached', message: expect.stringContaining('1/4 stake') },
      ]);
    }
    const enough = importing([blockOf(withSignatures([first, second]))]);
    expect((await enough.report).refused).toEqual([]);
    const bookless = await memoryLedger().import(listing([solo(0)]));
    expect(bookless.refused).toMatchObject([
      { code: 'consensus_not_reached', message: expect.stringContaining('address book') },
    ]);
    expect((await importing([blockOf(withSignatures([]))]).report).refused).toMatchObject([
      { code: 'unsupported_proof' },
    ]);
  });

  test('follow record files, and name what the ledger ends with otherwise', async () => {
    const { ledger, report } = importing([solo(0)]);
    await report;
    const other = memoryLedger();
    await other.import(createDirectorySource(streamPath('chain-v6-sidecar'), systemFileTree));
    const found = await other.import(listing([solo(0)], BOOKS[SOLO] ?? null), { verify: 'chain' });
    expect(found.refused[0]?.code).toMatch(/nonconsecutive_block|fork|chain_mismatch/);
    expect(await solo(1).previousHash(await ledger.repository.chainEnd())).toEqual(
      ledger.units[0]?.header.hash,
    );
    expect(await solo(0).previousHash(null)).toBeNull();
  });

  test('have the number of their name', () => {
    const source = {
      name: '1.blk',
      path: '1.blk',
      node: null,
      number: 1n,
      bytes: readFileSync(streamPath(`${SOLO}/0.blk.gz`)),
    };
    expect(() => createBlockUnit(source, blockParts())).toThrow(
      expect.objectContaining({ code: 'block_number_mismatch' }),
    );
    expect(() => createBlockUnit({ ...source, bytes: Uint8Array.of(10, 0) }, blockParts())).toThrow(
      expect.objectContaining({ code: 'malformed' }),
    );
  });
});

/** 0.0.2, 42, 44-71, 73-87, 99-100, 200-349, 400-750. */
function isUnreleased(account: bigint): boolean {
  const ranges = [
    [2n, 2n],
    [42n, 42n],
    [44n, 71n],
    [73n, 87n],
    [99n, 100n],
    [200n, 349n],
    [400n, 750n],
  ] as const;
  return ranges.some(([from, to]) => account >= from && account <= to);
}

describeShared('a wrapped block with a proof over its root', () => {
  const items = wireFields(sharedBlock(`${SOLO}/0.blk.gz`))
    .flatMap(({ bytes }) => wireFields(bytes))
    .map(({ bytes, number }) => [number, bytes] as const);
  const threshold = [ITEM.proof, lengthField(2, Uint8Array.of(1))] as const;
  const alone = blockMessage([...items.filter(([field]) => field !== ITEM.proof), threshold]);
  const beside = blockMessage([...items, threshold]);
  const signature = lengthField(2, lengthField(1, Uint8Array.of(1)), numberField(2, 3));
  const ofVersion2 = [ITEM.proof, lengthField(4, numberField(1, 2), signature)] as const;
  const renamed = blockMessage([...items.filter(([field]) => field !== ITEM.proof), threshold, ofVersion2]);
  const holds: ProofVerdict = {
    ...({ kind: 'holds', generation: 2, keyBy: 'ledger-id' } as const),
    ...{ verificationKey: new Uint8Array(), signedRoot: new Uint8Array() },
  };
  const unknown: ProofVerdict = {
    kind: 'uncheckable',
    code: 'unsupported_proof',
    reason: 'new',
    isNewer: true,
  };
  const wrong: ProofVerdict = { kind: 'false', failure: 'encoding', reason: 'not signed' };

  test.each([
    ['which holds', alone, holds, '6 signatures'],
    ['which nobody can check', alone, unknown, 'unsupported_proof'],
    ['which holds, beside signatures of another version', renamed, holds, 'malformed'],
    ['which is false', alone, wrong, 'bad_block_proof'],
    ['which holds, beside signatures of nodes that nobody knows', beside, holds, '6 signatures'],
    ['which nobody can check, beside signatures of such nodes', beside, unknown, 'consensus_not_reached'],
  ])('%s', async (_name, block, verdict, expected) => {
    const unit = blockOf(block, '0.blk', { ...blockParts(), proofs: { check: async () => verdict } });
    const trust = { ...NO_LEDGER_TRUST, ledgerId: new Uint8Array(32), isPinned: true };
    const verified = unit.verify({
      ...({ mode: 'signatures', consensusRatio: [1n, 3n], keys: null, previous: null } as const),
      trust,
    });
    const outcome = await verified.then(
      ({ header: { verification, version } }) => `${version} ${verification}`,
      (error: { readonly code: string }) => error.code,
    );
    expect(outcome).toBe(expected);
  });
});
