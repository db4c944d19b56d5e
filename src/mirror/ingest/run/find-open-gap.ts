import type { LedgerGap, LedgerGaps } from '../../ledger/ledger-gaps.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import { IngestError } from '../errors.ts';
import { decompress, parseRecordFile } from '../record-file/parse-record-file.ts';
import type { RecordFile } from '../record-file/record-file.ts';
import { sameBytes, ZERO_HASH } from '../sha384.ts';
import type { StreamSource, StreamUnit } from '../source/stream-source.ts';

/**
 * The gap at which an import of this source would stop now.
 *
 * @returns null when the source has nothing new or goes on where the ledger ends.
 * @throws IngestError when the source or the next unit cannot be read.
 */
export async function findOpenGap(
  source: StreamSource,
  repository: Pick<LedgerRepository, 'chainHash' | 'lastUnit'>,
  gaps: Pick<LedgerGaps, 'accepts'>,
): Promise<LedgerGap | null> {
  const last = await repository.lastUnit();
  const expectedHash = await repository.chainHash();
  if (last === null || expectedHash === null) return null;
  const { units } = await source.units(last.consensusEnd);
  // What is missing itself may still be signed.
  const next = units.find(({ records }) => records.length > 0);
  if (next === undefined) return null;
  const { previousHash: foundHash } = await firstReadable(next);
  if (sameBytes(foundHash, expectedHash) || sameBytes(foundHash, ZERO_HASH)) return null;
  if (gaps.accepts(expectedHash, foundHash)) return null;
  return { from: last.consensusEnd, to: next.instant, unit: next.name, expectedHash, foundHash };
}

async function firstReadable(unit: StreamUnit): Promise<RecordFile> {
  let failure: unknown = new IngestError('unreadable_file', `There is no copy of ${unit.name}`);
  for (const copy of unit.records) {
    try {
      return parseRecordFile(decompress(await copy.read(), copy.path), copy.path);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      failure = error;
    }
  }
  throw failure;
}
