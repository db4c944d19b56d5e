import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { verifyToEnd } from '../kit/verify/await-job.ts';
import { serveArea } from '../kit/verify/serve-area.ts';

const body = {
  stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
  compilerVersion: '0.8.30+commit.73712a01',
  contractIdentifier: 'a.sol:A',
};
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('endpoints that lie end their jobs with cannot_fetch_bytecode, and the server continues', async () => {
  const endless: RequestListener = (_request, response) => {
    const chunk = Buffer.alloc(65_536, 0x61);
    const write = () => {
      while (response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
  const text = (answer: string) => serve((_request, response) => response.end(answer));
  const endpoints = [
    await serve(endless),
    await serve(() => {}),
    await text('{"id":1,"result":"0x7a69"'),
    await text('{"id":9,"result":"0x7a69"}'),
    await text(`{"id":1,"result":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
  ];
  const chains = Object.fromEntries(
    endpoints.map((url, index) => [String(index + 1), { rpc: [{ url, timeoutMs: 500 }] }]),
  );
  const { app, close } = await serveArea({ chainsJson: JSON.stringify(chains), creationSearchMs: 20_000 });
  closing.push(close);
  const jobs = await Promise.all(
    Object.keys(chains).map((chainId) => verifyToEnd(app, `${chainId}/0x${'1'.repeat(40)}`, body)),
  );
  expect(jobs.map(({ job }) => job.error?.customCode)).toEqual(endpoints.map(() => 'cannot_fetch_bytecode'));
  expect((await app.inject('/health')).statusCode).toBe(200);
});
