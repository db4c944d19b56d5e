import type { LedgerUnit, UnitHeader } from '../../ledger/rows.ts';
import type { VerifiedUnit } from '../record-unit/verify-unit.ts';
import type { StreamUnit } from '../source/stream-source.ts';

/**
 * What is stored of a record file beside its transactions.
 *
 * @param source name of the source it came from
 */
export function unitHeader(
  source: string,
  unit: StreamUnit,
  { file, size, level }: VerifiedUnit,
  { transactions }: Pick<LedgerUnit, 'transactions'>,
): UnitHeader {
  return {
    source,
    kind: 'record',
    name: file.name,
    version: file.version,
    hapiVersion: file.hapiVersion,
    blockNumber: file.blockNumber,
    // Versions 1 and 2 allow a file without items; its name tells the time.
    consensusStart: transactions.at(0)?.consensusTimestamp ?? unit.instant,
    consensusEnd: transactions.at(-1)?.consensusTimestamp ?? unit.instant,
    hash: file.hash,
    previousHash: file.previousHash,
    fileHash: file.fileHash,
    count: transactions.length,
    size,
    verification: level,
  };
}
