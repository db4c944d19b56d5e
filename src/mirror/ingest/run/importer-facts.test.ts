import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { recordSets, streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { parseEntityId } from '../../../values/entity-id.ts';
import { parseAddressBookFile } from '../decode/address-book.ts';
import { sha384 } from '../sha384.ts';
import { reachConsensus, verifySignatureFile } from '../signature/node-consensus.ts';
import type { ImporterOptions } from './importer.ts';

const folders: string[] = [];

function copyOf(set: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-stream-'));
  folders.push(folder);
  cpSync(streamPath(set), folder, { recursive: true });
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function flip(path: string, offset: number): void {
  const bytes = readFileSync(path);
  const at = offset < 0 ? bytes.length + offset : offset;
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}

const run = (path: string, options: ImporterOptions = {}) => memoryLedger().import(path, options);

describeShared('createImporter on real files', () => {
  const signed = recordSets().flatMap(({ set, files }) =>
    files
      .filter(({ signatures }) => signatures !== undefined && signatures.length > 0)
      .map((facts) => ({ set, facts })),
  );

  test.each(signed)('signatures and consensus of $facts.file are what the facts say', ({ set, facts }) => {
    const top = streamPath(set.split('/')[0] ?? '');
    const book = join(top, 'address_book.bin');
    const keys = {
      nodes: parseAddressBookFile(readFileSync(book), book).map((entry) => ({ ...entry, stake: 0n })),
    };
    expect(keys.nodes).toHaveLength(facts.consensus?.nodes_in_book ?? 0);
    const verified = (facts.signatures ?? []).map(({ node_account, signature_version }) => {
      const path = signaturePath(facts.file, node_account);
      const account = parseEntityId(node_account) ?? 0n;
      const signature = verifySignatureFile(
        { path, node: { kind: 'account', account } },
        readFileSync(path),
        keys,
      );
      expect(signature.version).toBe(signature_version);
      return signature;
    });
    expect(verified).toHaveLength(facts.consensus?.valid ?? 0);
    const agree = () => reachConsensus(facts.file, verified, keys, [1n, 3n]);
    if (facts.consensus?.reached === true) expect(agree().nodeIds.size).toBe(facts.consensus.valid);
    else expect(agree).toThrowError(expect.objectContaining({ code: 'consensus_not_reached' }));
  });

  test.each([
    ['mainnet-v2', 1, 1],
    ['mainnet-v5', 1, 35],
    ['mainnet-v6', 1, 47],
    ['chain-v1', 2, 84],
    ['chain-v2v5', 2, 2],
    ['chain-v5v6', 2, 2],
    ['chain-v6-sidecar', 2, 3],
    ['chain-v6-sidecar/recordstreams', 2, 3],
    ['mainnet-v6/2025-07-23T20_37_42.076472454Z.rcd', 1, 47],
  ])('%s is imported once and the second time nothing changes', async (set, units, transactions) => {
    const ledger = memoryLedger();
    expect(await ledger.import(streamPath(set))).toMatchObject({
      units,
      transactions,
      skipped: 0,
      refused: [],
      verification: 'signatures',
    });
    const before = ledger.dump();
    expect(await ledger.import(streamPath(set))).toMatchObject({ units: 0, skipped: units, refused: [] });
    expect(ledger.dump()).toBe(before);
  });

  test('gap-v5-ethereum is refused at its first file: one of four nodes signed', async () => {
    const report = await run(streamPath('gap-v5-ethereum'));
    expect(report).toMatchObject({ units: 0, refused: [{ code: 'consensus_not_reached' }] });
    expect(report.refused[0]?.message).toContain('1/4 stake');
  });

  test('gap-v5-ethereum with ratio 0 stops at the file that does not follow', async () => {
    const ledger = memoryLedger();
    const report = await ledger.import(streamPath('gap-v5-ethereum'), { consensusRatio: [0n, 1n] });
    expect(report).toMatchObject({ units: 1, transactions: 14, refused: [{ code: 'chain_mismatch' }] });
    expect(report.refused[0]?.message).toMatch(
      /2022-04-28T15_28_40.*expected fa29a741eac9.*found 2aaad4bc2346/,
    );
    expect(ledger.state()).toMatchObject({ state: 'gap' });
  });

  test('layout-node-id has one node of four, which ratio 0 accepts', async () => {
    const report = await run(streamPath('layout-node-id'), { consensusRatio: [0n, 1n] });
    expect(report).toMatchObject({ units: 2, transactions: 3, refused: [] });
    expect(await run(streamPath('layout-node-id'))).toMatchObject({ units: 0 });
  });

  test('single-v6-raw has no signatures: level chain takes it, signatures does not', async () => {
    expect(await run(streamPath('single-v6-raw'), { verify: 'chain' })).toMatchObject({
      units: 1,
      verification: 'chain',
    });
    expect(await run(streamPath('single-v6-raw'))).toMatchObject({
      refused: [{ code: 'consensus_not_reached' }],
    });
  });

  test.each(['mainnet-v2', 'mainnet-v5', 'mainnet-v6'])(
    'a flipped byte anywhere in the record file of %s is refused with its name, and nothing is stored',
    async (set) => {
      const folder = copyOf(set);
      const name = readdirSync(folder).find((file) => /Z\.rcd$/.test(file)) ?? '';
      const path = join(folder, name);
      const original = readFileSync(path);
      const step = Math.max(1, Math.floor(original.length / 23));
      for (let offset = 0; offset < original.length; offset += step) {
        flip(path, offset);
        const ledger = memoryLedger();
        const report = await ledger.import(folder);
        expect(report).toMatchObject({ units: 0, transactions: 0, refused: [{ name }] });
        expect(report.refused[0]?.message).toContain(name);
        expect(['file_hash_mismatch', 'unsupported_version']).toContain(report.refused[0]?.code);
        expect(ledger.dump()).not.toContain('consensusEnd');
        writeFileSync(path, original);
      }
    },
  );

  test('a truncated record file is refused', async () => {
    const folder = copyOf('mainnet-v5');
    const path = join(folder, '2022-01-01T00_00_00.252365821Z.rcd');
    writeFileSync(path, readFileSync(path).subarray(0, -100));
    expect(await run(folder)).toMatchObject({ units: 0, refused: [{ code: 'file_hash_mismatch' }] });
    expect(await run(folder, { verify: 'chain' })).toMatchObject({
      units: 0,
      refused: [{ code: 'malformed' }],
    });
  });

  test('a flipped byte in a sidecar refuses its record file', async () => {
    const folder = copyOf('mainnet-v6');
    flip(join(folder, '2025-07-23T20_37_42.076472454Z_01.rcd'), 1000);
    expect(await run(folder)).toMatchObject({ units: 0, refused: [{ code: 'sidecar_hash_mismatch' }] });
  });

  test.each(['mainnet-v2', 'mainnet-v5', 'mainnet-v6'])(
    'a flipped byte in a signature file of %s makes that signature not count',
    (set) => {
      const name = readdirSync(streamPath(set)).find((file) => file.endsWith('.rcd_sig')) ?? '';
      const book = streamPath(set, 'address_book.bin');
      const keys = {
        nodes: parseAddressBookFile(readFileSync(book), book).map((entry) => ({ ...entry, stake: 0n })),
      };
      const account = parseEntityId(/node_(.*)\.rcd_sig/.exec(name)?.[1] ?? '') ?? 0n;
      const original = readFileSync(streamPath(set, name));
      const check = (bytes: Uint8Array) =>
        verifySignatureFile({ path: name, node: { kind: 'account', account } }, bytes, keys);
      expect(check(original).nodeId).toBeGreaterThan(-1n);
      for (let offset = 0; offset < original.length; offset++) {
        const damaged = Uint8Array.from(original);
        damaged[offset] = (damaged[offset] ?? 0) ^ 0x01;
        expect(() => check(damaged), `byte ${offset}`).toThrowError();
      }
    },
  );

  test("a damaged copy is replaced by another node's", async () => {
    const folder = copyOf('chain-v6-sidecar');
    const copies = readdirSync(join(folder, 'recordstreams'));
    for (const copy of copies.slice(0, 3)) {
      const name = readdirSync(join(folder, 'recordstreams', copy)).find((file) => file.endsWith('.rcd.gz'));
      const path = join(folder, 'recordstreams', copy, name ?? '');
      writeFileSync(path, sha384(readFileSync(path)));
    }
    expect(await run(folder)).toMatchObject({ units: 2, refused: [] });
  });
});

function signaturePath(file: string, account: string): string {
  const beside = join(dirname(file), `node_${account}.rcd_sig`);
  if (existsSync(streamPath(beside))) return streamPath(beside);
  const name = basename(file).replace(/\.rcd(\.gz)?$/, '.rcd_sig');
  const folder = dirname(file).replace(/record0\.0\.\d+$/, `record${account}`);
  return streamPath(folder, name);
}
