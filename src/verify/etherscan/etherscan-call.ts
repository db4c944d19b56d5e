import { isAddress } from '../address.ts';
import { type FormBody, fieldText } from '../bodies/form-body.ts';
import { invalidParameter } from '../errors.ts';
import { queryText } from '../query-text.ts';
import type { SubmissionRequest } from '../verify-service.ts';

/** A request of Etherscan's form: its parameters may stand in the query, in the body or partly in the path. */
export type EtherscanCall = ReturnType<typeof readEtherscanCall>;

/** What every answer of this form is; clients compare `result` as a whole, so what else there is to say stands beside it. */
export interface EtherscanAnswer extends Explanation {
  readonly status: '0' | '1';
  readonly message: 'OK' | 'NOTOK' | 'No records found';
  readonly result: unknown;
}

/** Why the answer is what it is, in members that the original does not have. */
export interface Explanation {
  readonly customCode?: string;
  readonly reason?: string;
}

/** What a call has beside its parameters; empty where there is none. */
interface CallOrigin extends Pick<SubmissionRequest, 'clientAddress' | 'dropBody'> {
  readonly pathChainId: string;
  readonly userAgent: string;
}

/** How many parameters, and of what length, calls may have that submit nothing. */
const [MAX_PARAMETERS, MAX_PARAMETER_LENGTH] = [64, 1024];

/** @param bodyOf gives the form for as long as it is held. */
export function readEtherscanCall(
  query: unknown,
  bodyOf: () => FormBody,
  { clientAddress = '', dropBody, pathChainId = '', userAgent = '' }: Partial<CallOrigin> = {},
) {
  let kept: FormBody | null = null;
  const text = (...names: readonly [string, ...string[]]): string => {
    for (const name of names) {
      const value = fieldText(kept ?? bodyOf(), name) ?? queryText(query, name);
      if (value !== '') return value;
    }
    return '';
  };
  return {
    /** Empty when it is absent. */
    text,
    /** Lower case. */
    module: text('module').toLowerCase(),
    action: text('action').toLowerCase(),
    /** Empty when neither path nor parameters name one. */
    chainId: pathChainId || text('chainid', 'chainId'),
    userAgent,
    clientAddress,
    /** Forgets the body, after which only the query has parameters. */
    dropBody,
    /** Forgets all of the body but its parameters. */
    keepParameters(): void {
      kept = parametersOf(bodyOf());
      dropBody?.(0);
    },
    /** Of a large body, which was read in a thread; otherwise null. */
    get submission() {
      return (kept ?? bodyOf()).submission ?? null;
    },
  };
}

function parametersOf({ fields }: FormBody): FormBody {
  const short = [...fields].filter(([name, value]) => `${name}${value}`.length <= MAX_PARAMETER_LENGTH);
  if (short.length > MAX_PARAMETERS)
    throw invalidParameter(
      `Error! A form that submits nothing must NOT have more than ${MAX_PARAMETERS} fields`,
    );
  return { fields: new Map(short), files: [] };
}

/** An answer with what was asked for. */
export function ok(result: unknown): EtherscanAnswer {
  return { status: '1', message: 'OK', result };
}

/** An answer that clients take as a refusal or as not yet. */
export function notOk(result: string, explanation: Explanation = {}): EtherscanAnswer {
  return { status: '0', message: 'NOTOK', result, ...explanation };
}

/** Reads an address under any of its names. @throws VerifyRequestError `invalid_parameter` */
export function requireAddress(call: EtherscanCall, ...names: readonly [string, ...string[]]): string {
  const address = call.text(...names);
  if (isAddress(address)) return address;
  throw invalidParameter(`Invalid Address format: ${names[0]} must be 0x and 40 hex digits`);
}

/** Texts that clients of Etherscan's form compare. @see docs/adr/0002-reference-apis-first.md */
export const TEXTS = {
  pending: 'Pending in queue',
  verified: 'Pass - Verified',
  alreadyVerified: 'Already Verified',
  alreadyVerifiedAtSubmission: 'Contract source code already verified',
  failed: 'Fail - Unable to verify',
  unknownGuid: 'Unknown UID',
  notVerified: 'Contract source code not verified',
  noCode: 'Unable to locate ContractCode at',
  noProxy: 'A corresponding implementation contract was unfortunately not detected for the proxy address.',
  noCreation: 'No data found',
  noRecords: 'No records found',
} as const;
