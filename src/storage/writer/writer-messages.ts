import { StorageBusyError, StorageFaultError } from '../../values/storage-errors.ts';
import type { FileIdentity } from '../database-file.ts';
import type { WriteState } from '../write-state.ts';

/** What the thread of the writer is started with. */
export interface WriterSetup {
  readonly path: string;
  /** The file that the server has opened: the thread writes to no other. */
  readonly identity: FileIdentity | null;
}

/** What the thread is asked for. */
export type WriterRequest =
  | {
      readonly kind: 'write';
      readonly id: number;
      /** `area.operation` */
      readonly name: string;
      readonly args: unknown;
      /** By `monotonicMs`. */
      readonly deadline: number;
    }
  | { readonly kind: 'close' };

/** What the thread tells. */
export type WriterMessage =
  | { readonly kind: 'stored'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'state'; readonly state: WriteState };

/** An error as plain data: a clone would lose its class and its code. */
type SentError =
  | { readonly kind: 'busy' | 'fault'; readonly reason: string; readonly cause: string | null }
  | {
      readonly kind: 'other';
      readonly message: string;
      readonly code: string | null;
      readonly stack: string;
    };

export function sendError(error: unknown): SentError {
  if (error instanceof StorageBusyError) return { kind: 'busy', reason: error.reason, cause: causeOf(error) };
  if (error instanceof StorageFaultError)
    return { kind: 'fault', reason: error.reason, cause: causeOf(error) };
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const code = (error as { readonly code?: unknown } | null)?.code;
  return { kind: 'other', message, code: typeof code === 'string' ? code : null, stack };
}

export function receiveError(sent: SentError): Error {
  if (sent.kind === 'other') {
    const error = Object.assign(new Error(sent.message), sent.code === null ? {} : { code: sent.code });
    error.stack = sent.stack;
    return error;
  }
  const options = sent.cause === null ? {} : { cause: new Error(sent.cause) };
  return sent.kind === 'busy'
    ? new StorageBusyError(sent.reason, options)
    : new StorageFaultError(sent.reason, options);
}

function causeOf({ cause }: Error): string | null {
  return cause instanceof Error ? cause.message : null;
}
