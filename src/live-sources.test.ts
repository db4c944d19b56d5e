import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { readLiveSources } from './live-sources.ts';
import type { LiveSource } from './mirror/ingest/units/live-source.ts';
import { MIRROR_SETTINGS } from './mirror/mirror-options.ts';
import { readSettings } from './settings/setting.ts';

const BOOK = { MIRROR_ADDRESS_BOOK: '/book.bin' };

function read(given: Record<string, string>) {
  const defaults = Object.values(MIRROR_SETTINGS).map(({ name, form }) => [name, form.default]);
  const values = { ...Object.fromEntries(defaults), ...given };
  return readLiveSources(readSettings(MIRROR_SETTINGS, values, expect.unreachable));
}

function sourcesOf(given: Record<string, string>): readonly LiveSource[] {
  const { problems, sources } = read(given);
  expect(problems).toEqual([]);
  return sources;
}

describe('readLiveSources', () => {
  test('follows nothing unless told to', () => {
    expect(sourcesOf({})).toEqual([]);
  });

  test('knows a public network by its name: record files, then blocks from bucket and nodes', () => {
    const sources = sourcesOf({ MIRROR_NETWORK: 'testnet', ...BOOK });
    expect(sources.map(({ kind, name }) => [kind, name.split(',')[0]])).toEqual([
      ['bucket', 's3://hedera-testnet-streams-2024-02'],
      ['bucket', 's3://hedera-testnet-recent-block-streams'],
      ['block-nodes', 'block nodes s01.test.blk.ams.lat.ope.eng.hashgraph.io:40980'],
    ]);
    expect(sources[0]).toMatchObject({ content: 'records', access: 'requester-pays', endpoint: null });
    expect(sources[1]).toMatchObject({ content: 'blocks', access: 'requester-pays' });
    expect(sources[2]).toMatchObject({ nodes: { length: 4, 0: { streamPort: 40_980, statusPort: 40_982 } } });
  });

  test('lets each part of a network be replaced or turned off', () => {
    const sources = sourcesOf({
      MIRROR_NETWORK: 'mainnet',
      MIRROR_BUCKET: 'gs://my-copy/mainnet/',
      MIRROR_BLOCK_BUCKET: 'off',
      MIRROR_BLOCK_NODES: 'off',
      ...BOOK,
    });
    expect(sources).toEqual([
      {
        kind: 'bucket',
        name: 'gs://my-copy/mainnet',
        content: 'records',
        bucket: 'my-copy',
        prefix: 'mainnet',
        endpoint: 'https://storage.googleapis.com',
        region: null,
        access: 'auto',
      },
    ]);
  });

  test('reads a bucket of a store of its own', () => {
    const [bucket] = sourcesOf({
      MIRROR_BUCKET: 's3://hedera-streams',
      MIRROR_BUCKET_ENDPOINT: 'http://127.0.0.1:9000/',
      MIRROR_BUCKET_REGION: 'eu-west-1',
      MIRROR_BUCKET_ACCESS: 'anonymous',
    });
    expect(bucket).toMatchObject({
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-west-1',
      access: 'anonymous',
      prefix: '',
    });
  });

  test('reads block nodes in every form, in order', () => {
    const [source] = sourcesOf({
      MIRROR_BLOCK_NODES: 'a.example, b.example:1234, https://c.example, 40982@d.example:40980,[::1]:5',
    });
    expect(source).toMatchObject({
      nodes: [
        { name: 'a.example:40840', streamPort: 40_840, statusPort: 40_840, isTls: false },
        { name: 'b.example:1234', streamPort: 1234, statusPort: 1234 },
        { name: 'c.example:443', isTls: true },
        { name: 'd.example:40980', host: 'd.example', streamPort: 40_980, statusPort: 40_982 },
        { name: '[::1]:5', host: '::1' },
      ],
    });
  });

  test('follows another mirror by any of its usual addresses', () => {
    for (const url of ['https://m.example', 'https://m.example/', 'https://m.example/api/v1/']) {
      expect(sourcesOf({ MIRROR_FOLLOW: url })).toEqual([
        { kind: 'mirror', name: 'https://m.example', url: 'https://m.example' },
      ]);
    }
  });

  test.each([
    [{ MIRROR_BUCKET: 'hedera-streams' }, /^MIRROR_BUCKET: "hedera-streams" is not a bucket such as s3:/],
    [{ MIRROR_BLOCK_NODES: 'a:0' }, /^MIRROR_BLOCK_NODES: "a:0" is not a node such as host/],
    [{ MIRROR_BLOCK_NODES: 'a:70000' }, /^MIRROR_BLOCK_NODES: "a:70000" is not a node/],
    [{ MIRROR_BLOCK_NODES: 'a/b' }, /^MIRROR_BLOCK_NODES: "a\/b" is not a node/],
    [{ MIRROR_BUCKET_REGION: 'x' }, /^MIRROR_BUCKET_REGION: no bucket is configured; set MIRROR_BUCKET/],
    [
      { MIRROR_NETWORK: 'testnet' },
      /^MIRROR_ADDRESS_BOOK: record files of testnet .* name a file .* MIRROR_BUCKET=off/,
    ],
    [
      { MIRROR_FOLLOW: 'https://m.example', MIRROR_VERIFY: 'strict' },
      /^MIRROR_FOLLOW: .* MIRROR_VERIFY=strict/,
    ],
  ])('%j is refused with its variable and the remedy', (given, line) => {
    const { problems } = read(given);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(line);
  });
});

describe('the configuration', () => {
  test('begins where the network begins, unless told otherwise', () => {
    const startOf = (given: Record<string, string>) =>
      readConfig({ MIRROR_BUCKET: 'off', MIRROR_BLOCK_BUCKET: 'off', MIRROR_BLOCK_NODES: 'off', ...given })
        .mirror.start;
    expect(startOf({})).toBeNull();
    expect(startOf({ MIRROR_NETWORK: 'mainnet' })).toBe('now');
    expect(startOf({ MIRROR_NETWORK: 'demo' })).toBeNull();
    expect(startOf({ MIRROR_NETWORK: 'mainnet', MIRROR_START: 'genesis' })).toBeNull();
    expect(startOf({ MIRROR_START: 'now' })).toBe('now');
    expect(startOf({ MIRROR_START: '2024-01-31T00:00:00Z' })).toBe(1_706_659_200_000_000_000n);
  });

  test('says what block proofs must be', () => {
    const proofsOf = (given: Record<string, string>) => readConfig(given).mirror.proofs;
    expect(proofsOf({})).toEqual({ ledgerId: null, leastGeneration: 1, allowsGeneration1: false, every: 1 });
    const testnet = {
      MIRROR_NETWORK: 'testnet',
      MIRROR_BUCKET: 'off',
      MIRROR_BLOCK_BUCKET: 'off',
      MIRROR_BLOCK_NODES: 'off',
    };
    expect(proofsOf({ ...testnet, MIRROR_LEDGER_ID: `0x${'AB'.repeat(32)}` })).toMatchObject({
      ledgerId: 'ab'.repeat(32),
      leastGeneration: 2,
    });
    expect(proofsOf({ ...testnet, MIRROR_PROOF_GENERATION: '1' })).toMatchObject({
      leastGeneration: 1,
      allowsGeneration1: true,
    });
  });
});
