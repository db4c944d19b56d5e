/**
 * Where a ledger is followed from, as the operator chose it: plain data, so that it can be sent to a thread.
 *
 * Each kind is made into a `StreamSource` by the factory of its folder.
 *
 * @see docs/adr/0020-sources.md, contracts/streams.md section 1
 */
export type LiveSource = BucketSettings | BlockNodesSettings | MirrorSettings;

/** An S3-compatible bucket. @see contracts/streams.md section 8 */
export interface BucketSettings {
  readonly kind: 'bucket';
  /** For people and for the stored units: `s3://bucket/prefix`. */
  readonly name: string;
  readonly content: 'records' | 'blocks';
  readonly bucket: string;
  /** Without slashes at its ends; empty for the top of the bucket. */
  readonly prefix: string;
  /** Null for the provider's own. */
  readonly endpoint: string | null;
  /** Null for the usual one. */
  readonly region: string | null;
  readonly access: BucketAccess;
}

/** Who pays and whether requests are signed; `auto` leaves it to what the bucket answers. */
type BucketAccess = 'auto' | 'requester-pays' | 'anonymous';

/** Nodes that push blocks. @see contracts/streams.md section 17 */
export interface BlockNodesSettings {
  readonly kind: 'block-nodes';
  readonly name: string;
  /** In order of preference. */
  readonly nodes: readonly BlockNodeAddress[];
  /** Which nodes that the ledger registers are asked after those: none, those with public addresses, any. */
  readonly discovery: 'off' | 'public' | 'any';
  /** Where an empty ledger begins; −1: with the first block of the node that is chosen. Default null: with block 0, or by time. */
  readonly firstBlock?: bigint | null;
}

/** One block node. */
export interface BlockNodeAddress {
  /** For people: `host:port`. */
  readonly name: string;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly streamPort: number;
  readonly statusPort: number;
  readonly isTls: boolean;
}

/** Another mirror, whose answers are believed. @see contracts/streams.md section 10 */
export interface MirrorSettings {
  readonly kind: 'mirror';
  /** The URL. */
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
}
