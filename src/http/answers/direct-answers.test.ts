import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as otherEvents } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AnswerDirectly, DirectAnswer } from '../direct-answer.ts';
import { answerAtOnce } from './direct-answers.ts';

const LIST = { method: 'GET', url: '/list', headers: {} };
const LATE = { mayWait: true, leave: () => expect.unreachable() };
const parts = { drain: { isDraining: false }, areas: { isManaged: () => false }, observers: () => () => {} };

/** Whether it answers a request. */
function answers(answerers: readonly AnswerDirectly[], request: Partial<IncomingMessage>): boolean {
  const response = { writableLength: 0, once: () => response, writeHead: () => response, end: () => {} };
  const answered = answerAtOnce(answerers, parts)(
    { ...LIST, ...request } as IncomingMessage,
    response as unknown as ServerResponse,
    LATE,
  );
  return answered === 'now';
}

const ready: AnswerDirectly = (target) =>
  target === '/list' ? { statusCode: 200, route: '/list', headers: [], body: () => Buffer.from('{}') } : null;

describe('answerAtOnce', () => {
  test('answers what is ready and leaves the rest to the router', () => {
    expect(answers([ready], {})).toBe(true);
    expect(answers([() => null, ready], {})).toBe(true);
    expect(answers([ready], { url: '/other' })).toBe(false);
    expect(answers([], {})).toBe(false);
  });

  test.each([
    ['another method', { method: 'HEAD' }],
    ['a body', { headers: { 'content-length': '2' } }],
    ['an expectation', { headers: { expect: '100-continue' } }],
    ['a body of unknown length', { headers: { 'transfer-encoding': 'chunked' } }],
  ])('leaves %s to the router', (_what, request) => {
    expect(answers([ready], request)).toBe(false);
  });

  test('leaves what fails to the router, which answers the error', () => {
    const failing = () => {
      throw new Error('bad parameter');
    };
    expect(answers([failing], {})).toBe(false);
  });

  test('leaves what cannot be printed to the router', () => {
    const error = new RangeError('Array buffer allocation failed');
    const told: unknown[] = [];
    const unprintable: AnswerDirectly = () => ({
      statusCode: 200,
      route: '/list',
      headers: [],
      body: () => {
        throw error;
      },
    });
    const listener = answerAtOnce([unprintable], parts);
    listener(LIST as IncomingMessage, {} as ServerResponse, { mayWait: true, leave: (it) => told.push(it) });
    expect(told).toEqual([error]);
  });

  test('counts the time that finding the answer took', () => {
    const times: number[] = [];
    const response = { writableLength: 0, writeHead: () => response, end: () => response };
    const slow: AnswerDirectly = (target, headers) => {
      const until = performance.now() + 5;
      while (performance.now() < until);
      return ready(target, headers);
    };
    const listener = answerAtOnce([slow], {
      ...parts,
      observers: () => (_method, _status, milliseconds) => times.push(milliseconds),
    });
    listener(LIST as IncomingMessage, response as unknown as ServerResponse, LATE);
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThanOrEqual(5);
  });

  test('counts and gives its buffer back when the system has taken the whole answer, not before', () => {
    const done: string[] = [];
    const finished: (() => void)[] = [];
    const response = {
      writableLength: 0,
      once: (_event: string, listener: () => void) => finished.push(listener),
      writeHead: () => response,
      end: () => {
        response.writableLength = 1_000_000;
      },
    };
    const listener = answerAtOnce(
      [
        () => ({
          statusCode: 200,
          route: '/list',
          headers: [],
          body: () => Buffer.from('{}'),
        }),
      ],
      { ...parts, observers: () => () => done.push('counted') },
    );
    listener(LIST as IncomingMessage, response as unknown as ServerResponse, LATE);
    expect(done).toEqual([]);
    for (const finish of finished) finish();
    expect(done).toEqual(['counted']);
  });

  describe('what the database still has to tell', () => {
    /** What becomes of an answer that arrives later. */
    async function outcomeOf(
      arriving: Promise<DirectAnswer | null>,
      { destroyed = false, mayWait = true } = {},
    ): Promise<readonly unknown[]> {
      const told: unknown[] = [];
      const response = {
        destroyed,
        writableLength: 0,
        writeHead: () => response,
        end: () => told.push('answered'),
      };
      const listener = answerAtOnce([() => arriving], parts);
      const leave = (error: unknown) => told.push(error);
      const answered = listener(LIST as IncomingMessage, response as unknown as ServerResponse, {
        mayWait,
        leave,
      });
      expect([answered, told]).toEqual([mayWait ? 'later' : null, []]);
      await arriving.catch(() => {});
      return told;
    }
    const arrived = {
      statusCode: 200 as const,
      route: '/list',
      headers: [],
      body: () => Buffer.from('{}'),
    };

    test('is answered when it arrives', async () => {
      expect(await outcomeOf(Promise.resolve(arrived))).toEqual(['answered']);
    });

    test('is printed when it is sent: buffers serve one answer after the other', async () => {
      const steps: string[] = [];
      const response = {
        destroyed: false,
        writableLength: 0,
        writeHead: () => response,
        end: () => steps.push('sent'),
      };
      const body = () => {
        steps.push('printed');
        return Buffer.from('{}');
      };
      const found = Promise.resolve();
      // Each is ready as soon as what they share is.
      const listener = answerAtOnce([() => found.then(() => ({ ...arrived, body }))], parts);
      for (let client = 0; client < 2; client++) {
        listener(LIST as IncomingMessage, response as unknown as ServerResponse, LATE);
      }
      await otherEvents();
      expect(steps).toEqual(['printed', 'sent', 'printed', 'sent']);
    });

    test('is not printed when nobody waits for it any more', async () => {
      let prints = 0;
      const unread = { ...arrived, body: () => Buffer.alloc(++prints) };
      expect(await outcomeOf(Promise.resolve(unread), { destroyed: true })).toEqual([]);
      expect(prints).toBe(0);
    });

    test('is not sent to whom the router answers since it waited too long already', async () => {
      const late = { mayWait: false };
      expect(await outcomeOf(Promise.resolve(arrived), late)).toEqual([]);
      expect(await outcomeOf(Promise.reject(new Error('the connection was lost')), late)).toEqual([]);
    });

    test('leaves to the router what cannot be printed', async () => {
      const error = new RangeError('Array buffer allocation failed');
      const unprintable = {
        ...arrived,
        body: () => {
          throw error;
        },
      };
      expect(await outcomeOf(Promise.resolve(unprintable))).toEqual([error]);
    });

    test('leaves to the router what it finds only then that the router has to answer', async () => {
      expect(await outcomeOf(Promise.resolve(null))).toEqual([null]);
    });

    test('leaves its error to the router', async () => {
      const error = new Error('the connection was lost');
      expect(await outcomeOf(Promise.reject(error))).toEqual([error]);
    });
  });
});
