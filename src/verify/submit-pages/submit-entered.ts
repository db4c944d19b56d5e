import { html } from '../../pages/html.ts';
import { checksumAddress, normaliseAddress } from '../address.ts';
import { type RequestErrorCode, STATUS_OF_CODE, VerifyRequestError } from '../errors.ts';
import type { EnteredVerification } from '../model/entered-verification.ts';
import type { VerifyService } from '../verify-service.ts';
import { renderChoicePage, renderSubmitPage, type SubmitPageParts } from './submit-page.ts';

/** What becomes of a form: a job, or a page that asks on. */
type SubmitAnswer =
  | { readonly kind: 'accepted'; readonly id: string }
  | {
      readonly kind: 'page';
      readonly statusCode: number;
      readonly page: string;
      readonly retryAfterSeconds: number | null;
    };

/** The field that a refusal of the service is about; the form as a whole for all others. */
const FIELD_OF_CODE: Partial<Record<RequestErrorCode, string>> = {
  unsupported_chain: 'chainId',
  cannot_fetch_bytecode: 'address',
};

/** Stores the job of a form, or says what is missing. */
export async function submitEntered(
  service: VerifyService,
  parts: SubmitPageParts,
  contractPages: string,
  entered: EnteredVerification,
  clientAddress: string,
): Promise<SubmitAnswer> {
  const { values, isCut, outcome } = entered;
  const chainId = (values['chainId'] ?? '').trim();
  const address = (values['address'] ?? '').trim();
  switch (outcome.kind) {
    case 'faulty':
      return aPage(400, renderSubmitPage(parts, { values, isCut, faults: outcome.faults, help: null }));
    case 'choose':
      return aPage(200, renderChoicePage(parts, { ...outcome, values }));
    case 'ready':
      break;
  }
  const creation = (values['creationTransactionHash'] ?? '').trim().toLowerCase();
  try {
    service.requireRoom(clientAddress);
    const id = await service.submit(chainId, address, {
      creationTransactionHash: creation === '' ? undefined : creation,
      clientAddress,
      read: () => outcome.submission,
      needsCode: values['kind'] === 'similarity',
    });
    return { kind: 'accepted', id };
  } catch (error) {
    if (!(error instanceof VerifyRequestError)) throw error;
    const code = error.code as RequestErrorCode;
    const faults = [{ field: FIELD_OF_CODE[code] ?? null, text: error.message }];
    const contract = `${contractPages}/${chainId}/${checksumAddress(normaliseAddress(address))}`;
    const help =
      code === 'already_verified'
        ? html`<p><a class="button" href="${contract}">View contract</a></p>`
        : null;
    const page = renderSubmitPage(parts, { values, isCut, faults, help });
    return aPage(STATUS_OF_CODE[code], page, error.retryAfterSeconds);
  }
}

function aPage(statusCode: number, page: string, retryAfterSeconds: number | null = null): SubmitAnswer {
  return { kind: 'page', statusCode, page, retryAfterSeconds };
}
