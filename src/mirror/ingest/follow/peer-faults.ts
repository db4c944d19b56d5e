import type { PeerAnswer } from './peer-request.ts';

const NO_TLS = 'it does not speak TLS: try http:// in MIRROR_FOLLOW';
/** What the codes of Node say, with the remedy. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host does not exist: check MIRROR_FOLLOW and the name server',
  EAI_AGAIN: 'the name server does not respond',
  ECONNREFUSED: 'nothing is listening there: check host and port of MIRROR_FOLLOW',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out: check firewall and proxy',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out: check firewall and proxy',
  EHOSTUNREACH: 'no route to the host: check the network of this machine',
  ENETUNREACH: 'no route to the host: check the network of this machine',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host: check MIRROR_FOLLOW',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed: add it with NODE_EXTRA_CA_CERTS if you trust it',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate comes from an unknown authority: add that with NODE_EXTRA_CA_CERTS if you trust it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes from an unknown authority: add that with NODE_EXTRA_CA_CERTS if you trust it',
  EPROTO: NO_TLS,
};
const HINTS: Readonly<Record<number, string>> = {
  400: 'it has no such endpoint: is it a mirror, and of a version that has /api/v1/blocks?',
  401: 'it requires credentials, which a follower does not have',
  403: 'it refuses this machine',
  429: 'it received too many requests',
};

/** A fault on the way to the peer, in words. */
export function describeNetworkFault(fault: unknown, timeoutMs: number): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  const cause = fault.cause instanceof Error ? fault.cause : fault;
  const code = 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('ERR_SSL_')) return NO_TLS;
  return REMEDIES[code] ?? (cause.message || fault.message);
}

/** A status that is no success, with what the peer says about it. */
export function describeStatus({ body, status }: Pick<PeerAnswer, 'status' | 'body'>): string {
  const said = /"message":\s*"([^"\\]{1,120})"/.exec(body)?.[1];
  const hint = HINTS[status];
  return `it returned ${status}${said === undefined ? '' : ` (${said})`}${hint === undefined ? '' : `: ${hint}`}`;
}
