import { rootOfEdge, treeBefore } from '../../../../src/mirror/ingest/block/chain-links.ts';
import { blockRoots } from '../../../../src/mirror/ingest/block/native-block.ts';
import { parseBlock } from '../../../../src/mirror/ingest/block/parse-block.ts';
import type { ProofTrust } from '../../../../src/mirror/ingest/block-proof/proof-verdict.ts';
import { ITEM } from '../../../../src/mirror/ingest/block-records/field-numbers.ts';
import { messageType } from '../../../../src/mirror/protobuf/messages.ts';
import {
  blockMessage,
  footerMessage,
  headerMessage,
  lengthField,
  numberField,
  timestampMessage,
} from './block-bytes.ts';
import { SignedNetwork } from './block-proof/signed-network.ts';

/** Blocks without transactions of a made-up network, a second apart, each signed by three of four nodes (generation 2). */
export class SignedBlocks {
  readonly network = new SignedNetwork([1n, 1n, 1n, 1n], 2);
  readonly #startNanos: bigint;
  #last: Parameters<typeof treeBefore>[0] = null;

  constructor(startNanos: bigint) {
    this.#startNanos = startNanos;
  }

  /** Hexadecimal. */
  get ledgerId(): string {
    return Buffer.from(this.network.trust.ledgerId ?? []).toString('hex');
  }

  /**
   * The next block, unpacked. The first one publishes the ledger id.
   *
   * @param signedRoot what is signed instead of the root of the block
   */
  next(signedRoot?: Uint8Array): Uint8Array {
    const number = this.#last === null ? 0n : (this.#last.blockNumber ?? 0n) + 1n;
    const tree = this.#last === null ? new Uint8Array() : treeBefore(this.#last);
    const previous = this.#last?.root ?? rootOfEdge(new Uint8Array());
    const footer = footerMessage(previous, rootOfEdge(tree ?? new Uint8Array()), new Uint8Array(48));
    const items = [
      [ITEM.header, headerMessage(number, this.#startNanos + number * 1_000_000_000n)] as const,
      ...(number === 0n ? this.#publication() : []),
      [ITEM.footer, footer] as const,
    ];
    const unsigned = blockMessage([...items, [ITEM.proof, new Uint8Array()]]);
    const root = blockRoots(parseBlock(unsigned, 'a made-up block'))[16];
    this.#last = { tree, root, blockNumber: number };
    const proof = this.network.directProof(number, { root: signedRoot ?? root, seats: [0, 1, 3] });
    return blockMessage([...items, [ITEM.proof, proof]]);
  }

  /** It fails, so later blocks know the threshold key by the chain alone. */
  #publication() {
    const time = lengthField(RESULT.consensusTimestamp, timestampMessage(this.#startNanos));
    return [
      [ITEM.signedTransaction, publication(this.network.trust)] as const,
      [ITEM.transactionResult, Buffer.concat([numberField(RESULT.status, INVALID_SIGNATURE), time])] as const,
    ];
  }
}

const RESULT = { status: 1, consensusTimestamp: 2 };
const INVALID_SIGNATURE = 7;
/** Payer 0.0.2, valid from the second 1 on. */
const TRANSACTION_ID = lengthField(1, lengthField(1, numberField(1, 1)), lengthField(2, numberField(3, 2)));

const PUBLICATION = 77;
const BODY_BYTES = 1;

function publication({ ledgerId, roster }: ProofTrust): Uint8Array {
  const type = messageType<object>('com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody');
  const body = type.encode({
    ledgerId,
    nodeContributions: roster?.map(({ key, nodeId, weight }) => ({
      nodeId: Number(nodeId),
      weight: Number(weight),
      historyProofKey: key,
    })),
  });
  return lengthField(BODY_BYTES, TRANSACTION_ID, lengthField(PUBLICATION, body));
}
