import type { FormBody } from '../bodies/form-body.ts';
import type { FormKind } from '../bodies/prepared-body.ts';
import type { Submission } from '../model/submission.ts';
import { readSolcJson, readVerify, readVyper } from './read-requests.ts';

/** What a form asks for. */
interface FormRequest {
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash: string | undefined;
  /** @throws VerifyRequestError */
  readonly read: () => Submission;
}

/** How the forms of version 1 are read. */
export const FORM_KINDS = {
  version_1_verify: readVerify,
  version_1_solc_json: readSolcJson,
  version_1_vyper: readVyper,
} as const satisfies Readonly<Record<FormKind, (form: FormBody) => FormRequest>>;
