/** What a registered node offers at an endpoint. @see contracts/streams.md section 16.4 */
export type RegisteredService = 'block_node' | 'mirror_node' | 'rpc_relay' | 'general_service' | 'unknown';

/** Numbers of what block nodes offer. */
export const BLOCK_NODE_API = {
  OTHER: 0,
  STATUS: 1,
  PUBLISH: 2,
  SUBSCRIBE_STREAM: 3,
  STATE_PROOF: 4,
} as const;

/** One place where a registered node offers a service; stored as JSON. */
export interface RegisteredEndpoint {
  /** IPv4 or IPv6 as text; null where there is a name. */
  readonly ipAddress: string | null;
  readonly domainName: string | null;
  readonly port: number;
  readonly requiresTls: boolean;
  readonly service: RegisteredService;
  /** Of a block node: numbers of {@link BLOCK_NODE_API}, in the order of the ledger. */
  readonly apis: readonly number[];
  /** Of a general service. */
  readonly description: string | null;
}
