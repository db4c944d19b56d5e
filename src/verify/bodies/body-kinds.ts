import type { TSchema } from '@sinclair/typebox';
import type { FormBody } from '../forms/form-body.ts';
import { ImportRequest, MetadataRequest, SimilarityRequest, SubmissionRequest } from '../schemas.ts';
import { type MetadataBody, readMetadataSubmission } from '../submissions/read-metadata-submission.ts';
import { readSimilaritySubmission } from '../submissions/read-similarity-submission.ts';
import { readSubmission, type SubmissionBody } from '../submissions/read-submission.ts';
import type { Submission } from '../submissions/submission.ts';
import { readSolcJson, readVerify, readVyper } from '../version-1/read-requests.ts';

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

/** Forms that are read to a submission in the body thread when they are large. */
export const FORM_KINDS = {
  version_1_verify: readVerify,
  version_1_solc_json: readSolcJson,
  version_1_vyper: readVyper,
} as const satisfies Readonly<Record<string, (form: FormBody) => FormRequest>>;

/** What a form asks for. */
export interface FormRequest {
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash: string | undefined;
  /** @throws VerifyRequestError */
  readonly read: () => Submission;
}

/** `form`: a form is only taken apart; `etherscan`: its submission is read besides. */
export type BodyKind = keyof typeof BODY_KINDS | keyof typeof FORM_KINDS | 'form' | 'etherscan';

/** Whether the bodies of a kind are forms that ask for a verification. */
export function isFormKind(kind: BodyKind): kind is keyof typeof FORM_KINDS {
  return kind in FORM_KINDS;
}
