import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode } from 'ox/AbiParameters';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, bundledLicences } from '../../scripts/bundle.ts';
import type * as Rlp from '../../src/mirror/evm/rlp.ts';
import type * as S3 from '../../src/mirror/ingest/source/bucket/s3-client.ts';
import type * as AbiParameters from '../../src/verify/match/abi-parameters.ts';

let outdir = '';
let folders: readonly string[] = [];
const load = (module: string) => import(/* @vite-ignore */ pathToFileURL(join(outdir, `${module}.js`)).href);

beforeAll(async () => {
  outdir = mkdtempSync(join(tmpdir(), 'ledgerlens-bundles-'));
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }');
  ({ packages: folders } = await bundle({ outdir, writes: true }));
});
afterAll(() => rmSync(outdir, { recursive: true }));

describe('what the build puts into dist instead of packages', () => {
  test('decodes values of an ABI', async () => {
    const codec = (await load('abi-parameters')) as typeof AbiParameters;
    const data = encode([{ type: 'uint256' }, { type: 'string' }], [7n, 'seven']);
    expect(codec.decode([{ type: 'uint256' }, { type: 'string' }], data)).toEqual([7n, 'seven']);
  });

  test('takes one byte for each character, as the engine then does as well', () => {
    const scripts = readdirSync(outdir).filter((name) => name.endsWith('.js'));
    expect(scripts).toContain('main.js');
    for (const name of scripts) expect(readFileSync(join(outdir, name), 'latin1')).not.toMatch(/[^\0-\x7f]/);
  });

  test('decodes RLP', async () => {
    const { decodeRlp } = (await load('rlp')) as typeof Rlp;
    expect(decodeRlp(Uint8Array.of(0xc3, 0x01, 0xc1, 0x80))).toEqual([Uint8Array.of(1), [new Uint8Array()]]);
  });

  test('asks a bucket with credentials of a profile', async () => {
    const { ListObjectsV2Command, S3Client } = (await load('s3-client')) as typeof S3;
    let signed = '';
    const server = createServer((request, response) => {
      signed = String(request.headers.authorization);
      response.setHeader('content-type', 'application/xml');
      response.end(
        '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>',
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const credentials = join(outdir, 'credentials');
    writeFileSync(credentials, '[mine]\naws_access_key_id = KEY\naws_secret_access_key = secret\n');
    const former = { ...process.env };
    Object.assign(process.env, { AWS_SHARED_CREDENTIALS_FILE: credentials, AWS_PROFILE: 'mine' });
    const client = new S3Client({
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      forcePathStyle: true,
    });
    try {
      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: 'records' }));
      expect(Contents?.map(({ Key }) => Key)).toEqual(['a']);
      expect(signed).toContain('Credential=KEY/');
    } finally {
      process.env = former;
      client.destroy();
      server.close();
    }
  });

  test('leaves out what npm installs beside it, except the package that is installed for its types', () => {
    const { dependencies } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const installed = Object.keys(dependencies).map((name) => `node_modules/${name}`);
    expect(folders.filter((folder) => installed.includes(folder))).toEqual([
      'node_modules/@sinclair/typebox',
    ]);
  });

  test('brings the licences along', () => {
    const text = bundledLicences(folders);
    for (const name of ['ox ', 'abitype ', '@aws-sdk/client-s3 ', 'Apache License', 'MIT License']) {
      expect(text).toContain(name);
    }
  });
});
