import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { FixtureError } from './fixture-error.ts';
import { readClockChange } from './read-clock-change.ts';
import type { LoadReport } from './test-server.ts';

/** What `/_test` does to the server that serves it. */
export interface TestControl {
  readonly isTimeStopped: boolean;
  /** UTC milliseconds. */
  now(): number;
  load(fixture: { readonly name: string; readonly contents: Uint8Array }): Promise<LoadReport>;
  reset(): Promise<void>;
  advance(milliseconds: number): Promise<void>;
  moveTo(now: number, isStopped: boolean): Promise<void>;
}

/** Largest fixture by HTTP; larger ones come as files. */
const BODY_LIMIT = 64 * 1024 * 1024;

const FOREIGN_PAGE = {
  code: 'foreign_origin',
  message:
    'Pages of other hosts may not use the test API: send the request from the test runner, or from a page on localhost.',
};

/**
 * `POST /_test/fixtures`, `/_test/reset` and `/_test/clock`: what tests in any language do to a server of their own.
 *
 * @see docs/testing.md
 */
export function testRoutes(control: TestControl): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    // Whatever a client says its body is: each route knows.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, _request, reply) => answerError(error, reply));
    app.addHook('onRequest', async ({ headers: { origin } }, reply) => {
      if (isOfForeignPage(origin)) await reply.code(403).send(FOREIGN_PAGE);
    });
    const options = { schema: { hide: true }, bodyLimit: BODY_LIMIT };
    app.post('/_test/fixtures', options, async ({ body }, reply) => {
      const contents = (body as Buffer | undefined) ?? Buffer.alloc(0);
      if (contents.length === 0) {
        throw new FixtureError('empty_file', 'The body must be the lines of a fixture, but is empty', null);
      }
      return reply.code(201).send(await control.load({ name: 'body', contents }));
    });
    app.post('/_test/reset', options, async (_request, reply) => {
      await control.reset();
      return reply.code(204).send();
    });
    app.post('/_test/clock', options, async ({ body }) => {
      const change = readClockChange((body as Buffer | undefined)?.toString() ?? '');
      if (change.kind === 'advance') await control.advance(change.milliseconds);
      else await control.moveTo(change.now, change.isStopped ?? control.isTimeStopped);
      return { now: new Date(control.now()).toISOString(), stopped: control.isTimeStopped };
    });
  };
}

function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  const { code: frameworkCode, statusCode } = error as {
    readonly code?: string;
    readonly statusCode?: number;
  };
  if (statusCode === 413) {
    return reply.code(413).send({
      code: 'body_too_large',
      message: `A fixture may have up to ${BODY_LIMIT / 1024 / 1024} MiB; load it in parts, or name its file in MIRROR_IMPORT.`,
    });
  }
  if (error instanceof FixtureError) {
    const { code, line, message } = error;
    return reply.code(code === 'fixture_too_old' ? 409 : 400).send({ code, message, line });
  }
  if (error instanceof LedgerlensError) {
    return reply.code(400).send({ code: error.code, message: error.message });
  }
  if (statusCode !== undefined && statusCode < 500) {
    return reply
      .code(statusCode)
      .send({ code: frameworkCode ?? 'bad_request', message: (error as Error).message });
  }
  throw error;
}

/**
 * Whether a page sent the request that is not of this machine: any page that a developer looks at reaches loopback.
 *
 * `Host` is not asked, since a name may be made to lead to loopback; then page and server have the same one.
 */
function isOfForeignPage(origin: string | undefined): boolean {
  if (origin === undefined) return false;
  return !/^https?:\/\/(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(origin);
}
