import type { BlockGas } from '../../evm/block-gas.ts';
import {
  count,
  FixtureFault,
  type FixtureObject,
  hex,
  integer,
  object,
  required,
  text,
  time,
} from '../../items/fixture-members.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { IngestError } from '../errors.ts';
import { sameBytes, ZERO_HASH } from '../sha384.ts';

const HASH_BYTES = 48;
const RECEIPTS_ROOT_BYTES = 32;

/** @throws FixtureFault when a member is missing or wrong. */
export function readPeerBlock(row: FixtureObject) {
  const times = required(row, 'timestamp', object);
  const block = {
    number: required(row, 'number', integer),
    name: required(row, 'name', text),
    hash: required(row, 'hash', hash),
    previousHash: required(row, 'previous_hash', hash),
    /** Consensus times of its first and last transaction. */
    from: required(times, 'from', time),
    to: required(times, 'to', time),
    /** Transactions. */
    count: required(row, 'count', count),
    /** Bytes; 0 when it is not told. */
    size: count(row, 'size') ?? 0,
    hapiVersion: text(row, 'hapi_version'),
    gas: gasOf(row),
  };
  if (block.to < block.from) throw new FixtureFault('"timestamp" ends before it begins');
  return block;
}

/** A block as another mirror tells it. @see contracts/mirror-roadmap.md, blocks */
export type PeerBlock = Readonly<ReturnType<typeof readPeerBlock>>;

/**
 * Whether a network began with it and its transfers bring the supply into being, so that every balance follows from
 * transfers. The first block of the main network does not: its accounts were there before.
 */
export function beginsLedger(
  { number, previousHash }: Pick<PeerBlock, 'number' | 'previousHash'>,
  transactions: readonly Pick<LedgerTransaction, 'transfers'>[],
): boolean {
  if (number !== 0n || !sameBytes(previousHash, ZERO_HASH)) return false;
  let supply = 0n;
  for (const { transfers } of transactions) for (const { amount } of transfers) supply += amount;
  return supply > 0n;
}

/** True for the name of a record file; others are of blocks. @see contracts/streams.md section 3 */
export function isRecordFile({ name }: Pick<PeerBlock, 'name'>): boolean {
  return /\.rcd(\.gz)?$/.test(name);
}

function hash(row: FixtureObject, name: string): Uint8Array | null {
  return hex(row, name, HASH_BYTES);
}

function gasOf(row: FixtureObject): BlockGas | null {
  const used = integer(row, 'gas_used');
  const bloom = hex(row, 'logs_bloom');
  const receiptsRoot = hex(row, 'receipts_root', RECEIPTS_ROOT_BYTES);
  return used === null ? null : { used, receiptsRoot, bloom: bloom?.length === 0 ? null : bloom };
}

/**
 * Another mirror contradicts itself, or is still storing what it tells of: nothing of the block is taken.
 *
 * @param block null when it is not known which
 */
export function inconsistent(
  block: Pick<PeerBlock, 'number' | 'name'> | null,
  what: string,
  cause?: unknown,
): IngestError {
  const where = block === null ? '' : `Block ${block.number} (${block.name}): `;
  return new IngestError('inconsistent_source', `${where}${what}`, { cause });
}
