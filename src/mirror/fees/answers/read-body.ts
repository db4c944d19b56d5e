import type { Readable } from 'node:stream';
import { BodyError } from '../../../http/bodies/body-errors.ts';
import type { BodyHeaders, BodyIntake } from '../../../http/bodies/body-intake.ts';
import { badRequest, bodyTooLarge } from './fee-request.ts';

/**
 * Reads the bytes of a transaction, with the refusals of the contract.
 *
 * @param done called once: with a MirrorApiError 413 as soon as more than `limitBytes` have arrived, with a 400 when the
 * client breaks off, with another refusal of the intake, else with the body.
 * @see contracts/fees-estimate.md section 7
 */
export function readBody(
  bodies: BodyIntake,
  payload: Readable,
  headers: BodyHeaders,
  limitBytes: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  bodies.read(payload, headers, limitBytes, (error, body) => {
    if (body === undefined) {
      done(inWordsOfTheContract(error, limitBytes));
      return;
    }
    const [only] = body.parts;
    const bytes = body.parts.length === 1 && only !== undefined ? only : Buffer.concat(body.parts);
    // An estimate is made before anything else happens; what needs look-ups holds no more than its connection does.
    body.release();
    done(null, bytes);
  });
}

function inWordsOfTheContract(error: Error | null, limitBytes: number): Error | null {
  if (!(error instanceof BodyError)) return error;
  if (error.code === 'body_too_large') return bodyTooLarge(Number(error.details['bytes']), limitBytes);
  return error.code === 'body_broken_off' ? badRequest('Failed to read request', error.cause) : error;
}
