import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { BodyError } from './body-errors.ts';
import { BodyIntake } from './body-intake.ts';
import { type ArrivingBody, SlowBodies } from './slow-bodies.ts';

const MIB = 1_048_576;

/** An intake of 128 MiB, 96 of which large bodies may fill; seconds pass when the test says so. */
function anIntake() {
  const ticks = new Set<() => void>();
  const slow = new SlowBodies(undefined, (tick) => {
    ticks.add(tick);
    return () => ticks.delete(tick);
  });
  const intake = new BodyIntake(new BodyBudget(128 * MIB), slow);
  const read = (socket: { readonly remoteAddress: string }, bytes?: number) => {
    const payload = Object.assign(new PassThrough(), { socket });
    const body = { payload, refusal: null as string | null };
    intake.read(
      payload,
      bytes === undefined ? {} : { 'content-length': String(bytes) },
      30 * MIB,
      (error) => {
        body.refusal = error instanceof BodyError ? error.code : null;
      },
    );
    return body;
  };
  return {
    read,
    from: (remoteAddress: string, mebibytes: number) => read({ remoteAddress }, mebibytes * MIB),
    /** Sends enough of each for the room to stay theirs. */
    pass: async (bodies: readonly { readonly payload: PassThrough }[]) => {
      for (const { payload } of bodies) payload.write(Buffer.alloc(2 * MIB));
      await new Promise(setImmediate);
      for (let second = 0; second < 5; second += 1) for (const tick of ticks) tick();
    },
  };
}

test('slow bodies end only if that makes the room that is missing', async () => {
  const { from, pass } = anIntake();
  const slow = from('10.0.0.9', 1);
  const quick = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((client) => from(client, 29));
  await pass(quick);
  expect(from('10.0.0.4', 20).refusal).toBe('body_budget');
  expect([slow, ...quick].map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
  expect(from('10.0.0.4', 9).refusal).toBeNull();
});

test('a client takes nothing from one that has less, not even the room of a slow body', async () => {
  const { from, pass } = anIntake();
  const slow = from('10.0.0.9', 20);
  await pass([from('10.0.0.1', 30), from('10.0.0.1', 30)]);
  expect([from('10.0.0.1', 20).refusal, slow.refusal]).toEqual(['body_budget', null]);
  expect([from('10.0.0.2', 20).refusal, slow.refusal]).toEqual([null, 'body_too_slow']);
});

test('two clients with half of the room each give way to a third', () => {
  const { from } = anIntake();
  const halves = ['10.0.0.1', '10.0.0.2'].flatMap((client) => [from(client, 18), from(client, 30)]);
  expect(from('10.0.0.1', 5).refusal).toBe('body_budget');
  expect(from('10.0.0.3', 20).refusal).toBeNull();
  expect(halves.map(({ refusal }) => refusal)).toEqual([null, 'body_budget', null, null]);
});

test('what others announce does not end the body of which a client has sent most', async () => {
  const { from } = anIntake();
  const upload = from('10.0.0.9', 30);
  upload.payload.write(Buffer.alloc(29 * MIB));
  await new Promise(setImmediate);
  const announced = ['10.0.0.1', '10.0.0.2'].map((client) => from(client, 29));
  expect(from('10.0.0.3', 15).refusal).toBe('body_budget');
  expect([upload, ...announced].map(({ refusal }) => refusal)).toEqual([null, null, null]);
  const second = from('10.0.0.9', 8);
  expect(from('10.0.0.3', 8).refusal).toBeNull();
  expect([upload.refusal, second.refusal]).toEqual([null, 'body_budget']);
});

test('thousands of bodies that hold nothing cost the others nothing', () => {
  const { read } = anIntake();
  let addressReads = 0;
  const socket = {
    get remoteAddress() {
      addressReads += 1;
      return '10.0.0.1';
    },
  };
  const empty = Array.from({ length: 300 }, () => read(socket));
  for (let index = 0; index < 128 * 16; index += 1) read({ remoteAddress: '10.0.0.1' }, 65_536);
  for (const { payload } of empty) payload.emit('data', Buffer.alloc(1));
  expect(new Set(empty.map(({ refusal }) => refusal))).toEqual(new Set(['body_budget']));
  expect(addressReads).toBe(300);
});

test('a client that found no slow body does not look again in the same turn of the event loop', async () => {
  let looks = 0;
  const held = (client: string, heldBytes: number): ArrivingBody => ({
    client,
    heldBytes,
    get receivedBytes() {
      looks += 1;
      return heldBytes;
    },
    isHeldUp: () => false,
    end: () => {},
  });
  let pass = () => {};
  const slow = new SlowBodies(undefined, (tick) => {
    pass = tick;
    return () => {};
  });
  const { shares } = new BodyBudget(100_000);
  for (let index = 0; index < 1000; index += 1) {
    const body = held(`10.0.${index}`, 100);
    slow.watch(body);
    shares.add(body.client, body, 100);
  }
  for (let second = 0; second < 5; second += 1) pass();
  const looksFor = (missing: readonly number[]) => {
    looks = 0;
    const found = missing.map((bytes) => slow.endForRoom(held('10.1', 0), shares, bytes, bytes));
    return [looks, new Set(found)];
  };
  const missing = Array.from({ length: 500 }, (_, index) => 200_000 - index);
  expect(looksFor(missing)).toEqual([1000, new Set([false])]);
  await new Promise(setImmediate);
  expect(looksFor([200_000])).toEqual([1000, new Set([false])]);
});
