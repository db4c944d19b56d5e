import { appendTable, type Columns, insertTable } from '../../../values/stored-tables.ts';
import type { BlockGas } from '../../evm/block-gas.ts';
import { trimmed } from '../../evm/bytes.ts';
import type { FoldState } from '../fold/fold-state.ts';
import { type LedgerUnit, UNIT_ROW } from '../rows.ts';

const UNIT = insertTable('ledger_unit', 1, [...UNIT_ROW.columns, 'gas_used', 'logs_bloom', 'receipts_root']);
const SIDECAR = insertTable('sidecar', 2, ['place', 'id', 'types', 'hash', 'contents']);
const TX_PLACE = appendTable('tx_place', 1, ['consensus_ts', 'place', 'seq']);
const TYPE_BITS = 63;
/** Known to be without contract results, which null would not tell. */
const NONE = new Uint8Array();

/**
 * The unit itself, its sidecars as they came, and its transactions where time does not tell whose they are.
 *
 * @param before place of the unit before; null for the first
 */
export function addUnitRows(
  { gas, header, sidecars, transactions }: LedgerUnit,
  number: bigint | null,
  { before, place }: { readonly before: bigint | null; readonly place: bigint },
  state: FoldState,
): void {
  for (const { contents, hash, id, types } of sidecars) {
    state.append(SIDECAR, [place, id, typeBits(types), hash, contents]);
  }
  if (header.kind !== 'fixture' && !areInOrder(transactions, before)) {
    const times = new Set(transactions.map(({ consensusTimestamp }) => consensusTimestamp));
    for (const [seq, at] of [...times].entries()) state.append(TX_PLACE, [at, place, BigInt(seq)]);
  }
  const { previousRoot = null, proof = null } = header;
  const row = { ...header, place, blockNumber: number, previousRoot, proof };
  state.append(UNIT, [...UNIT_ROW.values(row), ...gasColumns(gas)]);
}

function areInOrder(transactions: LedgerUnit['transactions'], before: bigint | null): boolean {
  let last = before;
  for (const { consensusTimestamp: at } of transactions) {
    if (last !== null && at <= last) return false;
    last = at;
  }
  return true;
}

/** The columns `gas_used`, `logs_bloom` and `receipts_root`, which has no bytes where all are zero. */
export function gasColumns(
  gas: BlockGas | null,
): Columns & readonly [bigint | null, Uint8Array | null, Uint8Array | null] {
  if (gas === null) return [null, null, null];
  const { bloom, receiptsRoot: root, used } = gas;
  return [used, bloom ?? NONE, root === null ? null : trimmed(root).length === 0 ? NONE : root];
}

/** The numbers whose bits are set. */
export function typesOf(bits: bigint): readonly number[] {
  return Array.from({ length: TYPE_BITS }, (_, type) => type).filter((type) => (bits >> BigInt(type)) & 1n);
}

/** Numbers that this build does not know have a bit too, up to those that an int64 has. */
function typeBits(types: readonly number[]): bigint {
  return types.reduce(
    (bits, type) => (type >= 0 && type < TYPE_BITS ? bits | (1n << BigInt(type)) : bits),
    0n,
  );
}
