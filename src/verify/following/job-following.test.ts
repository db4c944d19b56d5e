import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SUBMISSION } from '../../../test/kit/verify/a-queue.ts';
import { MOCK_CHAINS } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';

/** The chain answers when the test lets it: until then jobs run, and further ones wait. */
let release: (answer: Response) => void;
let asked: Promise<void>;
let served: ServedArea;

beforeEach(async () => {
  const answer = new Promise<Response>((resolve) => {
    release = resolve;
  });
  let sayAsked = () => {};
  asked = new Promise((resolve) => {
    sayAsked = resolve;
  });
  served = await serveArea({
    chainsJson: MOCK_CHAINS,
    fetch: async () => {
      sayAsked();
      return (await answer).clone();
    },
    runningJobs: 1,
    firstPollMs: 0,
  });
});
afterEach(() => served.close());

const noCode = () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x' });

async function submit(digit: string): Promise<string> {
  const accepted = await served.app.inject({
    method: 'POST',
    url: `/v2/verify/31337/${digit.length === 1 ? `0x${digit.repeat(40)}` : digit}`,
    payload: { stdJsonInput: SUBMISSION.input, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' },
  });
  expect(accepted.statusCode, accepted.body).toBe(202);
  return accepted.json().verificationId;
}

const status = (id: string, query = '') => served.app.inject(`/v2/verify/${id}${query}`);
const cancel = (id: string, query = '') =>
  served.app.inject({ method: 'DELETE', url: `/v2/verify/${id}${query}` });

/** Holds a request open until the server has begun to wait for the job. */
async function heldRequest(
  id: string,
): Promise<{ readonly abort: () => void; readonly answer: Promise<number> }> {
  await served.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = served.app.server.address() as AddressInfo;
  const outgoing = request({ host: '127.0.0.1', port, path: `/v2/verify/${id}?wait=60` });
  const answer = new Promise<number>((resolve, reject) => {
    outgoing.once('response', (response) => resolve(response.statusCode ?? 0));
    outgoing.once('error', reject);
  });
  outgoing.end();
  while (served.area.waitingRequests() === 0) await new Promise((resolve) => setImmediate(resolve));
  return { abort: () => outgoing.destroy(), answer };
}

describe('GET /v2/verify/{verificationId}?wait', () => {
  test.each([
    ['wait=61', 'request/query/wait must be <= 60'],
    ['wait=-1', 'request/query/wait must be >= 0'],
    ['wait=1.5', 'request/query/wait must be integer'],
    ['wait=soon', 'request/query/wait must be number'],
    ['wait=', "Empty value found for query parameter 'wait'"],
    ['wait=1&wait=2', 'request/query/wait must be number'],
    ['hold=1', "Unknown query parameter 'hold'"],
  ])('refuses %s', async (query, message) => {
    const response = await status('6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04', `?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter', message });
  });

  test('answers when the job ends', async () => {
    const id = await submit('1');
    const held = status(id, '?wait=60');
    while (served.area.waitingRequests() === 0) await new Promise((resolve) => setImmediate(resolve));
    release(noCode());
    expect((await held).json()).toMatchObject({ isJobCompleted: true });
  });

  test('answers at once with wait=0, and after the given time', async () => {
    const id = await submit('1');
    expect((await status(id, '?wait=0')).json()).toMatchObject({ isJobCompleted: false });
    expect((await status(id, '?wait=1')).json()).toMatchObject({ isJobCompleted: false });
  });

  test('counts the jobs ahead once, however often it looks whether the job has ended', async () => {
    const id = await submit('1');
    const find = vi.spyOn(served.area.repositories.jobs, 'find');
    expect((await status(id, '?wait=1')).json()).toMatchObject({ isJobCompleted: false });
    expect(find).toHaveBeenCalledTimes(1);
  });

  test('is kept by no cache', async () => {
    const { headers } = await status(await submit('1'), '?wait=0');
    expect(headers['cache-control']).toBe('no-store');
  });

  test('is 404 at once for an unknown job', async () => {
    const response = await status('6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04', '?wait=60');
    expect(response.statusCode).toBe(404);
  });

  test('waits no longer for a client that went away', async () => {
    const id = await submit('1');
    const { abort, answer } = await heldRequest(id);
    abort();
    await expect(answer).rejects.toThrow();
    while (served.area.waitingRequests() > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test('answers held requests when the server is about to stop, and holds no others', async () => {
    const id = await submit('1');
    const { answer } = await heldRequest(id);
    served.area.endWaiting();
    expect(await answer).toBe(200);
    expect((await status(id, '?wait=60')).json()).toMatchObject({ isJobCompleted: false });
  });
});

describe('a job that has not finished', () => {
  test('tells its stage and its place in the queue', async () => {
    const running = await submit('1');
    await asked;
    const next = await submit('2');
    const last = await submit('3');
    expect((await status(running)).json()).toMatchObject({ stage: 'fetching' });
    expect((await status(running)).json()).not.toHaveProperty('queuePosition');
    const waiting = [(await status(next)).json(), (await status(last)).json()];
    expect(waiting).toMatchObject([{ stage: 'queued' }, { stage: 'queued' }]);
    // Those of one millisecond have an order of their own.
    expect(waiting.map(({ queuePosition }) => queuePosition).sort()).toEqual([1, 2]);
    release(noCode());
    const ended = (await status(last, '?wait=60')).json();
    for (const member of ['stage', 'queuePosition', 'warnings']) expect(ended).not.toHaveProperty(member);
  });

  test('warns of a wrong EIP-55 checksum, running and finished', async () => {
    const written = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const id = await submit(written);
    const warnings = [`The address ${written} has a wrong EIP-55 checksum. It was read as ${address}.`];
    expect((await status(id)).json()).toMatchObject({ isJobCompleted: false, warnings });
    release(noCode());
    expect((await status(id, '?wait=60')).json()).toMatchObject({
      isJobCompleted: true,
      warnings,
      contract: { address },
    });
  });

  test.each(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', `0x${'ABCDEF0123'.repeat(4)}`])(
    'does not warn of %s',
    async (address) => {
      expect((await status(await submit(address))).json()).not.toHaveProperty('warnings');
    },
  );
});

describe('DELETE /v2/verify/{verificationId}', () => {
  test.each([
    ['plain', { 'content-type': 'application/json' }, Buffer.from(`"${'x'.repeat(65_536)}"`)],
    [
      'packed',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      gzipSync(`"${randomBytes(100_000).toString('hex')}"`),
    ],
    ['no JSON', { 'content-type': 'application/json' }, Buffer.from('{')],
  ])('reads no body, which it does not need: %s', async (_, headers, payload) => {
    const response = await served.app.inject({
      method: 'DELETE',
      url: `/v2/verify/${randomUUID()}`,
      headers,
      payload,
    });
    expect([response.statusCode, response.json().customCode]).toEqual([404, 'job_not_found']);
  });

  test('cancels a waiting and a running job and frees their addresses at once', async () => {
    const running = await submit('1');
    await asked;
    const waiting = await submit('2');
    for (const id of [running, waiting]) {
      const response = await cancel(id);
      expect([response.statusCode, response.body]).toEqual([204, '']);
      const job = (await status(id)).json();
      expect(job).toMatchObject({
        isJobCompleted: true,
        jobFinishTime: expect.any(String),
        contract: { match: null },
        error: {
          customCode: 'job_cancelled',
          message: 'The verification was cancelled.',
          errorId: expect.any(String),
        },
      });
      expect(job).not.toHaveProperty('stage');
    }
    await submit('1');
    await submit('2');
  });

  test('wakes those who wait for the job', async () => {
    const id = await submit('1');
    const held = status(id, '?wait=60');
    while (served.area.waitingRequests() === 0) await new Promise((resolve) => setImmediate(resolve));
    await cancel(id);
    expect((await held).json()).toMatchObject({ error: { customCode: 'job_cancelled' } });
  });

  test('is 409 for a finished job, 404 for an unknown one and 400 for another form', async () => {
    const id = await submit('1');
    release(noCode());
    await status(id, '?wait=60');
    const finished = await cancel(id);
    expect(finished.statusCode).toBe(409);
    expect(finished.json()).toEqual({
      customCode: 'job_finished',
      message: `Verification job ${id} has already finished`,
      errorId: expect.any(String),
    });
    const unknown = await cancel('6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({ customCode: 'job_not_found' });
    expect((await cancel('x')).statusCode).toBe(400);
    expect((await cancel(id, '?force=1')).statusCode).toBe(400);
  });

  test('is named by Allow', async () => {
    const response = await served.app.inject({
      method: 'PUT',
      url: '/v2/verify/6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04',
    });
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'DELETE, GET, HEAD']);
  });
});
