import type Long from 'long';
import { messageType, toBigInt } from '../protobuf/messages.ts';

/** One node of the address book that a ledger began with. */
export interface RosterEntry {
  readonly nodeId: bigint;
  readonly weight: bigint;
  /** Schnorr key with its proof of possession, 192 bytes when it is whole. */
  readonly key: Uint8Array;
}

/** What a LEDGERIDPUBLICATION says. */
export interface LedgerPublication {
  readonly ledgerId: Uint8Array;
  /** What WRAPS proofs are checked with; null when it is not published. */
  readonly wrapsKey: Uint8Array | null;
  /** In the order of the message, which is that of the seats. */
  readonly roster: readonly RosterEntry[];
}

interface PublicationBody {
  readonly ledgerId: Uint8Array;
  readonly historyProofVerificationKey: Uint8Array;
  readonly nodeContributions: readonly {
    readonly nodeId: Long;
    readonly weight: Long;
    readonly historyProofKey: Uint8Array;
  }[];
}

const PUBLICATION = messageType<PublicationBody>(
  'com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody',
);

/**
 * Reads the body of a LEDGERIDPUBLICATION.
 *
 * @returns null when it names no id.
 * @throws LedgerlensError `malformed` when the bytes are no such message.
 * @see contracts/streams.md section 12
 */
export function readLedgerPublication(body: Uint8Array): LedgerPublication | null {
  const { historyProofVerificationKey, ledgerId, nodeContributions } = PUBLICATION.decode(body);
  if (ledgerId.length === 0) return null;
  return {
    ledgerId: Uint8Array.from(ledgerId),
    wrapsKey: historyProofVerificationKey.length === 0 ? null : Uint8Array.from(historyProofVerificationKey),
    roster: nodeContributions.map(({ historyProofKey, nodeId, weight }) => ({
      nodeId: toBigInt(nodeId),
      weight: toBigInt(weight),
      key: Uint8Array.from(historyProofKey),
    })),
  };
}
