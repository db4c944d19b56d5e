import { isUtf8 } from 'node:buffer';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import type { ServiceEndpoint } from '../ledger/rows.ts';
import type { NetworkNode } from './network-repository.ts';
import { stakingPeriod } from './staking-period.ts';

/** One item of `GET /api/v1/network/nodes`. @see contracts/mirror-network.md section 5, fields */
export function nodeDocument(node: NetworkNode, file: bigint): ExactJson {
  const { settings, stake } = node;
  const adminKey = keyJson(settings?.adminKey ?? null);
  const account = settings?.account ?? node.bookAccount;
  return {
    admin_key: adminKey === null ? null : { ...adminKey },
    associated_registered_nodes: settings?.associatedRegisteredNodes ?? [],
    decline_reward: settings?.declineReward ?? null,
    description: node.description,
    file_id: printEntityId(file),
    grpc_proxy_endpoint: settings?.grpcProxyEndpoint == null ? null : endpoint(settings.grpcProxyEndpoint),
    max_stake: bound(stake?.maxStake),
    memo: node.memo,
    min_stake: bound(stake?.minStake),
    node_account_id: printIdOrNull(account),
    node_cert_hash: prefixed(certHashText(node.nodeCertHash ?? new Uint8Array())),
    node_id: node.nodeId,
    public_key: prefixed(node.publicKey ?? ''),
    reward_rate_start: stake?.rewardRate ?? null,
    service_endpoints: [...node.serviceEndpoints].sort(byAddress).map(endpoint),
    stake: stake?.stake ?? null,
    stake_not_rewarded: bound(stake?.stakeNotRewarded),
    stake_rewarded: stake?.stakeRewarded ?? null,
    staking_period: stake === null ? null : { ...stakingPeriod(stake.stakingPeriodEnd) },
    timestamp: { from: printTimestamp(node.bookStart), to: null },
  };
}

/** A stored −1 means none. */
function bound(amount: bigint | undefined): bigint | null {
  return amount === undefined || amount === -1n ? null : amount;
}

/** The bytes are the hash as hexadecimal text; others are no hash. */
function certHashText(bytes: Uint8Array): string {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : '';
}

/** Some books carry the prefix already. */
function prefixed(hex: string): string {
  return hex.startsWith('0x') ? hex : `0x${hex}`;
}

function endpoint({ domainName, ipAddressV4, port }: ServiceEndpoint): ExactJson {
  return { domain_name: domainName, ip_address_v4: ipAddressV4, port };
}

function byAddress(a: ServiceEndpoint, b: ServiceEndpoint): number {
  if (a.ipAddressV4 !== b.ipAddressV4) return a.ipAddressV4 < b.ipAddressV4 ? -1 : 1;
  return a.port - b.port;
}
