import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../values/hex.ts';
import { SearchThread } from './search-thread.ts';

const hashOf = (text: string) => toHex(keccak_256(Buffer.from(text)));
const never = new AbortController().signal;
const small = { listed: { 'a.sol': { keccak256: hashOf('a\n'), urls: [] } }, files: ['a\r\n'] };
/** Hashing this takes seconds, for which no test waits. */
const endless = {
  listed: { 'a.sol': { keccak256: hashOf(''), urls: [] } },
  files: ['\n'.repeat(100_000_000)],
};

describe('SearchThread', () => {
  test('searches one after the other, also after one that took too long or was cancelled', async () => {
    const used = new SearchThread();
    try {
      const cancelled = new AbortController();
      const late = used.findFiles(endless, { timeoutMs: 300, signal: never });
      const stopped = used.findFiles(endless, { timeoutMs: 60_000, signal: cancelled.signal });
      const good = used.findFiles(small, { timeoutMs: 60_000, signal: never });
      expect(await late).toBeNull();
      cancelled.abort(new Error('not wanted'));
      await expect(stopped).rejects.toThrow('not wanted');
      expect(await good).toMatchObject({ contents: { 'a.sol': 'a\n' }, varied: ['a.sol'] });
    } finally {
      await used.close();
    }
  });

  test('a search that waits for another ends as soon as it is cancelled', async () => {
    const thread = new SearchThread();
    const before = expect(thread.findFiles(endless, { timeoutMs: 60_000, signal: never })).rejects.toThrow(
      'ended during a task',
    );
    const cancelled = new AbortController();
    const waiting = thread.findFiles(small, { timeoutMs: 60_000, signal: cancelled.signal });
    // The thread begins with the first search in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    cancelled.abort(new Error('not wanted'));
    await expect(waiting).rejects.toThrow('not wanted');
    await thread.close();
    await before;
  });

  test('a search that runs while it is closed rejects', async () => {
    const thread = new SearchThread();
    const search = thread.findFiles(endless, { timeoutMs: 60_000, signal: never });
    // The thread begins with the search in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    const refused = expect(search).rejects.toThrow('ended during a task');
    await thread.close();
    await refused;
    await expect(thread.findFiles(small, { timeoutMs: 1000, signal: never })).rejects.toThrow('closed');
  });
});
