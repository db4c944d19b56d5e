import type { BodyIntake } from '../../http/bodies/body-intake.ts';
import { isFormBody, NO_FORM } from '../bodies/form-body.ts';
import type { LargeBodies } from '../bodies/large-bodies.ts';
import { LargeBody } from '../bodies/large-body.ts';
import { goneSignal } from '../following/gone-signal.ts';
import { addFormParsers } from '../forms/form-parsers.ts';
import { holdUntilAnswered } from '../submissions/request-body.ts';
import type { VerifyScope } from '../verify-scope.ts';
import { awaitVerification, type Version1Submission } from './await-verification.ts';
import { FORM_KINDS } from './form-kinds.ts';
import { addVersion1LookUps, type Version1LookUpParts } from './look-up-routes.ts';
import { describeRoute } from './route-options.ts';

/** What the routes of version 1 answer from. */
interface Version1RoutesParts extends Version1LookUpParts {
  readonly bodies: BodyIntake;
  readonly largeBodies: LargeBodies;
}

/**
 * Version 1 of the API, translated onto the jobs and look-ups of version 2.
 *
 * @see docs/adr/0002-reference-apis-first.md
 */
export function addVersion1Routes(scope: VerifyScope, parts: Version1RoutesParts): void {
  addVersion1LookUps(scope, parts);
  scope.register(async (instance) => {
    const inner = instance as unknown as VerifyScope;
    addFormParsers(inner, parts.bodies, parts.largeBodies);
    const post = (url: string, summary: string, kind: keyof typeof FORM_KINDS) =>
      inner.post(
        url,
        { ...describeRoute(summary, url === '/', kind), preValidation: holdUntilAnswered },
        async ({ body }, reply) => {
          const request = requestOf(body, kind);
          reply.header('cache-control', 'no-store');
          return { result: [await awaitVerification(parts, request, goneSignal(reply.raw))] };
        },
      );
    for (const url of ['/', '/verify']) {
      post(url, 'Verify from metadata and sources (version 1)', 'version_1_verify');
    }
    post('/verify/solc-json', 'Verify from standard JSON (version 1)', 'version_1_solc_json');
    post('/verify/vyper', 'Verify Vyper sources (version 1)', 'version_1_vyper');
  });
}

/** @throws VerifyRequestError */
function requestOf(body: unknown, kind: keyof typeof FORM_KINDS): Version1Submission {
  if (!(body instanceof LargeBody)) return FORM_KINDS[kind](isFormBody(body) ? body : NO_FORM);
  const { creationTransactionHash, target } = body;
  if (target === null) throw new Error('A large form without a target');
  return { ...target, creationTransactionHash, read: () => body.submission() };
}
