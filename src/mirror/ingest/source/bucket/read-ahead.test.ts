import { describe, expect, test } from 'vitest';
import { createReadAhead, type Download } from './read-ahead.ts';

/** Downloads that end when the test says so. */
function heldDownloads() {
  const running = new Map<number, () => void>();
  const begun: number[] = [];
  const aborted: number[] = [];
  const download = (turn: number, size = 1): Download => ({
    turn,
    size,
    fetch(signal) {
      begun.push(turn);
      return new Promise((resolve, reject) => {
        running.set(turn, () => resolve(Uint8Array.of(turn)));
        signal.addEventListener('abort', () => {
          aborted.push(turn);
          reject(new Error(`${turn} is aborted`));
        });
      });
    },
  });
  return { download, begun, aborted, finish: (turn: number) => running.get(turn)?.() };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

describe('reading ahead', () => {
  test('begins as many downloads as are allowed at a time, in order, and the next when one ends', async () => {
    const { begun, download, finish } = heldDownloads();
    const ahead = createReadAhead({ parallel: 2, bytes: 100 });
    for (const turn of [1, 2, 3, 4]) ahead.add(download(turn));
    expect(begun).toEqual([1, 2]);
    finish(2);
    await expect.poll(() => begun).toEqual([1, 2, 3]);
  });

  test('holds no more bytes than it may until some are read', async () => {
    const { begun, download, finish } = heldDownloads();
    const ahead = createReadAhead({ parallel: 10, bytes: 10 });
    const reads = [1, 2, 3].map((turn) => ahead.add(download(turn, 6)));
    expect(begun).toEqual([1]);
    finish(1);
    await settled();
    expect(begun).toEqual([1]);
    expect(await reads[0]!()).toEqual(Uint8Array.of(1));
    expect(begun).toEqual([1, 2]);
    expect(ahead.bytes).toBe(6);
  });

  test('begins a download that is larger than all room, alone', () => {
    const { begun, download } = heldDownloads();
    const ahead = createReadAhead({ parallel: 10, bytes: 10 });
    ahead.add(download(1, 50));
    ahead.add(download(2, 1));
    expect(begun).toEqual([1]);
  });

  test('begins at once what is read before its turn came', async () => {
    const { begun, download, finish } = heldDownloads();
    const ahead = createReadAhead({ parallel: 1, bytes: 100 });
    ahead.add(download(1));
    const second = ahead.add(download(1));
    const reading = second();
    expect(begun).toEqual([1, 1]);
    finish(1);
    expect(await reading).toEqual(Uint8Array.of(1));
  });

  test('drops what an earlier unit did not read, so that its bytes do not fill the room', async () => {
    const { aborted, begun, download, finish } = heldDownloads();
    const ahead = createReadAhead({ parallel: 3, bytes: 3 });
    ahead.add(download(1));
    ahead.add(download(2));
    const third = ahead.add(download(3));
    ahead.add(download(4));
    const reading = third();
    expect(aborted).toEqual([1, 2]);
    finish(3);
    await reading;
    await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
    expect(ahead.bytes).toBe(1);
  });

  test('downloads again what is read a second time, and holds nothing of it', async () => {
    const { begun, download, finish } = heldDownloads();
    const ahead = createReadAhead({ parallel: 1, bytes: 100 });
    const read = ahead.add(download(1));
    const first = read();
    finish(1);
    await first;
    const second = read();
    finish(1);
    await second;
    expect(begun).toEqual([1, 1]);
    expect(ahead.bytes).toBe(0);
  });

  test('tells a fault to whoever reads, and goes on with the others', async () => {
    const ahead = createReadAhead({ parallel: 1, bytes: 100 });
    const failing = ahead.add({ turn: 1, size: 1, fetch: () => Promise.reject(new Error('cut')) });
    const next = ahead.add({ turn: 1, size: 1, fetch: async () => Uint8Array.of(7) });
    await expect(failing()).rejects.toThrow('cut');
    expect(await next()).toEqual(Uint8Array.of(7));
    expect(ahead.bytes).toBe(0);
  });

  test('ends what nobody reads when it is closed; what is read comes', async () => {
    const { aborted, begun, download, finish } = heldDownloads();
    const ahead = createReadAhead({ parallel: 2, bytes: 100 });
    const [first, , third] = [1, 2, 3].map((turn) => ahead.add(download(turn)));
    const reading = first!();
    ahead.close();
    expect(aborted).toEqual([2]);
    finish(1);
    expect(await reading).toEqual(Uint8Array.of(1));
    await settled();
    expect(begun).toEqual([1, 2]);
    expect(ahead.bytes).toBe(0);
    const late = third!();
    finish(3);
    expect(await late).toEqual(Uint8Array.of(3));
  });
});
