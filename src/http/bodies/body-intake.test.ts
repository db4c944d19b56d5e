import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { BodyError } from './body-errors.ts';
import { BodyIntake, type ReadBody } from './body-intake.ts';
import { SlowBodies } from './slow-bodies.ts';

const MIB = 1_048_576;
const LIMIT = 30 * MIB;
/** A stored block of deflate without a byte in it. */
const EMPTY_BLOCK = Buffer.of(0, 0, 0, 0xff, 0xff);

/** A second passes when the test says so. */
function byHand() {
  const ticks = new Set<() => void>();
  return {
    everySecond: (tick: () => void) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
    pass(seconds: number) {
      for (let second = 0; second < seconds; second++) for (const tick of [...ticks]) tick();
    },
    get isRunning() {
      return ticks.size > 0;
    },
  };
}

function anIntake(mebibytes = 128) {
  const time = byHand();
  const budget = new BodyBudget(mebibytes * MIB);
  return { time, budget, intake: new BodyIntake(budget, new SlowBodies(undefined, time.everySecond)) };
}

interface Expected {
  readonly limitBytes?: number;
  readonly contentLength?: string | undefined;
  readonly isGzip?: boolean;
}

function reading(
  intake: BodyIntake,
  payload: PassThrough,
  { limitBytes = LIMIT, contentLength, isGzip = false }: Expected = {},
) {
  const headers = {
    ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
    ...(isGzip ? { 'content-encoding': 'GZip' } : {}),
  };
  return new Promise<ReadBody>((resolve, reject) => {
    intake.read(payload, headers, limitBytes, (error, body) =>
      body === undefined ? reject(error) : resolve(body),
    );
  });
}

function sent(...pieces: readonly Buffer[]): PassThrough {
  const payload = new PassThrough();
  for (const piece of pieces) payload.write(piece);
  payload.end();
  return payload;
}

const readOf = async (body: Promise<ReadBody>) => Buffer.concat((await body).parts);
const refusalOf = async (body: Promise<ReadBody>) => {
  const error = await body.catch((reason: unknown) => reason);
  return error instanceof BodyError ? error.code : error;
};

describe('a body that is read', () => {
  test.each([
    ['nothing', 0],
    ['a small one', 1000],
    ['one above the small ones', 70_000],
    ['one of several parts', 3 * MIB + 5],
  ])('comes whole, and its bytes are held until it is released: %s', async (_, size) => {
    const { intake, budget } = anIntake();
    const bytes = Buffer.alloc(size, 'abc');
    const pieces = [bytes.subarray(0, size / 3), bytes.subarray(size / 3)];
    for (const contentLength of [String(size), undefined]) {
      const body = await reading(intake, sent(...pieces), { contentLength });
      expect(body.bytes).toBe(size);
      expect(budget.takenBytes).toBe(size);
      expect(Buffer.concat(body.parts).equals(bytes)).toBe(true);
      body.release();
      body.release();
      expect([budget.takenBytes, budget.shares.ofClients.size]).toEqual([0, 0]);
    }
  });

  test.each([65_536, 100_000])(
    'of %d bytes is held in a few dozen pieces, however many come',
    async (size) => {
      const { intake } = anIntake();
      const bytes = randomBytes(size);
      const { parts } = await reading(intake, sent(...Array.from(bytes, (byte) => Buffer.of(byte))));
      expect(parts.length).toBeLessThan(40);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    },
  );

  test.each([
    ['one piece', [Buffer.alloc(2 * MIB, 7)]],
    ['small pieces', Array.from({ length: 1000 }, () => Buffer.alloc(100, 7))],
  ])('has parts that can be moved to a thread when it is large: %s', async (_, pieces) => {
    const { intake } = anIntake();
    const { bytes, parts } = await reading(intake, sent(...pieces));
    expect(parts.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBeLessThan(bytes + MIB);
    expect(() =>
      structuredClone(null, { transfer: parts.map(({ buffer }) => buffer as ArrayBuffer) }),
    ).not.toThrow();
  });

  test('is refused when it is larger than allowed, announced or not', async () => {
    const { intake, budget } = anIntake();
    const bytes = Buffer.alloc(101);
    const expected = { limitBytes: 100 };
    expect(await refusalOf(reading(intake, sent(bytes), { ...expected, contentLength: '101' }))).toBe(
      'body_too_large',
    );
    expect(await refusalOf(reading(intake, sent(bytes), expected))).toBe('body_too_large');
    expect(budget.takenBytes).toBe(0);
  });

  test('is refused in a packing that is not known', async () => {
    const { intake } = anIntake();
    const refusal = new Promise((resolve) => {
      intake.read(sent(Buffer.alloc(9)), { 'content-encoding': 'br' }, LIMIT, resolve);
    });
    expect(await refusal).toMatchObject({ code: 'body_encoding', statusCode: 415 });
  });

  test('is refused when the client breaks off', async () => {
    const { intake, budget } = anIntake();
    const payload = new PassThrough();
    const body = reading(intake, payload, { contentLength: '1000' });
    payload.destroy(new Error('aborted'));
    expect(await refusalOf(body)).toBe('body_broken_off');
    expect([budget.takenBytes, budget.shares.ofClients.size]).toEqual([0, 0]);
  });
});

describe('the budget', () => {
  test('is taken by the announced length before anything arrives', async () => {
    const { intake, budget } = anIntake();
    const halves = Array.from({ length: 30 }, () => {
      const payload = new PassThrough();
      payload.write(Buffer.alloc(100));
      return reading(intake, payload, { contentLength: String(29 * MIB) });
    });
    const refused = await Promise.all(halves.slice(3).map(refusalOf));
    expect(new Set(refused)).toEqual(new Set(['body_budget']));
    expect(budget.takenBytes).toBe(3 * 29 * MIB);
  });

  test('leaves room for small bodies while large ones fill it', async () => {
    const { intake } = anIntake();
    for (let count = 0; count < 3; count++) {
      reading(intake, new PassThrough(), { contentLength: String(LIMIT) }).catch(() => {});
    }
    expect(await refusalOf(reading(intake, new PassThrough(), { contentLength: String(30 * MIB) }))).toBe(
      'body_budget',
    );
    const small = Buffer.alloc(65_536);
    expect((await readOf(reading(intake, sent(small), { contentLength: '65536' }))).length).toBe(65_536);
    const medium = Buffer.alloc(MIB);
    expect((await readOf(reading(intake, sent(medium)))).length).toBe(MIB);
  });

  test('is taken as a body grows that announces nothing', async () => {
    const { intake, budget } = anIntake(8);
    const payload = new PassThrough();
    const body = reading(intake, payload);
    for (let count = 0; count < 7; count++) payload.write(Buffer.alloc(MIB));
    expect(await refusalOf(body)).toBe('body_budget');
    expect(budget.takenBytes).toBe(0);
  });

  test('is taken by what a packed body unpacks to', async () => {
    const { intake, budget } = anIntake(8);
    // Random, so that it is not refused for its ratio.
    const noise = randomBytes(7 * MIB);
    expect(await refusalOf(reading(intake, sent(gzipSync(noise)), { isGzip: true }))).toBe('body_budget');
    expect(budget.takenBytes).toBe(0);
  });
});

describe('room that slow bodies hold', () => {
  test('goes to a body that finds none, once they have been slow for a while', async () => {
    const { intake, budget, time } = anIntake();
    const quick = new PassThrough();
    const quickBody = reading(intake, quick, { contentLength: String(29 * MIB) });
    quick.write(Buffer.alloc(5 * MIB));
    const slow = [0, 1].map(() => {
      const payload = new PassThrough();
      payload.write('a');
      return reading(intake, payload, { contentLength: String(30 * MIB) });
    });
    await new Promise(setImmediate);
    const another = () => reading(intake, sent(Buffer.alloc(20 * MIB)), { contentLength: String(20 * MIB) });
    time.pass(4);
    expect(await refusalOf(another())).toBe('body_budget');
    time.pass(1);
    // A client looks for slow bodies once in a turn.
    await new Promise(setImmediate);
    expect((await another()).bytes).toBe(20 * MIB);
    expect(await refusalOf(slow[0] as Promise<ReadBody>)).toBe('body_too_slow');
    expect(budget.takenBytes).toBe(79 * MIB);
    // Nothing is ended for a body that would find no room anyway.
    const small = anIntake(8);
    reading(small.intake, new PassThrough(), { contentLength: '1000' }).catch(() => {});
    small.time.pass(6);
    const tooMuch = reading(small.intake, new PassThrough(), { contentLength: String(7 * MIB) });
    expect(await refusalOf(tooMuch)).toBe('body_budget');
    expect(small.budget.takenBytes).toBe(1000);
    quick.end(Buffer.alloc(24 * MIB));
    expect((await quickBody).bytes).toBe(29 * MIB);
  });
});

test('the client whose bodies take most of the room gives it to others that want half as much, not to itself', async () => {
  const { intake, budget } = anIntake();
  const from = (remoteAddress: string, bytes: number) => {
    const payload = Object.assign(new PassThrough(), { socket: { remoteAddress } });
    return { payload, body: reading(intake, payload, { contentLength: String(bytes) }) };
  };
  const honest = from('10.0.0.3', 20 * MIB);
  const greedy = [29, 30, 16].map((mebibytes) => from('10.0.0.1', mebibytes * MIB));
  await new Promise(setImmediate);
  expect(await refusalOf(from('10.0.0.1', 5 * MIB).body)).toBe('body_budget');
  const other = from('10.0.0.2', 5 * MIB);
  expect(await refusalOf(greedy[1]?.body as Promise<ReadBody>)).toBe('body_budget');
  // What it still has is less than twice as much.
  expect(await refusalOf(from('10.0.0.4', 27 * MIB).body)).toBe('body_budget');
  expect(budget.takenBytes).toBe((20 + 29 + 16 + 5) * MIB);
  for (const { payload } of [honest, other]) payload.end();
  await Promise.all([honest.body, other.body]);
});

describe('a packed body', () => {
  const packed = { isGzip: true } as const;

  test.each([
    ['one member', gzipSync('hello')],
    ['several members', Buffer.concat([gzipSync('hel'), gzipSync(''), gzipSync('lo')])],
    ['zeros behind its data', Buffer.concat([gzipSync('hello'), Buffer.alloc(100)])],
  ])('is unpacked: %s', async (_, bytes) => {
    const { intake, budget } = anIntake();
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7)];
    const body = await reading(intake, sent(...pieces), packed);
    expect(Buffer.concat(body.parts).toString()).toBe('hello');
    expect([budget.takenBytes, budget.shares.ofClients.size]).toEqual([5, 0]);
  });

  test.each([
    ['text', Buffer.from('{}')],
    ['half of it', gzipSync(Buffer.alloc(100_000, 'abc')).subarray(0, 60)],
    ['nothing', Buffer.alloc(0)],
  ])('is refused when it is none: %s', async (_, bytes) => {
    const { intake } = anIntake();
    expect(await refusalOf(reading(intake, sent(bytes), packed))).toBe('body_not_gzip');
  });

  test.each([
    ['one member', (bomb: Buffer) => bomb],
    ['many members', () => Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(MIB))))],
    ['a megabyte behind its data', (bomb: Buffer) => Buffer.concat([bomb, Buffer.alloc(MIB)])],
  ])('is refused when it unpacks too far: %s', async (_, made) => {
    const { intake, budget } = anIntake();
    const bomb = made(gzipSync(Buffer.alloc(20 * MIB, ' ')));
    expect(await refusalOf(reading(intake, sent(bomb), packed))).toBe('body_ratio');
    expect(budget.takenBytes).toBe(0);
  });

  test('may be as repetitive as it likes while it is not large', async () => {
    const { intake } = anIntake();
    const source = Buffer.alloc(2 * MIB, 'uint256 a;\n');
    expect((await readOf(reading(intake, sent(gzipSync(source)), packed))).equals(source)).toBe(true);
  });

  test.each([
    ['blocks', Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(200_000, EMPTY_BLOCK)])],
    ['members', Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync('')))],
  ])(
    'is refused when it is longer than the limit, though it unpacks to nothing: empty %s',
    async (_, bytes) => {
      const { intake, budget } = anIntake();
      expect(await refusalOf(reading(intake, sent(bytes), { ...packed, limitBytes: 1000 }))).toBe(
        'body_too_large',
      );
      const contentLength = String(bytes.length);
      const given = reading(intake, new PassThrough(), { ...packed, contentLength, limitBytes: 1000 });
      expect(await refusalOf(given)).toBe('body_too_large');
      expect(budget.takenBytes).toBe(0);
    },
  );

  test('is taken when packing made it larger', async () => {
    const { intake } = anIntake();
    const noise = randomBytes(100_000);
    const bytes = gzipSync(noise, { level: 0 });
    expect(bytes.length).toBeGreaterThan(noise.length);
    const given = { ...packed, contentLength: String(bytes.length), limitBytes: noise.length };
    expect((await readOf(reading(intake, sent(bytes), given))).equals(noise)).toBe(true);
  });

  test('is refused above the limit', async () => {
    const { intake } = anIntake();
    const bytes = gzipSync(Buffer.alloc(1001, 'abcdefgh'));
    expect(await refusalOf(reading(intake, sent(bytes), { ...packed, limitBytes: 1000 }))).toBe(
      'body_too_large',
    );
  });
});

describe('a slow body', () => {
  test('is ended when nothing arrives', async () => {
    const { intake, time, budget } = anIntake();
    const body = reading(intake, new PassThrough(), { contentLength: '1000' });
    time.pass(9);
    expect(budget.takenBytes).toBe(1000);
    time.pass(1);
    const error = await body.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'body_too_slow', statusCode: 408, headers: { connection: 'close' } });
    expect(budget.takenBytes).toBe(0);
  });

  test('is ended when it drips', async () => {
    const { intake, time } = anIntake();
    const payload = new PassThrough();
    const body = reading(intake, payload, { contentLength: String(MIB) });
    let isEnded = false;
    body.catch(() => {
      isEnded = true;
    });
    let seconds = 0;
    while (!isEnded && seconds < 60) {
      payload.write(Buffer.alloc(1000));
      await new Promise(setImmediate);
      time.pass(1);
      await new Promise(setImmediate);
      seconds += 1;
    }
    expect(await refusalOf(body)).toBe('body_too_slow');
    expect(seconds).toBe(22);
  });

  test('passes when it is honest: a megabyte at 50 kB/s', async () => {
    const { intake, time } = anIntake();
    const payload = new PassThrough();
    const body = reading(intake, payload, { contentLength: '1000000' });
    for (let count = 0; count < 20; count++) {
      payload.write(Buffer.alloc(50_000));
      await new Promise(setImmediate);
      time.pass(1);
    }
    payload.end();
    expect((await body).bytes).toBe(1_000_000);
  });

  test('leaves no timer behind', async () => {
    const { intake, time } = anIntake();
    await reading(intake, sent(Buffer.alloc(10)), { contentLength: '10' });
    time.pass(1);
    expect(time.isRunning).toBe(false);
  });
});

test('of bodies that arrive faster than they are read, a part waits for the next pass of the event loop', async () => {
  const { intake } = anIntake();
  const bodies = [0, 1].map(() => new Readable({ read() {} }));
  let pauses = 0;
  const sizes = bodies.map((body) => {
    body.on('pause', () => (pauses += 1));
    return new Promise<number>((resolve, reject) => {
      intake.read(body, {}, LIMIT, (error, read) =>
        error === null ? resolve(read?.bytes ?? 0) : reject(error),
      );
    });
  });
  for (const body of bodies) {
    for (let index = 0; index < 12; index++) body.push(Buffer.alloc(65_536));
    body.push(null);
  }
  // Each of them alone is below the bound.
  expect(await Promise.all(sizes)).toEqual([786_432, 786_432]);
  expect(pauses).toBeGreaterThan(0);
});
