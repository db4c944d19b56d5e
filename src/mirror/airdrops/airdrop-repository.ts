import type { PageRequest } from '../parameters/page-parameters.ts';
import type { PartConditions } from '../parameters/two-part-key.ts';

/** A token that waits for its receiver. */
export interface PendingAirdrop {
  readonly sender: bigint;
  readonly receiver: bigint;
  readonly token: bigint;
  /** 0 for a fungible token. */
  readonly serial: bigint;
  /** Null for an NFT. */
  readonly amount: bigint | null;
  /** Since the last change, nanoseconds. */
  readonly since: bigint;
}

/** The airdrops of one account, by the other account, token and serial number. */
export interface AirdropSelection extends PageRequest {
  /** Whether the account sends or receives. */
  readonly side: 'sender' | 'receiver';
  readonly account: bigint;
  /** On the other account, the token and the serial number. */
  readonly conditions: readonly PartConditions[];
}

/** Reads the airdrops that wait. */
export interface AirdropRepository {
  page(selection: AirdropSelection): Promise<readonly PendingAirdrop[]>;
}
