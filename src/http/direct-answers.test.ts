import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type AnswerDirectly, serveDirectly } from './direct-answers.ts';

const LIST = { method: 'GET', url: '/list', headers: {}, rawHeaders: ['Host', 'a'], httpVersion: '1.1' };

/** Runs one request through it and tells who answered. */
function serve(
  answerers: readonly AnswerDirectly[],
  request: Partial<IncomingMessage>,
  isDraining = false,
): 'directly' | 'by the router' {
  let by: 'directly' | 'by the router' | null = null;
  const listener = serveDirectly(
    answerers,
    () => {
      by = 'by the router';
    },
    { drain: { isDraining }, observers: () => () => {} },
  );
  const response = {
    writableLength: 0,
    once: () => response,
    writeHead: () => response,
    end: () => {
      by = 'directly';
    },
  };
  listener({ ...LIST, ...request } as IncomingMessage, response as unknown as ServerResponse);
  if (by === null) throw new Error('nobody answered');
  return by;
}

const ready: AnswerDirectly = (target) =>
  target === '/list' ? { statusCode: 200, route: '/list', headers: [], body: Buffer.from('{}') } : null;

describe('serveDirectly', () => {
  test('answers what is ready and leaves the rest to the router', () => {
    expect(serve([ready], {})).toBe('directly');
    expect(serve([() => null, ready], {})).toBe('directly');
    expect(serve([ready], { url: '/other' })).toBe('by the router');
    expect(serve([], {})).toBe('by the router');
  });

  test.each([
    ['another method', { method: 'HEAD' }],
    ['a body', { headers: { 'content-length': '2' } }],
    ['an expectation', { headers: { expect: '100-continue' } }],
    ['a missing host', { rawHeaders: [] }],
    ['two hosts', { rawHeaders: ['Host', 'a', 'host', 'b'] }],
    ['a body of unknown length', { headers: { 'transfer-encoding': 'chunked' } }],
  ])('leaves %s to the router', (_what, request) => {
    expect(serve([ready], request)).toBe('by the router');
  });

  test('leaves everything to the router while draining, which closes the connection', () => {
    expect(serve([ready], {}, true)).toBe('by the router');
  });

  test('leaves what fails to the router, which answers the error', () => {
    const failing = () => {
      throw new Error('bad parameter');
    };
    expect(serve([failing], {})).toBe('by the router');
  });

  test('counts the time that finding the answer took', () => {
    const times: number[] = [];
    const response = { writableLength: 0, writeHead: () => response, end: () => response };
    const slow: AnswerDirectly = (target, headers) => {
      const until = performance.now() + 5;
      while (performance.now() < until);
      return ready(target, headers);
    };
    const listener = serveDirectly([slow], () => {}, {
      drain: { isDraining: false },
      observers: () => (_method, _status, milliseconds) => times.push(milliseconds),
    });
    listener(LIST as IncomingMessage, response as unknown as ServerResponse);
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
    const listener = serveDirectly(
      [
        () => ({
          statusCode: 200,
          route: '/list',
          headers: [],
          body: Buffer.from('{}'),
          sent: () => done.push('sent'),
        }),
      ],
      () => {},
      { drain: { isDraining: false }, observers: () => () => done.push('counted') },
    );
    listener(LIST as IncomingMessage, response as unknown as ServerResponse);
    expect(done).toEqual([]);
    for (const finish of finished) finish();
    expect(done).toEqual(['sent', 'counted']);
  });
});
