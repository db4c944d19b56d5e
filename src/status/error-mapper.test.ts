import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { StorageBusyError } from '../values/storage-errors.ts';
import { createStatusErrors } from './error-mapper.ts';
import { StatusNotFoundError, StatusValidationError } from './errors.ts';

const request = (url: string) => ({ url }) as unknown as FastifyRequest;

const statusErrors = createStatusErrors(() => true);
const withStatus = (statusCode: number) => Object.assign(new Error('internal detail'), { statusCode });

describe('statusErrors', () => {
  test('a public path answers with the error alone', () => {
    expect(statusErrors.notFound(request('/api/v2/summary'))).toEqual({
      statusCode: 404,
      body: { error: 'Not found' },
    });
  });

  test('a management path repeats it as message', () => {
    expect(statusErrors.notFound(request('/v1/pages/x/metrics')).body).toEqual({
      error: 'Not found',
      message: 'Not found',
    });
  });

  test('a wrong method names the right ones', () => {
    expect(statusErrors.methodNotAllowed(request('/api/v2/summary.json'), ['GET', 'HEAD'])).toEqual({
      statusCode: 405,
      body: { error: 'Method not allowed' },
      headers: { allow: 'GET, HEAD' },
    });
  });

  test('a refused write lists its problems', () => {
    const error = new StatusValidationError(["Name can't be blank", 'Group is invalid']);
    expect(statusErrors.fromError(error, request('/v1/pages/x/components'))).toEqual({
      statusCode: 422,
      body: {
        error: ["Name can't be blank", 'Group is invalid'],
        message: "Name can't be blank, Group is invalid",
      },
    });
  });

  test('a write that another process keeps waiting is to be tried again', () => {
    const error = new StorageBusyError('another process holds the write lock');
    expect(statusErrors.fromError(error, request('/v1/pages/x/components'))).toEqual({
      statusCode: 503,
      body: { error: error.message, message: error.message },
      headers: { 'retry-after': '5' },
    });
    expect(statusErrors.fromError(error, request('/api/v2/summary.json'))).toEqual({
      statusCode: 503,
      body: { error: 'Service unavailable' },
      headers: { 'retry-after': '5' },
    });
  });

  test('a path with a broken escape is an unknown one', () => {
    const error = Object.assign(withStatus(400), { code: 'FST_ERR_BAD_URL' });
    expect(statusErrors.fromError(error, request('/api/v2/%zz'))).toEqual({
      statusCode: 404,
      body: { error: 'Not found' },
    });
  });

  test.each([
    [new StatusNotFoundError('group', 'x'), 404, 'Component group not found'],
    [withStatus(400), 400, 'Invalid request body'],
    [withStatus(413), 413, 'Request body too large'],
    [withStatus(415), 415, 'Unsupported media type'],
    [withStatus(418), 418, 'Bad request'],
    [withStatus(503), 503, 'Service unavailable'],
    [new Error('internal detail'), 500, 'Internal server error'],
    ['text', 500, 'Internal server error'],
    [withStatus(200), 500, 'Internal server error'],
  ])('%s becomes %d, %s', (error, statusCode, text) => {
    expect(statusErrors.fromError(error, request('/v1/pages'))).toEqual({
      statusCode,
      body: { error: text, message: text },
    });
  });
});
