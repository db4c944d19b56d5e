import { IngestError } from '../errors.ts';
import { nodeText, type UnitFiles } from '../record-file/unit-files.ts';
import type { Absence, UnitDemands } from '../units/stream-unit.ts';
import { needsSignatures, readVotes } from './node-votes.ts';

/** Tells a record file that the nodes signed and that nobody has from names that prove nothing. */
export async function absentRecord(unit: UnitFiles, demands: UnitDemands): Promise<Absence> {
  const { emptyRecords, name } = unit;
  const isEmpty = emptyRecords.length > 0;
  const nodes = await signers(unit, demands);
  return {
    error: nodes === null ? null : signedButMissing(name, isEmpty, nodes),
    reason:
      `the record file ${name} ${isEmpty ? 'has no content' : 'is missing'} and its signatures prove nothing: ` +
      'it is left out',
    rejections: isEmpty
      ? emptyRecords.map(({ node }) => ({ node: nodeText(node), code: 'empty_file' }))
      : [{ node: '', code: 'record_file_missing' }],
  };
}

/** The nodes that agree on the file; null when too few do. */
async function signers(unit: UnitFiles, demands: UnitDemands): Promise<ReadonlySet<bigint> | null> {
  if (!needsSignatures(demands)) return null;
  try {
    return (await readVotes(unit, demands)).consensus.nodeIds;
  } catch (error) {
    if (error instanceof IngestError && error.code === 'consensus_not_reached') return null;
    throw error;
  }
}

function signedButMissing(name: string, isEmpty: boolean, nodes: ReadonlySet<bigint>): IngestError {
  const what = isEmpty ? 'has no content in any copy' : 'is missing';
  return new IngestError(
    'record_file_missing',
    `The record file ${name} ${what}, but its signatures are valid (nodes ${[...nodes].join(', ')}): get a copy. ` +
      'If there is none, "ledgerlens ledger accept-gap" lets the import continue after it; ' +
      'MIRROR_START begins an empty ledger after it, MIRROR_END ends before it',
  );
}
