import type { LedgerTransaction } from '../../ledger/rows.ts';
import { printTransactionId } from '../../ledger/transaction-json.ts';
import type { PeerBlock } from './peer-block.ts';

type Assigned = ReadonlyMap<PeerBlock, readonly LedgerTransaction[]>;

/**
 * Gives blocks that overlap their transactions, of which a mirror tells times alone: each block gets as many as it
 * counts, among them those at its begin and its end. Children stay with their parent where the counts leave a choice.
 *
 * A time between two overlapping blocks belongs to either as far as a mirror tells; of those that have room the block that
 * ends first gets it, so that all are filled whenever they can be.
 *
 * @param transactions ascending
 * @param blocks with one transaction at least
 */
export function assignedTransactions(
  transactions: readonly LedgerTransaction[],
  blocks: readonly PeerBlock[],
): Assigned {
  const withFamilies = assign(transactions, blocks, true);
  return withFamilies ?? assign(transactions, blocks, false) ?? new Map();
}

/** Null when a transaction finds no block. */
function assign(
  transactions: readonly LedgerTransaction[],
  blocks: readonly PeerBlock[],
  keepsFamilies: boolean,
): Assigned | null {
  const found = new Map<PeerBlock, LedgerTransaction[]>(blocks.map((block) => [block, []]));
  const edges = new Map<bigint, PeerBlock>(
    blocks.flatMap((block) => [block.from, block.to].map((time): [bigint, PeerBlock] => [time, block])),
  );
  /** Places of those between begin and end. */
  const room = new Map(blocks.map((block) => [block, block.count - new Set([block.from, block.to]).size]));
  const families = new Map<string, PeerBlock>();
  const waiting = [...blocks].sort((one, other) => (one.from < other.from ? -1 : 1));
  let open: PeerBlock[] = [];
  for (const transaction of transactions) {
    const { consensusTimestamp: at, payer, validStart } = transaction;
    while (waiting[0] !== undefined && waiting[0].from <= at) open.push(waiting.shift() as PeerBlock);
    open = open.filter(({ to }) => to >= at);
    const family = printTransactionId(payer, validStart);
    const free = open.filter((block) => (room.get(block) ?? 0) > 0);
    const own = keepsFamilies ? families.get(family) : undefined;
    const inside =
      own !== undefined && free.includes(own)
        ? own
        : free.reduce<PeerBlock | null>(
            (best, each) => (best !== null && best.to <= each.to ? best : each),
            null,
          );
    const edge = edges.get(at);
    const block = edge ?? inside;
    if (block === null) return null;
    if (edge === undefined) room.set(block, (room.get(block) ?? 0) - 1);
    families.set(family, block);
    found.get(block)?.push(transaction);
  }
  return found;
}
