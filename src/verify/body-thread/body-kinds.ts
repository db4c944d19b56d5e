import type { TSchema } from '@sinclair/typebox';
import type { BodyKind, FormKind, JsonKind } from '../bodies/body-kind.ts';
import type { Submission } from '../model/submission.ts';
import { ImportRequest, MetadataRequest, SimilarityRequest, SubmissionRequest } from '../schemas.ts';
import { type MetadataBody, readMetadataSubmission } from '../submissions/read-metadata-submission.ts';
import { readSimilaritySubmission } from '../submissions/read-similarity-submission.ts';
import { readSubmission, type SubmissionBody } from '../submissions/read-submission.ts';
import { FORM_KINDS } from '../version-1/form-kinds.ts';

/** What a route does with its body. */
interface KindOfBody {
  readonly schema: TSchema;
  /** Null when nothing is submitted. @throws VerifyRequestError `invalid_parameter` */
  readonly read: ((body: never) => Submission) | null;
}

/** The bodies that are checked and read in the body thread when they are large. */
export const BODY_KINDS = {
  standard_json: { schema: SubmissionRequest, read: (body: SubmissionBody) => readSubmission(body) },
  metadata: { schema: MetadataRequest, read: (body: MetadataBody) => readMetadataSubmission(body) },
  similarity: { schema: SimilarityRequest, read: readSimilaritySubmission },
  import: { schema: ImportRequest, read: null },
} as const satisfies Readonly<Record<JsonKind, KindOfBody>>;

/** Whether the bodies of a kind are forms that ask for a verification. */
export function isFormKind(kind: BodyKind): kind is FormKind {
  return kind in FORM_KINDS;
}
