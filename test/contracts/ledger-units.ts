import { type FixtureRows, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';

/** 2023-11-14 22:13:20 UTC, 1 min 40 s before a quarter of an hour ends. */
export const START = 1_700_000_000_000_000_000n;
export const MINUTE = 60_000_000_000n;

/** A unit as a record file gives it; blocks and chains of hashes are made of these alone. */
export function recordUnit(
  name: string,
  rows: FixtureRows,
  header: Partial<LedgerUnit['header']> = {},
): LedgerUnit {
  const unit = fixtureUnit(name, rows);
  return { ...unit, header: { ...unit.header, kind: 'record', blockNumber: 0n, ...header } };
}
