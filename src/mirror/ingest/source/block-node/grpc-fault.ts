import type { ServiceError } from '@grpc/grpc-js';
import { BlockNodeError } from './block-node-error.ts';

/** Codes of gRPC that are not the fault of the way. @see https://grpc.io/docs/guides/status-codes */
const CODES: Readonly<Record<number, readonly [fault: 'refused' | 'limit', text: string]>> = {
  5: ['refused', 'does not know the service'],
  7: ['refused', 'does not permit it'],
  8: ['limit', 'sends more than allowed, or limits its clients'],
  12: ['refused', 'does not implement the service'],
  16: ['refused', 'requires credentials'],
};
/** What the client writes around the error of a connection, whatever it was. */
const WRAPPING = /^No connection established\. Last error: (?:Error: )?|\.? *Resolution note: *$/g;
/** What an operator can do, by what the client tells. */
const REMEDIES: readonly (readonly [told: RegExp, remedy: string])[] = [
  [/ECONNREFUSED/, 'nothing is listening there: check host and port, and whether the node is running'],
  [/^Name resolution failed/, 'the host name cannot be resolved: check the name and the name server'],
  [/wrong version number/, 'it does not speak TLS: omit https://'],
  [/^Protocol error/, 'it does not speak gRPC: check the port'],
  [/self-signed|unable to verify|unable to get/i, 'its certificate is not accepted: NODE_EXTRA_CA_CERTS'],
];

/** What a failed call says about the node, with the remedy where one is known. */
export function grpcFault(error: Pick<ServiceError, 'code' | 'details' | 'message'>): BlockNodeError {
  const [fault, text] = CODES[error.code] ?? ['unreachable', 'cannot be reached'];
  const told = (error.details || error.message).replaceAll(WRAPPING, '');
  const remedy = fault === 'unreachable' ? REMEDIES.find(([pattern]) => pattern.test(told))?.[1] : undefined;
  return new BlockNodeError(fault, `${text}: ${remedy === undefined ? told : `${remedy} (${told})`}`, {
    cause: error,
  });
}
