import { createHash } from 'node:crypto';
import { checksumAddress } from '../address.ts';
import type { ContractRepository } from '../contracts/contract-repository.sql.ts';
import { VerifyRequestError } from '../errors.ts';
import type { JobRecord } from '../jobs/queue/job-repository.ts';
import { failureMessage } from '../model/job-failure.ts';
import type { VerifyService } from '../verify-service.ts';
import {
  type EtherscanAnswer,
  type EtherscanCall,
  type Explanation,
  notOk,
  ok,
  TEXTS,
} from './etherscan-call.ts';

/** Compilers may say a lot; clients print all of it. */
const MAX_REASON_LENGTH = 2000;

/** Tells how far a submission has come; the first time it is asked for, the answer waits for a quick end. */
export async function checkStatus(
  { service, contracts }: { readonly service: VerifyService; readonly contracts: ContractRepository },
  call: Pick<EtherscanCall, 'text' | 'userAgent'>,
  signal: AbortSignal,
): Promise<EtherscanAnswer> {
  const guid = parseGuid(call.text('guid'));
  const record = guid === null ? null : await follow(service, guid.jobId, signal);
  if (guid === null || record === null) return notOk(TEXTS.unknownGuid);
  if (record.finishedAt === null) return notOk(TEXTS.pending);
  if (record.error?.code === 'already_verified') return ok(TEXTS.alreadyVerified);
  if (record.error !== null) {
    const subject = { chainId: record.chainId, address: checksumAddress(record.address) };
    const reason = failureMessage(record.error, subject).slice(0, MAX_REASON_LENGTH);
    return failed(call, { customCode: record.error.code, reason });
  }
  const reason =
    guid.argumentsHash === null ? null : await whyArgumentsDiffer(contracts, record, guid.argumentsHash);
  return reason === null ? ok(TEXTS.verified) : failed(call, { reason });
}

/**
 * Blockscout gives a failure the status 1, and Hardhat's client for it reads the words, and so tries again, only then;
 * that for Etherscan reads them with either. forge takes status 1 for success.
 */
function failed({ userAgent }: Pick<EtherscanCall, 'userAgent'>, explanation: Explanation): EtherscanAnswer {
  return userAgent.startsWith('Hardhat')
    ? { ...ok(TEXTS.failed), ...explanation }
    : notOk(TEXTS.failed, explanation);
}

async function follow(service: VerifyService, id: string, signal: AbortSignal): Promise<JobRecord | null> {
  try {
    return (await service.follow(id, { waitMs: null, signal })).record;
  } catch (error) {
    if (error instanceof VerifyRequestError && error.code === 'job_not_found') return null;
    throw error;
  }
}

/** Null when the arguments are those on chain, or those on chain are not known. */
export async function whyArgumentsDiffer(
  contracts: Pick<ContractRepository, 'findCompiled'>,
  { chainId, address }: Pick<JobRecord, 'chainId' | 'address'>,
  argumentsHash: string,
): Promise<string | null> {
  const contract = await contracts.findCompiled(chainId, address);
  if (contract === null || contract.creation.values === null) return null;
  const actual = (contract.creation.values.constructorArguments ?? '0x').slice(2);
  if (hashArguments(actual) === argumentsHash) return null;
  const shown = actual === '' ? 'no arguments' : `0x${actual.slice(0, MAX_REASON_LENGTH)}`;
  return `The sources match and are verified, but the constructor was given ${shown}. Submit these arguments, or none.`;
}

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-([0-9a-f]{32}))?$/;
const HASH_DIGITS = 32;

/** Prints the receipt of a submission: the id of its job, and a hash of the arguments to compare at its end. */
export function printGuid(jobId: string, constructorArguments: string): string {
  return constructorArguments === '' ? jobId : `${jobId}-${hashArguments(constructorArguments)}`;
}

/** @returns null for anything that is no receipt; `argumentsHash` is null when the client named no constructor arguments. */
function parseGuid(text: string) {
  const found = FORM.exec(text);
  return found?.[1] === undefined ? null : { jobId: found[1], argumentsHash: found[2] ?? null };
}

/** @param digits hex in lower case without 0x. */
export function hashArguments(digits: string): string {
  return createHash('sha256').update(digits, 'latin1').digest('hex').slice(0, HASH_DIGITS);
}
