/** What the libraries of live sources read of the environment: credentials and profiles, and ways to the network. */
const NAMES: readonly string[] = [
  'HOME',
  'USERPROFILE',
  'PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];
const PREFIXES: readonly string[] = ['AWS_', 'GOOGLE_', 'GRPC_'];

/** The variables that a thread with live sources may see; the product's own, with their secrets, are not among them. */
export function sourceEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => {
      const [name, value] = entry;
      const upper = name.toUpperCase();
      return (
        value !== undefined && (NAMES.includes(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix)))
      );
    }),
  );
}
