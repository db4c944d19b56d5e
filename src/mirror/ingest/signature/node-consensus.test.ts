import { describe, expect, test } from 'vitest';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import type { ConsensusRatio } from '../units/stream-unit.ts';
import { reachConsensus, type VerifiedSignature } from './node-consensus.ts';

const hash = (byte: number) => new Uint8Array(48).fill(byte);

function keys(stakes: readonly bigint[]): NodeKeys {
  return {
    nodes: stakes.map((stake, index) => ({
      nodeId: BigInt(index),
      nodeAccount: null,
      publicKey: null,
      stake,
    })),
  };
}

function vote(nodeId: number, byte: number): VerifiedSignature {
  return {
    nodeId: BigInt(nodeId),
    version: 2,
    fileHash: hash(byte),
    fileSignature: new Uint8Array(),
    metadataHash: null,
    metadataSignature: null,
  };
}

const THIRD: ConsensusRatio = [1n, 3n];
const reached = (votes: readonly VerifiedSignature[], stakes: readonly bigint[], ratio: ConsensusRatio) => {
  try {
    return reachConsensus('a.rcd', votes, keys(stakes), ratio).fileHash[0];
  } catch (error) {
    return (error as Error).message;
  }
};

describe('reachConsensus', () => {
  test.each<[string, readonly VerifiedSignature[], readonly bigint[], ConsensusRatio, unknown]>([
    ['two of four nodes', [vote(0, 1), vote(1, 1)], [0n, 0n, 0n, 0n], THIRD, 1],
    ['one of three nodes', [vote(2, 1)], [0n, 0n, 0n], THIRD, 1],
    ['the group that is large enough wins', [vote(0, 9), vote(1, 1), vote(2, 1)], [0n, 0n, 0n, 0n], THIRD, 1],
    ['a node that signs twice counts once', [vote(0, 1), vote(0, 1)], [0n, 0n, 0n, 0n], THIRD, /1\/4 stake/],
    ['stake outweighs numbers', [vote(0, 1)], [50n, 1n, 1n, 1n], THIRD, 1],
    ['nodes without stake weigh nothing', [vote(1, 1), vote(2, 1)], [50n, 0n, 0n], THIRD, /0\/50 stake/],
    ['exactly a third is enough', [vote(0, 1)], [10n, 20n], THIRD, 1],
    ['a little less is not', [vote(0, 1)], [10n, 21n], THIRD, /10\/31 stake/],
    ['ratio 0 takes one signature', [vote(1, 1)], [50n, 0n], [0n, 1n], 1],
    ['ratio 0 takes no less than one', [], [50n, 0n], [0n, 1n], /not reached for file a\.rcd with 0\/50/],
  ])('%s', (_name, votes, stakes, ratio, expected) => {
    const found = reached(votes, stakes, ratio);
    if (expected instanceof RegExp) expect(found).toMatch(expected);
    else expect(found).toBe(expected);
  });
});
