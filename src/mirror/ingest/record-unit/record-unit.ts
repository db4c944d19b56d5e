import { IngestError, isSourceFault } from '../errors.ts';
import { nodeText, type StreamFile, type UnitFiles } from '../record-file/unit-files.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';
import { absentRecord } from './absent-record.ts';
import { CopyLinks } from './copy-links.ts';
import { needsSignatures, orderCopies, readVotes } from './node-votes.ts';
import { type VerifiedCopy, verifyCopy } from './verify-copy.ts';

/** A record file of any version, with the signatures of the nodes and its sidecars. */
export interface RecordUnit extends StreamUnit {
  readonly files: UnitFiles;
}

/** Makes a unit of what a source has about one instant. @see contracts/streams.md sections 2 to 5 */
export function createRecordUnit(files: UnitFiles): RecordUnit {
  const { instant, name, records } = files;
  const links = new CopyLinks(files);
  return {
    files,
    instant,
    name,
    isThere: records.length > 0,
    verify: (demands) => verifyRecord(files, demands),
    absence: (demands) => absentRecord(files, demands),
    async previousHash() {
      for await (const { previousHash } of links.all()) return previousHash;
      throw links.failure ?? noCopy(name);
    },
    links: () => links.all(),
  };
}

/**
 * Finds a copy that the nodes vouch for and that continues the chain.
 *
 * Copies of other nodes are tried when one is damaged; the error is that of the first copy, or the
 * gap that an intact copy shows.
 */
async function verifyRecord(files: UnitFiles, demands: UnitDemands): Promise<VerifiedUnit> {
  for (const file of files.emptyRecords) demands.onRejected?.(nodeText(file.node), 'empty_file');
  const votes = needsSignatures(demands)
    ? await readVotes(files, demands)
    : { consensus: null, rejected: [] };
  const { file, size, sidecars, sidecarRecords } = await firstIntact(
    orderCopies(files.records, votes.consensus, demands.keys),
    (copy) => verifyCopy(copy, files, votes.consensus, demands),
    files.name,
    demands,
  );
  const { blockNumber, fileHash, hapiVersion, hash, name, previousHash, version } = file;
  const verification = demands.mode === 'strict' ? 'signatures' : demands.mode;
  return {
    header: {
      kind: 'record',
      name,
      version,
      hapiVersion,
      blockNumber,
      hash,
      previousHash,
      root: null,
      isNative: false,
      fileHash,
      size,
      verification,
    },
    items: file.items,
    sidecars,
    sidecarRecords,
    tree: null,
    rejectedSignatures: votes.rejected,
  };
}

async function firstIntact(
  copies: readonly StreamFile[],
  verify: (copy: StreamFile) => Promise<VerifiedCopy>,
  name: string,
  { onRejected }: UnitDemands,
): Promise<VerifiedCopy> {
  let failure: unknown = noCopy(name);
  let fault: IngestError | null = null;
  for (const [index, copy] of copies.entries()) {
    try {
      return await verify(copy);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (isSourceFault(error)) {
        fault ??= error;
        continue;
      }
      // Of a copy that may be somewhere and is not, no node is told.
      if (error.code !== 'record_file_missing') onRejected?.(nodeText(copy.node), error.code);
      // A copy that fails the chain check alone is intact, so a gap outweighs another copy's damage.
      if (index === 0 || error.code === 'chain_mismatch') failure = error;
    }
  }
  const isGap = failure instanceof IngestError && failure.code === 'chain_mismatch';
  // A copy that could not be read may be the intact one.
  throw isGap ? failure : (fault ?? failure);
}

function noCopy(name: string): IngestError {
  return new IngestError('unreadable_file', `There is no copy of ${name}`);
}
