import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { isPrivateAddress } from '../../../../http/private-address.ts';
import type { Clock } from '../../../../values/clock.ts';
import { isStorageError } from '../../../../values/storage-errors.ts';
import { BLOCK_NODE_API, type RegisteredEndpoint } from '../../../ledger/registered-endpoint.ts';
import type { RegisteredNode, RegisteredNodes } from '../../../ledger/registered-nodes.sql.ts';
import type { BlockNodesSettings } from '../../units/live-source.ts';
import type { BlockNode, NodeEndpoint } from './block-node-connection.ts';

/** Addresses of a name; rejects when nobody knows it. */
export type LookUp = (host: string) => Promise<readonly string[]>;

interface DiscoveryParts {
  readonly registered: RegisteredNodes | undefined;
  readonly lookUp: LookUp | undefined;
  readonly clock: Clock;
}

const KEPT_MS = 60_000;

/** Finds the block nodes that the ledger registers now; what was found holds for a minute, and while nothing can be read. */
export function createDiscovery(
  discovery: BlockNodesSettings['discovery'],
  { clock, lookUp = systemLookUp, registered }: DiscoveryParts,
): () => Promise<readonly BlockNode[]> {
  let found: readonly BlockNode[] = [];
  let until = 0;
  return async () => {
    if (discovery === 'off' || registered === undefined || clock.now() < until) return found;
    until = clock.now() + KEPT_MS;
    try {
      found = await discoveredNodes(await registered.all(), lookUp, discovery === 'any');
    } catch (error) {
      if (!isStorageError(error)) throw error;
    }
    return found;
  };
}

const systemLookUp: LookUp = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The block nodes that a ledger registers and that push to others: those with a publisher's endpoint, and with endpoints
 * for status and stream, one for both or the first of each.
 *
 * A ledger must not point a server at its own network: a node with an address that is not public is left out.
 *
 * @param allowsPrivate for networks of one's own
 * @see contracts/streams.md section 16.4
 */
export async function discoveredNodes(
  nodes: readonly RegisteredNode[],
  lookUp: LookUp,
  allowsPrivate: boolean,
): Promise<readonly BlockNode[]> {
  const found = await Promise.all(nodes.map((node) => blockNodeOf(node, lookUp, allowsPrivate)));
  return found.filter((node) => node !== null);
}

async function blockNodeOf(
  { endpoints }: RegisteredNode,
  lookUp: LookUp,
  allowsPrivate: boolean,
): Promise<BlockNode | null> {
  const { PUBLISH, STATUS, SUBSCRIBE_STREAM } = BLOCK_NODE_API;
  const offering = (...apis: readonly number[]) =>
    endpoints.find(
      ({ apis: offered, service }) => service === 'block_node' && apis.every((api) => offered.includes(api)),
    );
  const both = offering(STATUS, SUBSCRIBE_STREAM);
  const [status, stream] = [both ?? offering(STATUS), both ?? offering(SUBSCRIBE_STREAM)];
  if (offering(PUBLISH) === undefined || status === undefined || stream === undefined) return null;
  const [statusPlace, streamPlace] = await Promise.all([
    placeOf(status, lookUp, allowsPrivate),
    placeOf(stream, lookUp, allowsPrivate),
  ]);
  if (statusPlace === null || streamPlace === null) return null;
  const { host, port } = streamPlace;
  return { name: `${isIPv6(host) ? `[${host}]` : host}:${port}`, status: statusPlace, stream: streamPlace };
}

/** Null when it has no address, or one that is not to be dialled. */
async function placeOf(
  { domainName, ipAddress, port, requiresTls }: RegisteredEndpoint,
  lookUp: LookUp,
  allowsPrivate: boolean,
): Promise<NodeEndpoint | null> {
  const host = domainName ?? ipAddress;
  if (host === null || port < 1 || port > 65_535) return null;
  const addresses = isIP(host) === 0 ? await lookUp(host).catch(() => []) : [host];
  const [address] = addresses;
  if (address === undefined || (!allowsPrivate && addresses.some(isPrivateAddress))) return null;
  // What was judged is dialled: a name may lead elsewhere a moment later.
  return { host, port, isTls: requiresTls, address };
}
