import { createHash } from 'node:crypto';

/** What a receipt stands for. */
interface Guid {
  readonly jobId: string;
  /** Null when the client named no constructor arguments. */
  readonly argumentsHash: string | null;
}

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-([0-9a-f]{32}))?$/;
const HASH_DIGITS = 32;

/** Prints the receipt of a submission: the id of its job, and a hash of the arguments to compare at its end. */
export function printGuid(jobId: string, constructorArguments: string): string {
  return constructorArguments === '' ? jobId : `${jobId}-${hashArguments(constructorArguments)}`;
}

/** @returns null for anything that is no receipt. */
export function parseGuid(text: string): Guid | null {
  const found = FORM.exec(text);
  return found?.[1] === undefined ? null : { jobId: found[1], argumentsHash: found[2] ?? null };
}

/** @param digits hex in lower case without 0x. */
export function hashArguments(digits: string): string {
  return createHash('sha256').update(digits, 'latin1').digest('hex').slice(0, HASH_DIGITS);
}
