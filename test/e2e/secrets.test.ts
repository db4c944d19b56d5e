import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { aFolder } from '../kit/storage/a-folder.ts';
import { startServe, until } from '../support/serve-process.ts';

const [KEY, PASSWORD, HEADER, IN_ENVIRONMENT] = [
  'c0ffee0123456789abcdef0123456789',
  'battery staple',
  'open-"sesame"-77',
  'from-the-vault-42',
];
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that repeats in its errors what it was called with. */
async function repeating(answer: (said: string) => string, status: number): Promise<string> {
  const server = createServer(({ headers, url }, response) => {
    const said = JSON.stringify({ url, headers, password: passwordOf(headers) });
    response.writeHead(status).end(answer(said));
  }).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function passwordOf({ authorization = '' }: IncomingHttpHeaders): string {
  return Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
}

test('what other servers say does not bring a configured secret into log or answer', async () => {
  const node = await repeating((said) => JSON.stringify({ id: 1, error: { message: said } }), 401);
  const server = await startServe(
    {
      DATABASE_URL: 'sqlite::memory:',
      LOG_LEVEL: 'trace',
      VAULT: IN_ENVIRONMENT,
      VERIFY_CHAINS: JSON.stringify({
        1: {
          rpc: [
            {
              url: `http://me:${encodeURIComponent(PASSWORD)}@${node}/v3/${KEY}?token=${KEY}`,
              headers: { 'x-api-key': HEADER, 'x-other': `\${VAULT}` },
            },
          ],
        },
      }),
    },
    aFolder({}),
  );
  closing.push(() => server.stop('SIGKILL'));
  const read = async (path: string, init: RequestInit = {}) => (await fetch(server.url + path, init)).text();
  const submission = JSON.stringify({
    stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier: 'a.sol:A',
  });
  const accepted = await read(`/v2/verify/1/0x${'1'.repeat(40)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: submission,
  });
  const { verificationId } = JSON.parse(accepted) as { verificationId: string };
  let job = '';
  await until('the job ends', async () => {
    job = await read(`/v2/verify/${verificationId}?wait=5`);
    return job.includes('"isJobCompleted":true');
  });
  expect(job).toContain('cannot_fetch_bytecode');
  await until('the log names the failure', async () => server.log().includes('[secret]'));
  const shown = [
    server.log(),
    job,
    await read('/health/ready'),
    await read('/metrics'),
    await read('/v2/chains'),
  ];
  for (const secret of [KEY, PASSWORD, HEADER, IN_ENVIRONMENT, btoa(`me:${PASSWORD}`)])
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      expect(shown.filter((text) => text.includes(form))).toEqual([]);
}, 120_000);
