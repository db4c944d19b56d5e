import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { StorageBusyError } from '../values/storage-errors.ts';
import { MirrorApiError, mirrorErrorMapper } from './errors.ts';

const request = (method: string, url: string) => ({ method, url }) as FastifyRequest;
const get = request('GET', '/api/v1/transactions');

describe('mirrorErrorMapper', () => {
  test.each([
    [
      new MirrorApiError(400, [{ message: 'a' }, { message: 'b', detail: 'c' }]),
      400,
      [{ message: 'a' }, { message: 'b', detail: 'c' }],
    ],
    [
      Object.assign(new Error('too large'), { statusCode: 413 }),
      413,
      [{ message: 'Content Too Large', detail: 'too large' }],
    ],
    [
      Object.assign(new Error('bad JSON'), { statusCode: 400 }),
      400,
      [{ message: 'Bad Request', detail: 'bad JSON' }],
    ],
    [new Error('secret'), 500, [{ message: 'Internal error' }]],
    ['text', 500, [{ message: 'Internal error' }]],
  ])('%s becomes %d', (error, statusCode, messages) => {
    expect(mirrorErrorMapper.fromError(error, get)).toEqual({ statusCode, body: { _status: { messages } } });
  });

  test('a database that cannot be read now says why and when to try again', () => {
    const error = new StorageBusyError('another process holds the write lock');
    const messages = [{ message: 'Service unavailable', detail: 'another process holds the write lock' }];
    expect(mirrorErrorMapper.fromError(error, get)).toEqual({
      statusCode: 503,
      body: { _status: { messages } },
      headers: { 'retry-after': '5' },
    });
  });

  test('a wrong method is 404, except on the fee estimate', () => {
    expect(mirrorErrorMapper.methodNotAllowed(get, ['GET', 'HEAD'])).toEqual({
      statusCode: 404,
      body: { _status: { messages: [{ message: 'Not found' }] } },
    });
    expect(
      mirrorErrorMapper.methodNotAllowed(request('PUT', '/api/v1/network/fees/?x=1'), ['GET', 'POST']),
    ).toEqual({
      statusCode: 405,
      headers: { allow: 'GET, POST' },
      body: {
        _status: {
          messages: [{ message: 'Method Not Allowed', detail: "Request method 'PUT' is not supported" }],
        },
      },
    });
  });
});
