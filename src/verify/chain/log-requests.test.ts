import { describe, expect, test } from 'vitest';
import { LogRequests } from './rpc-logs.ts';

const never = new AbortController().signal;
/** Ends with the signal only, as a call to a node that hangs. */
const hang = (limit: AbortSignal) =>
  new Promise<never>((_, reject) =>
    limit.addEventListener('abort', () => reject(limit.reason), { once: true }),
  );

describe('requests for the logs of a chain (issue 40)', () => {
  test('end when their time is over, and make room for others', async () => {
    const requests = new LogRequests(20);
    const ends = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((client) => requests.run(`${client}`, never, hang)),
    );
    expect(ends.map((end) => end.status === 'rejected' && end.reason.advice)).toEqual([
      ...Array(4).fill(expect.stringMatching(/^Timeout: the logs were not read within 0.02 s/)),
      expect.stringMatching(/^Too many requests for logs of this chain/),
    ]);
    expect(await requests.run('a', never, async () => 'read')).toBe('read');
  });

  test('of one client leave as many places as they take', async () => {
    const requests = new LogRequests(20);
    const ends = await Promise.allSettled([...'aaabbcd'].map((client) => requests.run(client, never, hang)));
    const ran = ends.map((end) => end.status === 'rejected' && /^Timeout/.test(end.reason.advice));
    expect(ran).toEqual([true, true, false, true, false, true, false]);
  });

  test('end with their client, as what they are', async () => {
    const gone = new AbortController();
    const request = new LogRequests().run('a', gone.signal, hang);
    gone.abort(new Error('gone'));
    await expect(request).rejects.toThrow('gone');
    const fault = Promise.reject(new Error('fault'));
    await expect(new LogRequests().run('a', never, () => fault)).rejects.toThrow('fault');
  });
});
