import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** Which proxies are believed: none, so many of them in front, or those of these addresses and networks. */
export type TrustedProxies = boolean | number | readonly string[];

/** Tells the address of the client, as the router's `request.ip` does. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

export function clientAddresses(trusted: TrustedProxies): ClientAddress {
  if (trusted === false || trusted === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = trustOf(trusted);
  return ({ headers, socket }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    let address = socket.remoteAddress ?? '';
    for (let hop = 0; hop < forwarded.length; hop += 1) {
      const before = forwarded.at(-1 - hop)?.trim() ?? '';
      if (before === '' || !isTrusted(address, hop)) break;
      address = before;
    }
    return address;
  };
}

function trustOf(trusted: Exclude<TrustedProxies, false>): (address: string, hop: number) => boolean {
  if (trusted === true) return () => true;
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const list = new BlockList();
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** What counts as one client: an IPv4 address, or the network of 64 bits that one customer has of IPv6. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.toLowerCase().split('%');
  const [before = '', after] = plain.split('::');
  const first = before.split(':').filter((group) => group !== '');
  const last = (after ?? '').split(':').filter((group) => group !== '');
  // An IPv4 address at the end stands for two groups.
  const lastGroups = last.length + (last.at(-1)?.includes('.') ? 1 : 0);
  const zeros = after === undefined ? 0 : Math.max(0, 8 - first.length - lastGroups);
  const groups = [...first, ...new Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
