// `npm run openapi:examples`: writes real answers into scripts/openapi/*/examples.json, for the API documents.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { EdgeRefusal } from '../src/http/edge/edge-refusal.ts';
import { mirrorErrorMapper } from '../src/mirror/errors.ts';
import { createStatusErrors } from '../src/status/error-mapper.ts';
import { StorageBusyError } from '../src/values/storage-errors.ts';
import { createVerifyErrorMapper } from '../src/verify/error-mapper.ts';
import { collectAnswers } from '../test/openapi/answers/collect-answers.ts';
import { exampleWorth, shortenExample } from '../test/openapi/answers/shorten-example.ts';
import { operationsOf, readDocument } from '../test/support/openapi-document.ts';

const BY_EDGE = new EdgeRefusal(429, 'Too many requests of this client; try again in a second', 1);
const FAULTS: Readonly<Record<number, unknown>> = {
  429: BY_EDGE,
  500: new Error('not told'),
  503: new StorageBusyError('another process writes'),
};

/** Error forms by the title of their schema: who makes them, and a path and route that get them. */
const FORMS = {
  verify: [
    ['VerifyError', undefined],
    ['SignatureError', 'signature_database'],
    ['Version1Error', 'version_1'],
    ['EtherscanAnswer', 'etherscan'],
  ],
  status: [
    ['StatusError', '/api/v2/status.json'],
    ['ManagementError', '/v1/pages'],
  ],
  mirror: [['MirrorError', undefined]],
} as const;

const document = readDocument('all');
const answers = await collectAnswers();
for (const area of ['verify', 'status', 'mirror'] as const) {
  const text = JSON.stringify({ examples: examplesOf(area), errorExamples: errorsOf(area) }, null, 2);
  writeFileSync(new URL(`openapi/${area}/examples.json`, import.meta.url), `${text}\n`);
}

function examplesOf(area: string) {
  return Object.fromEntries(
    operationsOf(document)
      .filter(([, , { tags }]) => tags?.includes(area))
      .map(([method, path, { operationId }]) => {
        const own = answers.filter(({ operation }) => operation === `${method} ${path}`);
        const statuses = [...new Set(own.map(({ status }) => status))].sort((a, b) => a - b);
        const best = statuses.flatMap((status) => {
          const [first] = own
            .filter((each) => each.status === status && each.sent !== '' && isMainType(each.type))
            .sort((a, b) => exampleWorth(b.sent) - exampleWorth(a.sent));
          return first === undefined ? [] : [[String(status), shortenExample(first.sent)] as const];
        });
        const request = own.find(
          ({ body, status }) => status < 300 && typeof body === 'object' && !Buffer.isBuffer(body),
        )?.body;
        return [
          String(operationId),
          {
            ...(request === undefined ? {} : { request: shortenExample(request) }),
            answers: Object.fromEntries(best),
          },
        ];
      }),
  );
}

function isMainType(type: string): boolean {
  return /json|xml|text\/html/.test(type);
}

function errorsOf(area: keyof typeof FORMS) {
  const mapper = {
    verify: createVerifyErrorMapper(randomUUID),
    status: createStatusErrors(() => true),
    mirror: mirrorErrorMapper,
  }[area];
  return Object.fromEntries(
    FORMS[area].map(([title, form]) => {
      const url = form?.startsWith('/') === true ? form : '/';
      const request = { url, routeOptions: { config: { errorForm: form } } } as unknown as FastifyRequest;
      const bodies = Object.entries(FAULTS).map(([status, fault]) => [
        status,
        mapper.fromError(fault, request).body,
      ]);
      return [title, Object.fromEntries(bodies)];
    }),
  );
}
