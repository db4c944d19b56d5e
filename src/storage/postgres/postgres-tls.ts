import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { SYSTEM_AUTHORITIES, TLS_FILES, TLS_PARAMETERS } from '../../values/tls-parameters.ts';

const OPTIONS = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * Takes the parameters for TLS out of the URL and reads their files, once: the driver reads them at each connection,
 * and takes `sslmode=require` for `verify-full`, other than every other client.
 *
 * @returns the URL without them, and what they mean to the driver; undefined when the URL says nothing about TLS.
 * @throws Error that says in words which file cannot be read.
 */
export function takeTlsParameters(url: string) {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const [mode, root] = [parameters.get('sslmode'), parameters.get('sslrootcert')];
  const isSilent = !TLS_PARAMETERS.some((name) => parameters.has(name));
  const ssl: ConnectionOptions = {};
  for (const name of TLS_FILES) {
    const path = parameters.get(name);
    const isFile = path !== null && path !== SYSTEM_AUTHORITIES && mode !== 'disable';
    if (isFile) ssl[OPTIONS[name]] = contentOf(name, path);
  }
  for (const name of TLS_PARAMETERS) parameters.delete(name);
  const connectionString = parameters.size === 0 ? address : `${address}?${parameters}`;
  if (isSilent || mode === 'disable') return { connectionString, ssl: isSilent ? undefined : false };
  if (mode === 'require' && root === null)
    return { connectionString, ssl: { ...ssl, rejectUnauthorized: false } };
  const isAnyHost = mode === 'require' || mode === 'verify-ca';
  return { connectionString, ssl: isAnyHost ? { ...ssl, checkServerIdentity: () => undefined } : ssl };
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`the file that ${name} names, ${path}, cannot be read (${code})`, { cause });
  }
}

const UNTRUSTED =
  'its certificate is not signed by a trusted authority: set sslrootcert in its URL to the file with the certificate to trust';

/** Codes of Node's TLS. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host: its URL must use the host name of the certificate, or sslmode=verify-ca',
};

const NEEDS_TLS = 'it accepts only connections with TLS: add sslmode=verify-full, or require, to its URL';
/** By what the driver or the server says. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /^The server does not support SSL connections/,
    'it does not offer TLS, which sslmode in its URL requires',
  ],
  [/no encryption$|SSL off$|SSL connection is required/, NEEDS_TLS],
  [
    /valid client certificate/,
    'it requires a client certificate: set sslcert and sslkey in its URL to its files',
  ],
];

/** What is wrong with the TLS of a connection that failed, in words that follow "the database"; null when it is not that. */
export function tlsFaultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  return (
    CERTIFICATE_FAULTS[code ?? ''] ?? MESSAGES.find(([pattern]) => pattern.test(error.message))?.[1] ?? null
  );
}
