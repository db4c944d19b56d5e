/** Settings that say where clients reach the server. */
interface PublicAddress {
  /** As configured, without a slash at the end; null when it is not. */
  readonly publicUrl: string | null;
  /** What the server listens on: a name, an address or all addresses. */
  readonly host: string;
  readonly ports: readonly number[];
}

const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/** The address in links, without a slash at the end: the configured one, else that of the first port. */
export function publicUrlOf({ publicUrl, host, ports }: PublicAddress): string {
  if (publicUrl !== null) return publicUrl;
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `http://${name}:${ports[0]}`;
  // An address with a zone, such as fe80::1%eth0, has no form in a URL.
  return ALL_ADDRESSES.has(host) || !URL.canParse(url) ? `http://localhost:${ports[0]}` : url;
}
