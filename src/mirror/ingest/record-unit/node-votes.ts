import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import { nodeText, type StreamFile, type UnitFiles } from '../record-file/unit-files.ts';
import {
  type Consensus,
  reachConsensus,
  type VerifiedSignature,
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

/**
 * Reads the signature files of a unit and weighs those that hold.
 *
 * @throws IngestError `consensus_not_reached`, or why the source could not be read when that may be the reason.
 * @see contracts/streams.md section 5
 */
export async function readVotes(
  { name, signatures }: UnitFiles,
  { consensusRatio, keys, onRejected }: UnitDemands,
): Promise<NodeVotes & { readonly consensus: Consensus }> {
  if (keys === null) {
    throw new IngestError(
      'consensus_not_reached',
      `Consensus not reached for file ${name}: no address book is known, name one with MIRROR_ADDRESS_BOOK or --address-book`,
    );
  }
  const verified: VerifiedSignature[] = [];
  const rejected: RejectedSignature[] = [];
  let fault: IngestError | null = null;
  for (const file of signatures) {
    try {
      verified.push(verifySignatureFile(file, await file.read(), keys));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (isSourceFault(error)) {
        fault ??= error;
        continue;
      }
      onRejected?.(nodeText(file.node), error.code);
      rejected.push({ file: file.path, code: error.code, message: error.message });
    }
  }
  try {
    return { consensus: reachConsensus(name, verified, keys, consensusRatio), rejected };
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
