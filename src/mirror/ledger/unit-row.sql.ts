import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { StoredUnitHeader, VerificationLevel } from './rows.ts';

/** A row of `ledger_unit`. */
export interface UnitRow {
  readonly source: string;
  readonly kind: string;
  readonly name: string;
  readonly version: bigint;
  readonly hapi_version: string | null;
  readonly block_number: bigint | null;
  readonly place: bigint;
  readonly consensus_start: bigint;
  readonly consensus_end: bigint;
  readonly hash: Buffer;
  readonly previous_hash: Buffer;
  readonly root: Buffer | null;
  readonly is_native: bigint;
  readonly file_hash: Buffer;
  readonly transaction_count: bigint;
  readonly size: bigint;
  readonly verification: string;
  readonly proof: string | null;
}

/** Texts of closed sets were written by the ledger repository alone. */
export function unitHeader(row: UnitRow): StoredUnitHeader {
  return {
    place: row.place,
    source: row.source,
    kind: row.kind as StoredUnitHeader['kind'],
    name: row.name,
    version: Number(row.version),
    hapiVersion: row.hapi_version,
    blockNumber: row.block_number,
    consensusStart: consensusTimestamp(row.consensus_start),
    consensusEnd: consensusTimestamp(row.consensus_end),
    hash: row.hash,
    previousHash: row.previous_hash,
    root: row.root,
    isNative: row.is_native === 1n,
    fileHash: row.file_hash,
    count: Number(row.transaction_count),
    size: Number(row.size),
    verification: row.verification as VerificationLevel,
    ...(row.proof === null ? {} : { proof: row.proof }),
  };
}
