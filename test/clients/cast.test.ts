import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompilation, aMatch } from '../kit/verify/a-verification.ts';
import { type ServedArea, serveArea } from '../kit/verify/serve-area.ts';
import { storeMatch } from '../kit/verify/store-match.ts';
import { isLeftOut } from '../support/left-out.ts';
import { missingProgram } from './missing-program.ts';
import { type ProxiedHost, startProxiedHost } from './proxied-host.ts';
import { runClient } from './run-client.ts';

const CAST = fileURLToPath(
  new URL('./foundry/node_modules/@foundry-rs/cast-linux-amd64/bin/cast', import.meta.url),
);
const missing = missingProgram('cast', existsSync(CAST));

/** cast knows one database only, so this server answers under that name. */
const DATABASE_HOST = 'api.4byte.sourcify.dev';

const ABI = [
  { type: 'function', name: 'pay', inputs: [{ type: 'address' }, { type: 'uint256' }] },
  { type: 'event', name: 'Paid', inputs: [{ type: 'address' }] },
  { type: 'error', name: 'NotEnough', inputs: [{ type: 'uint256' }] },
];

describe.skipIf(isLeftOut(missing))('cast, unmodified', () => {
  let folder = '';
  let served: ServedArea;
  let host: ProxiedHost;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-cast-'));
    served = await serveArea({ runningJobs: 0 });
    const compilation = { ...aCompilation({}), abi: ABI };
    const match = aMatch({ compilation, runtime: 'match', creation: null });
    await storeMatch(served.store, { address: `0x${'1'.repeat(40)}` }, match);
    const url = await served.app.listen({ host: '127.0.0.1', port: 0 });
    host = await startProxiedHost(DATABASE_HOST, (incoming, outgoing) => {
      const { method, headers } = incoming;
      const passing = forward(
        new URL(incoming.url ?? '/', url),
        { method: method ?? 'GET', headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        },
      );
      incoming.pipe(passing);
    });
    writeFileSync(join(folder, 'authority.pem'), host.certificate);
  });
  afterAll(async () => {
    await host?.close();
    await served?.close();
    rmSync(folder, { recursive: true });
  });

  const cast = (...args: readonly string[]) =>
    runClient(
      CAST,
      args,
      {
        HOME: folder,
        PATH: process.env['PATH'] ?? '',
        HTTPS_PROXY: host.proxyUrl,
        SSL_CERT_FILE: join(folder, 'authority.pem'),
        NO_COLOR: '1',
      },
      folder,
    );

  test('finds the signature of a selector', async () => {
    const selector = (await cast('sig', 'pay(address,uint256)')).output.trim();
    const run = await cast('4byte', selector);
    expect([run.exitCode, run.output.trim()]).toEqual([0, 'pay(address,uint256)']);
  });

  test('decodes calldata', async () => {
    const address = `0x${'2'.repeat(40)}`;
    const calldata = (await cast('calldata', 'pay(address,uint256)', address, '7')).output.trim();
    const run = await cast('4byte-calldata', calldata);
    expect(run.exitCode, run.output).toBe(0);
    expect(run.output).toContain('pay(address,uint256)');
    expect(run.output.toLowerCase()).toContain(address);
  });

  test('finds the signature of a topic', async () => {
    const topic = (await cast('sig-event', 'Paid(address)')).output.trim();
    const run = await cast('4byte-event', topic);
    expect([run.exitCode, run.output.trim()]).toEqual([0, 'Paid(address)']);
  });

  test('decodes an error, for which it asks as for a function', async () => {
    const data = (await cast('calldata', 'NotEnough(uint256)', '3')).output.trim();
    const run = await cast('decode-error', data);
    expect(run.exitCode, run.output).toBe(0);
    expect(run.output).toContain('NotEnough(uint256)');
    expect(host.asked.at(-1)).toContain('/signature-database/v1/lookup?function=');
  });

  test('says that an unknown selector has none', async () => {
    const run = await cast('4byte', '0x12345678');
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toContain('No matching function signatures found');
  });
});
