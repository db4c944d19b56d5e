import type { BodyIntake } from '../../http/bodies/body-intake.ts';
import { type FormBody, isFormBody, NO_FORM } from '../forms/form-body.ts';
import { addFormParsers } from '../forms/form-parsers.ts';
import { goneSignal } from '../gone-signal.ts';
import type { VerifyScope } from '../verify-scope.ts';
import { awaitVerification } from './await-verification.ts';
import { addVersion1LookUps, type Version1LookUpParts } from './look-up-routes.ts';
import { readSolcJson, readVerify, readVyper, type Version1Request } from './read-requests.ts';
import { describeRoute } from './route-options.ts';

/** What the routes of version 1 answer from. */
export interface Version1RoutesParts extends Version1LookUpParts {
  readonly bodies: BodyIntake;
}

/**
 * Version 1 of the API, translated onto the jobs and look-ups of version 2.
 *
 * @see docs/adr/0035-forms-of-other-verifiers.md
 */
export function addVersion1Routes(scope: VerifyScope, parts: Version1RoutesParts): void {
  addVersion1LookUps(scope, parts);
  scope.register(async (instance) => {
    const inner = instance as unknown as VerifyScope;
    addFormParsers(inner, parts.bodies);
    const post = (url: string, summary: string, read: (body: FormBody) => Version1Request) =>
      inner.post(url, describeRoute(summary, url === '/'), async ({ body }, reply) => {
        const request = read(isFormBody(body) ? body : NO_FORM);
        reply.header('cache-control', 'no-store');
        return { result: [await awaitVerification(parts, request, goneSignal(reply.raw))] };
      });
    for (const url of ['/', '/verify']) post(url, 'Verify from metadata and sources (version 1)', readVerify);
    post('/verify/solc-json', 'Verify from standard JSON (version 1)', readSolcJson);
    post('/verify/vyper', 'Verify Vyper sources (version 1)', readVyper);
  });
}
