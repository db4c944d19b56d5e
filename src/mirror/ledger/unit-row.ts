import { bytes, flag, int64, number, rowTable, text } from '../../values/row-table.ts';
import type { StoredUnitHeader } from './rows.ts';

/** A row of `ledger_unit`, without what its contents made. Texts of closed sets are written by the ledger alone. */
export const UNIT_ROW = rowTable<Required<StoredUnitHeader>>({
  place: int64('place'),
  consensusStart: int64('consensus_start'),
  consensusEnd: int64('consensus_end'),
  source: text('source'),
  kind: text('kind'),
  name: text('name'),
  version: number('version'),
  hapiVersion: text('hapi_version'),
  blockNumber: int64('block_number'),
  hash: bytes('hash'),
  previousHash: bytes('previous_hash'),
  root: bytes('root'),
  isNative: flag('is_native'),
  fileHash: bytes('file_hash'),
  count: number('transaction_count'),
  size: number('size'),
  verification: text('verification'),
  proof: text('proof'),
});

/** The header in a row; units without a proof have no member of it. */
export function unitHeader(row: object): StoredUnitHeader {
  const { proof, ...header } = UNIT_ROW.read(row);
  return proof === null ? header : { ...header, proof };
}
