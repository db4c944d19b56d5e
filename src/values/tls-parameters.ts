/** How far a connection is protected, as libpq names it, but for `allow` and `prefer`, which promise nothing. */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
/** Parameters of a database's URL that name files. */
export const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
export const TLS_PARAMETERS: readonly string[] = ['sslmode', ...TLS_FILES];
/** In the place of a file: the authorities that everybody trusts. */
export const SYSTEM_AUTHORITIES = 'system';

/** What other clients promise by these names the driver does not keep; with these values they ask for nothing. */
const UNKEPT: ReadonlyMap<string, readonly string[]> = new Map([
  ['channel_binding', ['disable', 'prefer']],
  ['target_session_attrs', ['any']],
]);

/** What is wrong with the parameters for TLS and others that promise something, in words that follow the name of the URL; null when nothing is. */
export function faultOfTlsParameters(parameters: URLSearchParams): string | null {
  const unknown = [...parameters.keys()].find(
    (name) => name.toLowerCase().startsWith('ssl') && !TLS_PARAMETERS.includes(name),
  );
  if (unknown !== undefined) {
    return `has the parameter ${unknown}, which is not supported: write ${TLS_PARAMETERS.join(', ')}`;
  }
  for (const [name, value] of parameters) {
    const allowed = UNKEPT.get(name.toLowerCase());
    if (allowed === undefined || allowed.includes(value)) continue;
    return `has the parameter ${name} with a value that is not supported: omit it, or write ${allowed.join(', ')}`;
  }
  const [mode, root] = [parameters.get('sslmode'), parameters.get('sslrootcert')];
  if (mode !== null && !MODES.includes(mode)) {
    return `has an sslmode that is not supported: write one of ${MODES.join(', ')}`;
  }
  if (mode === 'verify-ca' && (root === null || root === SYSTEM_AUTHORITIES)) {
    return 'has sslmode=verify-ca, which needs sslrootcert, the file with the certificate of the authority';
  }
  if (root === SYSTEM_AUTHORITIES && mode !== null && mode !== 'verify-full') {
    return 'has sslrootcert=system, which needs sslmode=verify-full';
  }
  return parameters.has('sslcert') === parameters.has('sslkey')
    ? null
    : 'must have sslcert and sslkey together, or neither';
}
