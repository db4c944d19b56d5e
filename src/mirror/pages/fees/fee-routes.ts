import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyIntake } from '../../../http/bodies/body-intake.ts';
import { MultipartError } from '../../../http/bodies/multipart-parts.ts';
import { sendSitePage } from '../../../pages/site/site-page.ts';
import { MirrorApiError } from '../../errors.ts';
import { type EstimateSources, estimateContext } from '../../fees/answers/send-estimate.ts';
import type { PageContext } from '../parts/ledger-frame.ts';
import { type FeeFormBody, readFeeForm } from './fee-form-body.ts';
import { answeredFeesPage, emptyFeesPage } from './fees-page.ts';

/** What the fee calculator estimates with. */
export interface FeePagesParts extends EstimateSources {
  readonly bodies: BodyIntake;
  /** Largest transaction or list in bytes. */
  readonly bodyLimitBytes: number;
}

/** Hexadecimal text has twice the length, and a form may escape it; the rest is for the form itself. */
const TEXT_FACTOR = 2;
const FORM_ALLOWANCE = 8192;
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** `/ledger/fees`: a form that posts to itself. */
export function serveFeePages(
  app: FastifyInstance,
  { bodies, bodyLimitBytes, ...sources }: FeePagesParts,
  contextOf: (request: FastifyRequest) => PageContext,
): void {
  const limit = bodyLimitBytes * TEXT_FACTOR + FORM_ALLOWANCE;
  const page = { schema: { hide: true }, compress: false } as const;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORMS, (request: FastifyRequest, payload: IncomingMessage, done) =>
    bodies.read(payload, request.headers, limit, (error, body) => {
      if (body === undefined) return done(error);
      body.release();
      done(null, Buffer.concat(body.parts));
    }),
  );
  app.get('/ledger/fees', page, async (request, reply) =>
    sendSitePage(request, reply, emptyFeesPage(contextOf(request))),
  );
  app.post('/ledger/fees', page, async (request, reply) => {
    const form = readForm(request);
    const estimating = await estimateContext(sources, request);
    const answer = await answeredFeesPage(form, contextOf(request), estimating);
    return sendSitePage(request, reply, answer.page, { statusCode: answer.statusCode, caching: 'no-store' });
  });
}

/** @throws MirrorApiError 400 for a body that is no form. */
function readForm({ body, headers }: FastifyRequest): FeeFormBody {
  try {
    return readFeeForm(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['content-type'] ?? '');
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    throw new MirrorApiError(400, [{ message: 'Bad Request', detail: error.message }]);
  }
}
