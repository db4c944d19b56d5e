import { decodeEntityId, type EntityId, parseEntityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { accountId } from '../../items/ledger-ids.ts';
import type { AddressBookEntry, ServiceEndpoint } from '../../ledger/rows.ts';
import type { AccountId, NodeAddress, NodeAddressBook } from '../../protobuf/message-types.ts';
import { messages, toBigInt } from '../../protobuf/messages.ts';
import { bookFromJson } from './book-from-json.ts';
import { endpointOf } from './service-endpoint.ts';

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
