import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSelfSignedIdentity } from '../clients/self-signed-certificate.ts';
import { isLeftOut, notLinux } from '../support/left-out.ts';
import { freePort, type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { PROXIES } from './documented-proxies.ts';
import { ROOT } from './read-blocks.ts';

/** Each proxy of docs/operation.md runs with the configuration of the page, in front of one server. */
const HOST = 'ledger.example.org';
const LARGEST_BODY = 30 * 1024 * 1024;
const BURST = 40;
/** The path that nginx takes away; test/e2e/below-a-path.test.ts shows that pages link below it. */
const BELOW = '/lens';
const NOT_SHOWN = 'skipped: the page shows a path below another site for nginx alone';
const demo = JSON.parse(readFileSync(`${ROOT}src/commands/demo-contract.json`, 'utf8')) as {
  readonly address: string;
  readonly creationBytecode: string;
  readonly runtimeBytecode: string;
  readonly submission: object;
};
const identity = createSelfSignedIdentity(HOST);
const anyIsThere = PROXIES.some(({ missing }) => missing === null);
const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-proxies-'));
let server: ServeProcess | null = null;

beforeAll(async () => {
  if (!anyIsThere) return;
  const { address, creationBytecode, runtimeBytecode } = demo;
  // One chain for each proxy: what is verified for one is not asked again.
  const chain = { static: { [address]: { creationBytecode, runtimeBytecode } } };
  const env = {
    VERIFY_CHAINS: JSON.stringify(Object.fromEntries(PROXIES.map((_, index) => [2001 + index, chain]))),
    STATUS_PROBES_OFF: 'all',
    REQUESTS_PER_SECOND: '1',
    TRUST_PROXY: '1',
    PUBLIC_URL: `https://${HOST}`,
  };
  server = await startServe(env, folder);
});

afterAll(async () => {
  await server?.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

describe.each(PROXIES.map((proxy, index) => ({ ...proxy, index })))('$program', (proxy) => {
  const { program, index, missing } = proxy;
  let child: ChildProcess | null = null;
  let port = 0;

  beforeAll(async () => {
    if (missing !== null) return;
    const own = join(folder, program);
    mkdirSync(own);
    const files = { certificate: join(own, 'ledger.pem'), key: join(own, 'ledger.key') };
    // HAProxy reads the key from the file of the certificate; the others skip it there.
    writeFileSync(files.certificate, identity.certificate + identity.key);
    writeFileSync(files.key, identity.key);
    port = await freePort();
    const serverPort = new URL(server?.url ?? '').port;
    const started = proxy.start({ folder: own, port, serverPort, ...files });
    child = started;
    let log = '';
    started.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    await until(`${program} answers`, async () => {
      if (started.exitCode !== null) throw new Error(`${program} ended: ${log}`);
      return (await ask('/health/liveness').catch(() => null))?.status === 200;
    });
  });

  afterAll(async () => {
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });

  interface Question {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Buffer;
    /** Address of the client. */
    readonly from?: string;
  }

  async function ask(path: string, { headers = {}, body, from }: Question = {}) {
    const asked = request({
      host: '127.0.0.1',
      port,
      path,
      servername: HOST,
      ca: identity.certificate,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: HOST, connection: 'close', ...headers },
      agent: false,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) };
  }

  const json = { 'content-type': 'application/json' };

  test.skipIf(isLeftOut(missing))('serves over TLS what names its public address', async () => {
    const { status, body } = await ask('/api/v2/status.json');
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({ page: { url: `https://${HOST}/status` } });
  });

  test.skipIf(isLeftOut(missing))('passes on a compressed answer as it is', async () => {
    const { headers, body } = await ask('/docs/openapi/all.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ openapi: expect.any(String) });
  });

  test.skipIf(isLeftOut(missing))('passes on the largest submission', async () => {
    const path = `/v2/verify/${2001 + index}/${demo.address}`;
    const largest = Buffer.alloc(LARGEST_BODY, ' ');
    largest.write('{}');
    const taken = await ask(path, { headers: json, body: largest });
    expect([taken.status, JSON.parse(taken.body.toString())]).toEqual([
      400,
      expect.objectContaining({ customCode: 'invalid_parameter' }),
    ]);
  });

  test.skipIf(isLeftOut(program === 'nginx' ? missing : NOT_SHOWN))('serves below a path', async () => {
    const { status, body } = await ask(`${BELOW}/version`);
    expect([status, JSON.parse(body.toString())]).toEqual([
      200,
      expect.objectContaining({ name: 'ledgerlens' }),
    ]);
  });

  test.skipIf(isLeftOut(missing ?? notLinux))('tells clients apart, whatever they claim to be', async () => {
    const many = Array.from({ length: 2 * BURST }, (_, each) =>
      ask('/version', { from: `127.0.2.${index + 1}`, headers: { 'x-forwarded-for': `198.51.100.${each}` } }),
    );
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(statuses).toContain(200);
    const other = await ask('/version', { from: `127.0.1.${index + 1}` });
    expect(other.status).toBe(200);
  });
});
