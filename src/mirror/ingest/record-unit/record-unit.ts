import { IngestError, isSourceFault } from '../errors.ts';
import { nodeText, type StreamFile, type UnitFiles } from '../record-file/unit-files.ts';
import type { Absence, StreamUnit, UnitDemands, UnitLink, VerifiedUnit } from '../units/stream-unit.ts';
import {
  needsSignatures,
  orderCopies,
  readIntact,
  readVotes,
  type VerifiedCopy,
  verifyCopy,
} from './verify-copy.ts';

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

/** Of a copy that fails the chain check alone, which is intact: they outweigh another copy's damage, a gap most. */
const CHAIN_FAULTS: readonly string[] = ['fork', 'chain_mismatch'];

async function firstIntact(
  copies: readonly StreamFile[],
  verify: (copy: StreamFile) => Promise<VerifiedCopy>,
  name: string,
  { onRejected }: UnitDemands,
): Promise<VerifiedCopy> {
  let failure: unknown = noCopy(name);
  let rank = -2;
  let fault: IngestError | null = null;
  for (const copy of copies) {
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
      const found = CHAIN_FAULTS.indexOf(error.code);
      if (found > rank) [failure, rank] = [error, found];
    }
  }
  // A copy that could not be read may be the intact one.
  throw CHAIN_FAULTS[rank] === 'chain_mismatch' ? failure : (fault ?? failure);
}

function noCopy(name: string): IngestError {
  return new IngestError('unreadable_file', `There is no copy of ${name}`);
}

/** Tells a record file that the nodes signed and that nobody has from names that prove nothing. */
async function absentRecord(unit: UnitFiles, demands: UnitDemands): Promise<Absence> {
  const { emptyRecords, name } = unit;
  const isEmpty = emptyRecords.length > 0;
  const nodes = await signers(unit, demands);
  return {
    error: nodes === null ? null : signedButMissing(name, isEmpty, nodes),
    reason:
      `the record file ${name} ${isEmpty ? 'has no content' : 'is missing'}, and its signatures prove nothing: ` +
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

/** Where the copies of a record file say that it stands: each is read once, when its turn comes. */
class CopyLinks {
  /** Why the first copy that tells nothing does not; that it could not be read outweighs its damage. */
  failure: IngestError | null = null;
  readonly #files: UnitFiles;
  readonly #known: UnitLink[] = [];
  #read = 0;

  constructor(files: UnitFiles) {
    this.#files = files;
  }

  /** Of the intact copies alone: what a damaged one says is nothing. */
  async *all(): AsyncGenerator<UnitLink> {
    for (let index = 0; ; index++) {
      while (index >= this.#known.length && this.#read < this.#files.records.length) await this.#readNext();
      const link = this.#known[index];
      if (link === undefined) return;
      yield link;
    }
  }

  async #readNext(): Promise<void> {
    const copy = this.#files.records[this.#read++];
    if (copy === undefined) return;
    try {
      this.#known.push(await readIntact(copy));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (this.failure === null || (isSourceFault(error) && !isSourceFault(this.failure)))
        this.failure = error;
    }
  }
}
