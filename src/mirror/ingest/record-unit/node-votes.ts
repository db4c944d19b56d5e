import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import { nodeText, type StreamFile, type UnitFiles } from '../record-file/unit-files.ts';
import {
  type Consensus,
  countVotes,
  fewestSigners,
  knownKeys,
  nodeWeights,
  reachConsensus,
  type VerifiedSignature,
  type VoteCount,
  verifySignatureFile,
} from '../signature/node-consensus.ts';
import type { RejectedSignature, UnitDemands } from '../units/stream-unit.ts';

/** On what the nodes agree, as their signature files say. */
export interface NodeVotes {
  /** Null when no signatures were asked for. */
  readonly consensus: Consensus | null;
  readonly rejected: readonly RejectedSignature[];
}

/** Whether the nodes' signatures are what a unit is proven by. */
export function needsSignatures({ mode }: UnitDemands): boolean {
  return mode === 'signatures' || mode === 'strict';
}

/** Signatures that are read at the same time where reading stops early. */
const AT_A_TIME = 4;
/** Where all signatures are read nothing is weighed before the end. */
const NOT_COUNTED: VoteCount = { consensus: null, best: 0n };

/**
 * Reads the signature files of a unit, as many as the source wants to give, and weighs those that hold.
 *
 * @throws IngestError `consensus_not_reached`, or why the source could not be read when that may be the reason.
 * @see contracts/streams.md section 5
 */
export async function readVotes(
  { name, readsFewSignatures = false, signatures }: UnitFiles,
  { consensusRatio, keys, onRejected }: UnitDemands,
): Promise<NodeVotes & { readonly consensus: Consensus }> {
  const known = knownKeys(name, keys);
  const weights = nodeWeights(known.nodes, consensusRatio);
  const verified: VerifiedSignature[] = [];
  const rejected: RejectedSignature[] = [];
  let fault: IngestError | null = null;
  const take = async (file: StreamFile): Promise<void> => {
    try {
      verified.push(verifySignatureFile(file, await file.read(), known));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (isSourceFault(error)) {
        fault ??= error;
        return;
      }
      // Not there yet: nothing that a node did wrong.
      if (error.code === 'signature_missing') return;
      onRejected?.(nodeText(file.node), error.code);
      rejected.push({ file: file.path, code: error.code, message: error.message });
    }
  };
  for (let at = 0; at < signatures.length; ) {
    const rest = signatures.slice(at);
    const { best, consensus } = readsFewSignatures ? countVotes(verified, weights) : NOT_COUNTED;
    if (consensus !== null) return { consensus, rejected };
    const signers = rest.map(({ node }) => node);
    const wanted = readsFewSignatures
      ? Math.min(AT_A_TIME, fewestSigners(signers, known.nodes, weights, weights.required - best))
      : 1;
    await Promise.all(rest.slice(0, wanted).map(take));
    at += wanted;
  }
  try {
    return { consensus: reachConsensus(name, verified, known, consensusRatio), rejected };
  } catch (error) {
    // Signatures that could not be read do not show that there are too few.
    throw fault ?? error;
  }
}

/** Nodes of the group that agreed come first; a copy of unknown origin may still be the signed file. */
export function orderCopies(
  copies: readonly StreamFile[],
  consensus: Consensus | null,
  keys: NodeKeys | null,
): readonly StreamFile[] {
  if (consensus === null) return copies;
  const isInGroup = ({ node }: StreamFile): boolean => {
    if (node === null) return false;
    if (node.kind === 'node') return consensus.nodeIds.has(node.nodeId);
    const found = keys?.nodes.find(({ nodeAccount }) => nodeAccount === node.account);
    return found !== undefined && consensus.nodeIds.has(found.nodeId);
  };
  return [...copies.filter(isInGroup), ...copies.filter((copy) => !isInGroup(copy))];
}
