import { decodeEntityId, parseEntityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';

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
export function bookFromJson(bytes: Uint8Array, name: string): Uint8Array {
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
