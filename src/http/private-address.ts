import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks that are not reached over the Internet, or not as one host: the special-purpose registry of IANA
 * (RFC 6890), with multicast and what is reserved.
 */
const IPV4_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/**
 * Global unicast. Loopback, unspecified, mapped IPv4, NAT64, unique local, link-local and multicast lie outside.
 *
 * @see RFC 4291 section 2.4
 */
const IPV6_GLOBAL = '2000::/3';

/** Within it: protocol assignments with Teredo, documentation, 6to4, which carries an IPv4 address. */
const IPV6_NETWORKS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const ipv4Private = networks(IPV4_NETWORKS, 'ipv4');
const ipv6Global = networks([IPV6_GLOBAL], 'ipv6');
const ipv6Private = networks(IPV6_NETWORKS, 'ipv6');

/**
 * Whether an address is none of the open Internet: loopback, private, link-local, shared, multicast, reserved or
 * wrapping one of those. What is no address counts as one.
 *
 * @see contracts/status.md section 11
 */
export function isPrivateAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  switch (isIP(bare)) {
    case 4:
      return ipv4Private.check(bare, 'ipv4');
    case 6:
      return !ipv6Global.check(bare, 'ipv6') || ipv6Private.check(bare, 'ipv6');
    default:
      return true;
  }
}

/** The address that stands in a URL instead of a name, without brackets; null when it has a name. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}

/** Whether it shows without asking for the name's address that a URL leads to a private one. */
export function isPrivateUrl(url: URL): boolean {
  const literal = literalAddress(url);
  // RFC 6761 section 6.3: these names stand for loopback everywhere.
  return literal === null ? /(?:^|\.)localhost\.?$/i.test(url.hostname) : isPrivateAddress(literal);
}

function networks(texts: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
