import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import { bytes, flag, int64, number, rowTable, text } from '../../values/row-table.ts';
import type { StoredUnitHeader, VerificationLevel } from './rows.ts';

/** A row of `ledger_unit`, without what its contents made. Texts of closed sets are written by the ledger alone. */
export const UNIT_ROW = rowTable({
  /** Where it stands in the order of the network: times may step back, places ascend. */
  place: int64('place'),
  /** Its least time; of an empty one the time that it tells itself. */
  consensusStart: int64<ConsensusTimestamp>('consensus_start'),
  /** Its greatest time. */
  consensusEnd: int64<ConsensusTimestamp>('consensus_end'),
  /** The source it came from, for people and for resuming. */
  source: text('source'),
  kind: text<'record' | 'block' | 'fixture'>('kind'),
  /** File name without folders. */
  name: text('name'),
  /** Version of the record file format, also of a wrapped one; 7 for a native block, 0 where there is none. */
  version: number('version'),
  hapiVersion: text<string | null>('hapi_version'),
  /** Block number, int64, possibly negative; null when the file tells none (before version 6). */
  blockNumber: int64<bigint | null>('block_number'),
  /** What the next unit names as previous. */
  hash: bytes('hash'),
  previousHash: bytes('previous_hash'),
  /** Root of the block, also of a wrapped record file; null where nobody told it. */
  root: bytes<Uint8Array | null>('root'),
  /** Root that it names as that of the block before, where only hashes or numbers join the two; null elsewhere. */
  previousRoot: bytes<Uint8Array | null>('previous_root'),
  /** Whether it is a native block: no record file follows it any more. */
  isNative: flag('is_native'),
  fileHash: bytes('file_hash'),
  count: number('transaction_count'),
  /** Bytes as read. */
  size: number('size'),
  verification: text<VerificationLevel>('verification'),
  proof: text<string | null>('proof'),
});

/** The header in a row; what it may lack is no member of it then. */
export function unitHeader(row: object): StoredUnitHeader {
  const { previousRoot, proof, ...header } = UNIT_ROW.read(row);
  return {
    ...header,
    ...(previousRoot === null ? {} : { previousRoot }),
    ...(proof === null ? {} : { proof }),
  };
}
