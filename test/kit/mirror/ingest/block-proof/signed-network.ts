import { ledgerIdOf } from '../../../../../src/mirror/ingest/block-proof/address-book/check-schnorr-proof.ts';
import type {
  ProofGeneration,
  ProofTrust,
} from '../../../../../src/mirror/ingest/block-proof/proof-verdict.ts';
import { HintsNetwork, type HintsOrder } from './hints-network.ts';
import { aRosterEntry, aSchnorrProof } from './made-rosters.ts';
import { writtenMessage } from './written-message.ts';

const POSSESSION_DOMAIN = { 1: '', 2: 'HieroTSSWrapsSchnorrKeyPoK' } as const;

/** A network of made-up nodes that signs blocks, of the generation that one likes. */
export class SignedNetwork {
  readonly trust: ProofTrust;
  readonly hints: HintsNetwork;
  readonly #addressBookProof: Uint8Array;
  readonly #generation: ProofGeneration;

  /** Weights of its nodes, from seat 0. */
  constructor(weights: readonly bigint[], generation: ProofGeneration) {
    this.#generation = generation;
    this.hints = new HintsNetwork(weights);
    const secrets = new Map(weights.map((_, seat) => [seat, BigInt(seat + 3) ** 30n]));
    const roster = weights.map((weight, seat) =>
      aRosterEntry(BigInt(seat), weight, secrets.get(seat) ?? 1n, POSSESSION_DOMAIN[generation]),
    );
    this.trust = {
      ledgerId: ledgerIdOf(roster),
      wrapsKey: null,
      roster,
      knownKeys: [],
      leastGeneration: generation,
    };
    this.#addressBookProof = aSchnorrProof({
      roster,
      secrets,
      verificationKey: this.hints.keyBytes,
      generation,
    });
  }

  /** The block signature, 2920 bytes. */
  signature(order: Omit<HintsOrder, 'generation'>): Uint8Array {
    const threshold = this.hints.sign({ ...order, generation: this.#generation });
    return Buffer.concat([this.hints.keyBytes, threshold, this.#addressBookProof]);
  }

  /** A serialized BlockProof that signs the root of the block itself. */
  directProof(blockNumber: bigint, order: Omit<HintsOrder, 'generation'>): Uint8Array {
    return writtenMessage([1, blockNumber], [2, writtenMessage([1, this.signature(order)])]);
  }
}
