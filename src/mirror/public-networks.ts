/** What is known of a network by its name alone; everything can be replaced by a variable. */
export interface PublicNetwork {
  /** Of record files. */
  readonly bucket: string;
  /** Of recent blocks. */
  readonly blockBucket: string;
  readonly access: 'requester-pays' | 'anonymous';
  /** As in `MIRROR_BLOCK_NODES`. */
  readonly blockNodes: string;
  /** Least generation of a block proof that is not refused. */
  readonly leastGeneration: 1 | 2;
  /** Where an empty ledger begins, unless `MIRROR_START` says. */
  readonly start: 'now' | 'genesis';
  /** Of its EVM. */
  readonly chainId: bigint;
}

/** The ports of public block nodes: status, then the stream of blocks. */
const blockNodes = (...hosts: readonly string[]): string =>
  hosts.map((host) => `40982@${host}:40980`).join(',');

/**
 * The public networks as of August 2026: names and addresses change.
 *
 * @see contracts/streams.md sections 8, 16.5 and 18.2
 */
const PUBLIC_NETWORKS: Readonly<Record<string, PublicNetwork>> = {
  mainnet: {
    bucket: 's3://hedera-mainnet-streams',
    blockBucket: 's3://hedera-mainnet-recent-block-streams',
    access: 'requester-pays',
    blockNodes: blockNodes(
      '91.242.214.237',
      '46.21.97.212',
      '162.43.189.97',
      '163.114.159.114',
      '82.223.201.227',
    ),
    leastGeneration: 2,
    start: 'now',
    chainId: 0x127n,
  },
  testnet: {
    bucket: 's3://hedera-testnet-streams-2024-02',
    blockBucket: 's3://hedera-testnet-recent-block-streams',
    access: 'requester-pays',
    blockNodes: blockNodes(
      's01.test.blk.ams.lat.ope.eng.hashgraph.io',
      's01.test.blk.sgp.lat.ope.eng.hashgraph.io',
      's01.test.blk.chi.lat.ope.eng.hashgraph.io',
      'lfh01.testnet.blocknode.hashgraph-devops.com',
    ),
    leastGeneration: 2,
    start: 'now',
    chainId: 0x128n,
  },
  previewnet: {
    bucket: 's3://hedera-preview-testnet-streams',
    blockBucket: 's3://hedera-previewnet-recent-block-streams',
    access: 'requester-pays',
    blockNodes: blockNodes(
      'lfh01.previewnet.blocknode.hashgraph-devops.com',
      'lfh02.previewnet.blocknode.hashgraph-devops.com',
    ),
    leastGeneration: 1,
    start: 'now',
    chainId: 0x129n,
  },
  // Record files of 2019 alone.
  demo: {
    bucket: 's3://hedera-demo-streams',
    blockBucket: '',
    access: 'anonymous',
    blockNodes: '',
    leastGeneration: 1,
    start: 'genesis',
    chainId: 0x12an,
  },
};

/** The network of that name; null for `none`. */
export function publicNetwork(name: string): PublicNetwork | null {
  return PUBLIC_NETWORKS[name] ?? null;
}
