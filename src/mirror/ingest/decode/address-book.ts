import { decodeEntityId, type EntityId, parseEntityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { accountId } from '../../items/ledger-ids.ts';
import type { AddressBookEntry, ServiceEndpoint } from '../../ledger/rows.ts';
import type {
  AccountId,
  ServiceEndpoint as EndpointMessage,
  NodeAddress,
  NodeAddressBook,
} from '../../protobuf/message-types.ts';
import { type MessageObject, messages, toBigInt } from '../../protobuf/messages.ts';

/**
 * Reads a serialized `NodeAddressBook`.
 *
 * @throws LedgerlensError `malformed` when the bytes are no book or the book has no node.
 */
export function parseAddressBook(bytes: Uint8Array): readonly AddressBookEntry[] {
  return bookEntries(messages.NodeAddressBook.decode(bytes));
}

/**
 * Reads an address book file: `.json` is the protobuf JSON form or an answer of `network/nodes`, anything else the
 * serialized message.
 *
 * @throws LedgerlensError `malformed`.
 * @see contracts/streams.md section 5, start book
 */
export function parseAddressBookFile(bytes: Uint8Array, name: string): readonly AddressBookEntry[] {
  return parseAddressBook(name.endsWith('.json') ? bookFromJson(bytes, name) : bytes);
}

/** Old books have one entry per address of a node: these are united. */
function bookEntries(book: NodeAddressBook): readonly AddressBookEntry[] {
  const entries = new Map<bigint, AddressBookEntry>();
  for (const address of book.nodeAddress) {
    const entry = bookEntry(address);
    const first = entries.get(entry.nodeId);
    entries.set(entry.nodeId, first === undefined ? entry : unite(first, entry));
  }
  if (entries.size === 0) throw new LedgerlensError('malformed', 'an address book without nodes');
  return [...entries.values()];
}

/** What at least one node of a book on ledger must be. @see contracts/mirror-network.md section 7, address books */
export function isValidNode({ nodeAccount, publicKey, serviceEndpoints }: AddressBookEntry): boolean {
  const hasAddress = serviceEndpoints.some(
    ({ domainName, ipAddressV4 }) => domainName !== '' || ipAddressV4 !== '',
  );
  return nodeAccount !== null && nodeAccount !== 0n && (publicKey !== null || hasAddress);
}

function bookEntry(address: NodeAddress): AddressBookEntry {
  const memo = text(address.memo);
  const nodeAccount = accountOfNode(address.nodeAccountId, memo);
  return {
    nodeId: nodeIdOf(toBigInt(address.nodeId), nodeAccount),
    nodeAccount,
    description: address.description === '' ? null : address.description,
    memo: memo === '' ? null : memo,
    publicKey: address.RSA_PubKey === '' ? null : address.RSA_PubKey,
    nodeCertHash: address.nodeCertHash.length === 0 ? null : address.nodeCertHash,
    serviceEndpoints: endpoints(address),
  };
}

/** The books of 2019 to 2021 have the account in the memo. */
function accountOfNode(id: AccountId | null, memo: string): EntityId | null {
  return accountId(id) ?? parseEntityId(memo);
}

/** The same books have node id 0 everywhere: accounts 0.0.4 to 0.0.19 belong to nodes 1 to 16. */
function nodeIdOf(nodeId: bigint, account: EntityId | null): bigint {
  if (nodeId !== 0n || account === null) return nodeId;
  const { num } = decodeEntityId(account);
  return num > 3n && num < 20n ? num - 3n : nodeId;
}

function endpoints(address: NodeAddress): readonly ServiceEndpoint[] {
  const old = text(address.ipAddress);
  const first = old === '' ? [] : [{ domainName: '', ipAddressV4: old, port: address.portno }];
  return [...first, ...address.serviceEndpoint.map(endpointOf)];
}

function unite(first: AddressBookEntry, next: AddressBookEntry): AddressBookEntry {
  const known = new Set(first.serviceEndpoints.map((endpoint) => JSON.stringify(endpoint)));
  const added = next.serviceEndpoints.filter((endpoint) => !known.has(JSON.stringify(endpoint)));
  return {
    ...first,
    nodeAccount: first.nodeAccount ?? next.nodeAccount,
    publicKey: first.publicKey ?? next.publicKey,
    serviceEndpoints: [...first.serviceEndpoints, ...added],
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** The members of a node in an answer of `network/nodes` that a book holds. */
interface ToldNode {
  readonly node_id?: number;
  readonly node_account_id?: string | null;
  readonly description?: string | null;
  readonly memo?: string | null;
  readonly public_key?: string | null;
  readonly node_cert_hash?: string | null;
  readonly service_endpoints?: readonly ToldEndpoint[];
}

interface ToldEndpoint {
  readonly domain_name?: string;
  readonly ip_address_v4?: string;
  readonly port?: number;
}

interface BookJson {
  readonly nodeAddress?: readonly MessageObject[];
  readonly nodes?: readonly ToldNode[];
  readonly links?: { readonly next?: string | null };
}

/**
 * The serialized `NodeAddressBook` of a JSON file: its protobuf JSON form, or the answer of a mirror.
 *
 * @throws LedgerlensError `malformed`.
 */
function bookFromJson(bytes: Uint8Array, name: string): Uint8Array {
  try {
    const { links, nodeAddress = [], nodes } = JSON.parse(Buffer.from(bytes).toString('utf8')) as BookJson;
    if (nodes === undefined)
      return messages.NodeAddressBook.encode({ nodeAddress: nodeAddress.map(ofProtobuf) });
    if (links?.next != null) {
      throw new LedgerlensError('malformed', `${name} is one of several pages: request it with limit=100`);
    }
    return messages.NodeAddressBook.encode({ nodeAddress: nodes.map(ofMirror) });
  } catch (cause) {
    if (cause instanceof LedgerlensError) throw cause;
    throw new LedgerlensError('malformed', `${name} is not an address book in JSON`, { cause });
  }
}

function ofProtobuf({ RSAPubKey, ...node }: MessageObject): MessageObject {
  return { ...node, RSA_PubKey: RSAPubKey ?? '' };
}

function ofMirror(node: ToldNode): MessageObject {
  const account = parseEntityId(node.node_account_id ?? '');
  if (account === null || node.node_id === undefined) throw new Error('node_id or node_account_id');
  const { num, realm, shard } = decodeEntityId(account);
  return {
    nodeId: node.node_id,
    nodeAccountId: { shardNum: shard, realmNum: realm, accountNum: num },
    description: node.description ?? '',
    memo: Buffer.from(node.memo ?? '', 'utf8'),
    RSA_PubKey: bare(node.public_key),
    nodeCertHash: Buffer.from(bare(node.node_cert_hash), 'utf8'),
    serviceEndpoint: (node.service_endpoints ?? []).map(({ domain_name, ip_address_v4 = '', port }) => ({
      domainName: domain_name ?? '',
      ipAddressV4:
        ip_address_v4 === '' ? new Uint8Array() : Uint8Array.from(ip_address_v4.split('.').map(Number)),
      port: port ?? 0,
    })),
  };
}

function bare(hex: string | null | undefined): string {
  return (hex ?? '').replace(/^0x/, '');
}

/** An endpoint with its address as text; members that the ledger does not give are empty. */
export function endpointOf({ ipAddressV4, port, domainName }: EndpointMessage): ServiceEndpoint {
  return { domainName, ipAddressV4: ipAddressV4.length === 4 ? [...ipAddressV4].join('.') : '', port };
}
