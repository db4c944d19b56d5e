import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ADDRESS, SUBMISSION } from '../../../test/kit/verify/a-job.ts';
import { serveArea } from '../../../test/kit/verify/serve-area.ts';
import { createBodyIntake } from '../../http/bodies/body-intake.ts';
import { sharesOf } from '../../http/bodies/heap-room.ts';
import { ManualClock } from '../../values/clock.ts';

describe('submissions at the limit', () => {
  test('are refused with 429 for the same address and 503 when the queue is full', async () => {
    const pending = new Promise<Response>(() => {});
    const served = await serveArea({
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: () => pending,
      runningJobs: 1,
      queueLimit: 1,
      firstPollMs: 0,
    });
    try {
      const post = (address: string) =>
        served.app.inject({
          method: 'POST',
          url: `/v2/verify/1/${address}`,
          payload: {
            stdJsonInput: SUBMISSION.input,
            compilerVersion: '0.8.30',
            contractIdentifier: 'a.sol:A',
          },
        });
      const running = await post(`0x${'1'.repeat(40)}`);
      while ((await served.area.repositories.jobs.count()).running === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const status = await served.app.inject(running.headers.location ?? '');
      expect(status.json()).toEqual({
        isJobCompleted: false,
        verificationId: running.json().verificationId,
        jobStartTime: expect.any(String),
        contract: {
          match: null,
          creationMatch: null,
          runtimeMatch: null,
          chainId: '1',
          address: `0x${'1'.repeat(40)}`,
        },
        stage: 'fetching',
      });
      expect((await post(`0x${'2'.repeat(40)}`)).statusCode).toBe(202);
      const duplicate = await post(`0x${'1'.repeat(40)}`);
      expect(duplicate.statusCode).toBe(429);
      expect(duplicate.json()).toMatchObject({ customCode: 'duplicate_verification_request' });
      const busy = await post(`0x${'3'.repeat(40)}`);
      expect(busy.statusCode).toBe(503);
      expect(busy.headers['retry-after']).toMatch(/^\d+$/);
      expect(busy.json()).toMatchObject({ customCode: 'server_busy' });
    } finally {
      // Closing does not wait for a chain that never answers.
      await served.close();
    }
  });

  /** A chain that answers nothing but 500, and that only on `answer`. */
  async function serveWithHeap(roomBytes: number, parsedBodies = roomBytes / 2) {
    let [answer, noteRequest] = [() => {}, () => {}];
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const requested = new Promise<void>((resolve) => (noteRequest = resolve));
    const bodies = createBodyIntake();
    const served = await serveArea({
      bodies,
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: async () => {
        noteRequest();
        await answered;
        return new Response('', { status: 500 });
      },
      heap: { ...sharesOf(roomBytes), parsedBodies },
      firstPollMs: 0,
    });
    const post = (url: string, payload: string | object) =>
      served.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': typeof payload === 'string' ? WEB_FORM : 'application/json' },
      });
    const close = async () => {
      answer();
      await served.close();
    };
    return { answer, requested, post, close, bodies, app: served.app };
  }
  const WEB_FORM = 'application/x-www-form-urlencoded';
  const verify = (digit: string, content: string) =>
    [
      `/v2/verify/1/0x${digit.repeat(40)}`,
      {
        stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content } }, settings: {} },
        compilerVersion: '0.8.30',
        contractIdentifier: 'a.sol:A',
      },
    ] as const;

  const etherscanForm = (sourceCode: string) =>
    new URLSearchParams({
      module: 'contract',
      action: 'verifysourcecode',
      contractaddress: `0x${'1'.repeat(40)}`,
      codeformat: 'solidity-single-file',
      contractname: 'A',
      compilerversion: 'v0.8.30+commit.73712a01',
      sourceCode,
    }).toString();
  /** Parsed it may take 125 kB. */
  const MANY_MEMBERS = ','.repeat(800) + 'x'.repeat(20_000);

  test('are refused with 503 while parsed ones fill the heap, and taken again when those are answered', async () => {
    // Half of it is for parsed bodies, of which the largest may have an eighth.
    const { post, requested, answer, close } = await serveWithHeap(2 * 200_000);
    try {
      // Etherscan's submissions request the code before they are answered.
      const first = post('/api', etherscanForm('x'.repeat(45_000)));
      await requested;
      const refused = await post(...verify('2', MANY_MEMBERS));
      expect(refused.statusCode).toBe(503);
      expect(refused.headers['retry-after']).toBe('5');
      expect(refused.json()).toMatchObject({ message: expect.stringMatching(/no memory left/) });
      answer();
      await first;
      expect((await post(...verify('2', MANY_MEMBERS))).statusCode).toBe(202);
      const large = await post(...verify('3', 'x'.repeat(50_000)));
      expect([large.statusCode, large.json().message]).toEqual([
        413,
        expect.stringMatching(/larger than 50000 bytes/),
      ]);
    } finally {
      await close();
    }
  });

  test('keep their part of the heap for as long as they are held, although their client hangs up', async () => {
    const { post, requested, answer, close, app } = await serveWithHeap(2 * 200_000);
    try {
      const left = new Promise<void>((resolve) =>
        app.server.once('connection', (socket) => socket.once('close', () => resolve())),
      );
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      const sent = request(`${url}/api`, { method: 'POST', headers: { 'content-type': WEB_FORM } });
      sent.on('error', () => {}).end(etherscanForm('x'.repeat(45_000)));
      await requested;
      sent.destroy();
      await left;
      expect((await post(...verify('2', MANY_MEMBERS))).statusCode).toBe(503);
      answer();
      await expect.poll(async () => (await post(...verify('2', MANY_MEMBERS))).statusCode).toBe(202);
    } finally {
      await close();
    }
  });

  test("of Etherscan's form keep no more of the heap than their packed text while the node has not answered", async () => {
    const { post, requested, answer, close } = await serveWithHeap(2 * 200_000);
    try {
      const waits = post('/api', etherscanForm(','.repeat(500) + 'x'.repeat(30_000)));
      await requested;
      expect((await post(...verify('2', MANY_MEMBERS))).statusCode).toBe(202);
      answer();
      expect((await waits).statusCode).toBeGreaterThanOrEqual(400);
    } finally {
      await close();
    }
  });

  test("that are large and of Etherscan's form count as they are packed while the node has not answered", async () => {
    const { post, requested, answer, close, bodies } = await serveWithHeap(8_000_000);
    try {
      const waits = post('/api', etherscanForm(randomBytes(150_000).toString('hex')));
      await requested;
      expect(bodies.budget.takenBytes).toBeGreaterThan(150_000);
      expect(bodies.budget.takenBytes).toBeLessThan(250_000);
      answer();
      await waits;
      expect(bodies.budget.takenBytes).toBe(0);
    } finally {
      await close();
    }
  });

  test.each([
    ['of the verification page', '/verify-ui', { kind: 'similarity', chainId: '1' }],
    ["for look-ups in Etherscan's form", '/api', { module: 'contract', action: 'getcontractcreation' }],
  ])('%s leave the heap to others while the node has not answered', async (_, url, fields) => {
    const { post, requested, answer, close } = await serveWithHeap(2 * 250_000);
    try {
      const address = `0x${'1'.repeat(40)}`;
      const junk = ','.repeat(1_000) + 'x'.repeat(25_000);
      const form = new URLSearchParams({ ...fields, address, contractaddresses: address, junk });
      const waits = post(url, form.toString());
      await requested;
      expect((await post(...verify('2', MANY_MEMBERS))).statusCode).toBe(202);
      answer();
      await waits;
    } finally {
      await close();
    }
  });

  test.each([
    ['are taken where that fits', 210_000, 502, 202],
    ['are refused where it does not', 190_000, 503, 503],
  ])(
    'that are large count once, at two bytes a character, and %s',
    async (_, parsedBodies, ofForm, ofJson) => {
      const { post, answer, close, bodies } = await serveWithHeap(1_000_000, parsedBodies);
      answer();
      try {
        const text = 'x'.repeat(100_000);
        expect((await post('/api', etherscanForm(text))).statusCode).toBe(ofForm);
        expect((await post(...verify('1', text))).statusCode).toBe(ofJson);
        expect(bodies.budget.takenBytes).toBe(0);
      } finally {
        await close();
      }
    },
  );

  test('take no more of the heap than their texts and members', async () => {
    const { post, close } = await serveWithHeap(2 * 125_000);
    try {
      expect((await post(...verify('1', 'x'.repeat(28_000)))).statusCode).toBe(202);
      expect((await post(...verify('2', '[{},'.repeat(3_000)))).statusCode).toBe(503);
    } finally {
      await close();
    }
  });

  test.each([
    ['of version 1 once they are stored', '/verify/solc-json'],
    ['for similarity once they are read', `/v2/verify/similarity/1/0x${'1'.repeat(40)}`],
  ])('%s leave the heap to others while the node has not answered', async (_, url) => {
    const { post, requested, answer, close } = await serveWithHeap(2 * 250_000);
    try {
      const [, { stdJsonInput, compilerVersion }] = verify('1', 'contract A {}');
      const waits = post(url, {
        address: `0x${'1'.repeat(40)}`,
        chain: '1',
        files: { 'input.json': JSON.stringify({ ...stdJsonInput, notes: 'x'.repeat(55_000) }) },
        compilerVersion,
        contractName: 'A',
      });
      await requested;
      expect((await post(...verify('2', ','.repeat(600) + 'x'.repeat(59_000)))).statusCode).toBe(202);
      answer();
      expect((await waits).statusCode).toBeGreaterThanOrEqual(400);
    } finally {
      await close();
    }
  });

  test('of one client leave room to others, whose jobs are next', async () => {
    const clock = new ManualClock(0);
    let answer: (response: Response) => void = () => {};
    const served = await serveArea({
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: () => new Promise<Response>((resolve) => (answer = resolve)),
      runningJobs: 1,
      queueLimit: 10,
      firstPollMs: 0,
      clock,
    });
    try {
      const post = (number: number, remoteAddress: string) => {
        clock.advance(1);
        return served.app.inject({
          method: 'POST',
          url: `/v2/verify/1/0x${String(number).padStart(40, '0')}`,
          remoteAddress,
          payload: {
            stdJsonInput: SUBMISSION.input,
            compilerVersion: '0.8.30',
            contractIdentifier: 'a.sol:A',
          },
        });
      };
      const outcomes: number[] = [];
      for (let number = 0; number < 12; number++) {
        outcomes.push((await post(number, '2001:db8::1')).statusCode);
        while ((await served.area.repositories.jobs.count()).running === 0) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      // One runs; half of what there is waits.
      expect(outcomes).toEqual([...Array(6).fill(202), ...Array(6).fill(503)]);
      expect((await post(20, '2001:db8::2')).json()).toMatchObject({
        customCode: 'server_busy',
        message: expect.stringContaining('more of the queue than they leave free'),
      });
      const broken = (remoteAddress: string, url: string) =>
        served.app.inject({
          method: 'POST',
          url,
          remoteAddress,
          payload: '{',
          headers: { 'content-type': 'application/json' },
        });
      for (const url of [`/v2/verify/1/${ADDRESS}`, '/verify/solc-json']) {
        const [unread, read] = [await broken('2001:db8::3', url), await broken('10.0.0.1', url)];
        expect([unread.statusCode, read.statusCode]).toEqual([503, 400]);
      }
      const innocent = await post(21, '10.0.0.1');
      expect(innocent.statusCode).toBe(202);
      const place = async () => (await served.app.inject(innocent.headers.location ?? '')).json();
      expect(await place()).toMatchObject({ stage: 'queued', queuePosition: 2 });
      expect(await place()).not.toHaveProperty('estimatedWaitSeconds');
      answer(new Response('{"jsonrpc":"2.0","id":1,"result":"0x"}'));
      await expect.poll(place).toMatchObject({ queuePosition: 1, estimatedWaitSeconds: expect.any(Number) });
    } finally {
      await served.close();
    }
  });

  test('are refused before their body is read while the queue is known to be full', async () => {
    const served = await serveArea({
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: () => new Promise<Response>(() => {}),
      runningJobs: 1,
      queueLimit: 1,
      firstPollMs: 0,
      clock: new ManualClock(0),
    });
    try {
      const send = (address: string, payload: string, contentType = 'application/json') =>
        served.app.inject({
          method: 'POST',
          url: `/v2/verify/1/${address}`,
          payload,
          headers: { 'content-type': contentType },
        });
      const whole = JSON.stringify({
        stdJsonInput: SUBMISSION.input,
        compilerVersion: '0.8.30',
        contractIdentifier: 'a.sol:A',
      });
      await send(`0x${'1'.repeat(40)}`, whole);
      await expect.poll(async () => (await served.area.repositories.jobs.count()).running).toBe(1);
      const waiting = (await send(`0x${'2'.repeat(40)}`, whole)).json();
      expect((await send(`0x${'3'.repeat(40)}`, '{')).json()).toMatchObject({ customCode: 'invalid_json' });
      expect((await send(`0x${'3'.repeat(40)}`, whole)).statusCode).toBe(503);
      const unread = await send(`0x${'3'.repeat(40)}`, '{');
      expect(unread.statusCode).toBe(503);
      expect(unread.headers['retry-after']).toMatch(/^\d+$/);
      expect(unread.json()).toMatchObject({ customCode: 'server_busy' });
      const noJson = await send(`0x${'3'.repeat(40)}`, 'a=b', 'application/x-www-form-urlencoded');
      expect(noJson.json()).toMatchObject({ customCode: 'invalid_parameter' });
      await served.app.inject({ method: 'DELETE', url: `/v2/verify/${waiting.verificationId}` });
      expect((await send(`0x${'3'.repeat(40)}`, whole)).statusCode).toBe(202);
    } finally {
      await served.close();
    }
  });

  test('an unreachable chain ends the job with cannot_fetch_bytecode', async () => {
    const served = await serveArea({
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: async () => new Response('down', { status: 502 }),
    });
    const accepted = await served.app.inject({
      method: 'POST',
      url: `/v2/verify/1/${ADDRESS}`,
      payload: { stdJsonInput: SUBMISSION.input, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' },
    });
    const job = await served.app.inject(accepted.headers.location ?? '');
    expect(job.json().error).toMatchObject({ customCode: 'cannot_fetch_bytecode' });
    await served.close();
  });
});
