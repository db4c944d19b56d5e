import { type RequestErrorCode, VerifyRequestError } from '../errors.ts';
import { packSubmission } from '../jobs/stored-submission.ts';
import { createRequestValidatorCompiler } from '../request-validator.ts';
import type { PackedSubmission, Submission } from '../submission.ts';
import { BODY_KINDS, type BodyKind } from './body-kinds.ts';
import { parseBody } from './parse-body.ts';

/** A refusal as plain data. */
export interface Refusal {
  readonly code: RequestErrorCode;
  readonly message: string;
}

/**
 * What is left of a body that was read in the thread: plain data without its texts.
 *
 * The refusals stay apart, since other checks of the request come between them.
 */
export type PreparedBody =
  /** It is no JSON, or JSON of no sensible shape. */
  | { readonly kind: 'unreadable'; readonly refusal: Refusal }
  /** It is not what the schema of the route describes. */
  | { readonly kind: 'malformed'; readonly refusal: Refusal }
  | {
      readonly kind: 'read';
      readonly creationTransactionHash: string | undefined;
      /** Null when the route submits nothing. */
      readonly submission: PackedSubmission | { readonly kind: 'refused'; readonly refusal: Refusal } | null;
    };

type Validate = (body: unknown) => { readonly error?: Error };

const compileSchema = createRequestValidatorCompiler();
const validators = new Map<BodyKind, Validate>();

/** Does everything to a body that needs all of it: parsing, schema, reading the submission, packing it for its row. */
export async function prepareBody(bytes: Uint8Array, kind: BodyKind): Promise<PreparedBody> {
  let body: unknown;
  try {
    body = parseBody(bytes);
  } catch (error) {
    return { kind: 'unreadable', refusal: refusalOf(error) };
  }
  const { error } = validatorOf(kind)(body);
  if (error !== undefined) return { kind: 'malformed', refusal: refusalOf(error) };
  const { creationTransactionHash } = body as { readonly creationTransactionHash?: string };
  return { kind: 'read', creationTransactionHash, submission: await submissionOf(body, kind) };
}

async function submissionOf(body: unknown, kind: BodyKind) {
  const read = BODY_KINDS[kind].read as ((body: unknown) => Submission) | null;
  if (read === null) return null;
  let submission: Submission;
  try {
    submission = read(body);
  } catch (error) {
    return { kind: 'refused', refusal: refusalOf(error) } as const;
  }
  return { kind: 'packed', ...(await packSubmission(submission)) } as const;
}

function validatorOf(kind: BodyKind): Validate {
  const known = validators.get(kind);
  if (known !== undefined) return known;
  const { schema } = BODY_KINDS[kind];
  const made = compileSchema({ schema, method: 'POST', url: '', httpPart: 'body' }) as Validate;
  validators.set(kind, made);
  return made;
}

/** @throws what is no refusal. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof VerifyRequestError)) throw error;
  return { code: error.code as RequestErrorCode, message: error.message };
}
