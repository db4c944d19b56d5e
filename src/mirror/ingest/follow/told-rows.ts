import { everyRow, type FixtureRows } from '../../ledger/fixture-unit.ts';
import type { EntityAlias, EntityChange, LedgerTransaction } from '../../ledger/rows.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { VerifiedRows } from '../units/stream-unit.ts';
import type { PeerBlock } from './peer-block.ts';

const CREATIONS: ReadonlySet<number> = new Set([TYPE.CRYPTOCREATEACCOUNT, TYPE.CONTRACTCREATEINSTANCE]);
const DELETIONS: ReadonlySet<number> = new Set([TYPE.CRYPTODELETE, TYPE.CONTRACTDELETEINSTANCE]);

/**
 * The rows of a block: its transactions, and what they tell beside themselves.
 *
 * @param network what was read of the network with this block
 */
export function toldRows(
  { gas }: Pick<PeerBlock, 'gas'>,
  transactions: readonly LedgerTransaction[],
  network: FixtureRows,
): VerifiedRows['rows'] {
  return everyRow({
    ...network,
    transactions: transactions.map((each) => withInner(each, transactions)),
    entities: transactions.flatMap((each) => createdEntity(each) ?? []),
    entityChanges: transactions.flatMap((each) => deletedEntity(each) ?? []),
    gas,
  });
}

/** The transactions of a batch name it as their parent; its own children have a nonce. */
function withInner(transaction: LedgerTransaction, all: readonly LedgerTransaction[]): LedgerTransaction {
  if (transaction.type !== TYPE.ATOMICBATCH) return transaction;
  const innerTransactions = all
    .filter(
      ({ nonce, parentConsensusTimestamp: parent }) =>
        nonce === 0 && parent === transaction.consensusTimestamp,
    )
    .map(({ payer, validStart }) => ({ payer, validStart }));
  return { ...transaction, innerTransactions };
}

function createdEntity({
  consensusTimestamp,
  entityId,
  result,
  type,
}: LedgerTransaction): EntityAlias | null {
  if (!CREATIONS.has(type) || entityId === null || !isSuccess(result)) return null;
  const created = type === TYPE.CRYPTOCREATEACCOUNT ? 'ACCOUNT' : 'CONTRACT';
  return {
    entity: entityId,
    type: created,
    alias: null,
    evmAddress: null,
    createdTimestamp: consensusTimestamp,
  };
}

function deletedEntity({
  consensusTimestamp,
  entityId,
  result,
  type,
}: LedgerTransaction): EntityChange | null {
  if (!DELETIONS.has(type) || entityId === null || !isSuccess(result)) return null;
  return { entity: entityId, changedTimestamp: consensusTimestamp, isDeleted: true };
}
