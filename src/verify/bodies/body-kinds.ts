import type { TSchema } from '@sinclair/typebox';
import { type MetadataBody, readMetadataSubmission } from '../read-metadata-submission.ts';
import { readSimilaritySubmission } from '../read-similarity-submission.ts';
import { readSubmission, type SubmissionBody } from '../read-submission.ts';
import { ImportRequest, MetadataRequest, SimilarityRequest, SubmissionRequest } from '../schemas.ts';
import type { Submission } from '../submission.ts';

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
} as const satisfies Readonly<Record<string, KindOfBody>>;

export type BodyKind = keyof typeof BODY_KINDS;
