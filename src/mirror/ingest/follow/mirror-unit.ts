import { bareHex } from '../../../values/hex.ts';
import { everyRow, type FixtureRows } from '../../ledger/fixture-unit.ts';
import type { EntityAlias, EntityChange, LedgerTransaction } from '../../ledger/rows.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { IngestError } from '../errors.ts';
import { sameBytes, ZERO_HASH } from '../sha384.ts';
import type { StreamUnit, UnitDemands, VerifiedRows } from '../units/stream-unit.ts';
import { beginsLedger, inconsistent, isRecordFile, type PeerBlock } from './peer-block.ts';

export interface MirrorUnitParts {
  /** What is wrong with the block beside the one before it; null for nothing. */
  readonly fault: string | null;
  readonly transactionsOf: () => Promise<readonly LedgerTransaction[]>;
  /** What the network tells beside the transactions. */
  readonly networkAt: (transactions: readonly LedgerTransaction[]) => Promise<FixtureRows>;
}

/** Record files with a number of their own. */
const NUMBERED_VERSION = 6;
const BLOCK_VERSION = 7;

/**
 * One block of another mirror: its hashes are compared with the chain, everything else is believed.
 *
 * @see docs/adr/0020-sources.md
 */
export function createMirrorUnit(block: PeerBlock, parts: MirrorUnitParts): StreamUnit {
  const { fault, networkAt, transactionsOf } = parts;
  const { count, from, hash, hapiVersion, name, number, previousHash, size, to } = block;
  return {
    instant: from,
    blockNumber: number,
    name,
    isThere: true,
    async verify(demands) {
      if (fault !== null) throw inconsistent(block, fault);
      await checkChain(block, demands);
      const transactions = await transactionsOf();
      if (transactions.length !== count) {
        throw inconsistent(
          block,
          `it reports ${count} transactions, the mirror lists ${transactions.length}`,
        );
      }
      // Without a number of its own the first block counts as 0 too, but not as one from which every balance is known.
      const isCounted = demands.previous === null && number === 0n && !beginsLedger(block, transactions);
      const isNative = demands.previous?.isNative ?? false;
      const rows = toldRows(block, transactions, await networkAt(transactions));
      return {
        header: {
          kind: isRecordFile(block) ? 'record' : 'block',
          name,
          version: isRecordFile(block) ? NUMBERED_VERSION : BLOCK_VERSION,
          hapiVersion,
          blockNumber: isCounted ? null : number,
          hash,
          previousHash,
          // After a native block come native ones alone; before the first one nobody says which kind it is.
          isNative,
          root: isNative ? hash : null,
          fileHash: hash,
          size,
          verification: 'none',
        },
        tree: null,
        span: { from, to },
        rows,
        sidecars: [],
        rejectedSignatures: [],
      };
    },
    absence: () => Promise.reject(new Error(`${name} is there`)),
    previousHash: async () => (sameBytes(previousHash, ZERO_HASH) ? null : previousHash),
  };
}

async function checkChain(
  { name, number, previousHash: found }: PeerBlock,
  { gaps = noGaps, previous }: UnitDemands,
): Promise<void> {
  const expected = previous?.hash ?? null;
  if (expected === null || sameBytes(expected, found) || (await gaps.accepts(expected, found))) return;
  const reset = sameBytes(found, ZERO_HASH)
    ? ': the network was reset or is a different one; use a new database'
    : ': blocks in between are missing, or it is a different network';
  throw new IngestError(
    'chain_mismatch',
    `Block ${number} (${name}) does not follow this ledger, which ends with ${bareHex(expected)}, not ${bareHex(found)}${reset}`,
  );
}

const CREATIONS: ReadonlySet<number> = new Set([TYPE.CRYPTOCREATEACCOUNT, TYPE.CONTRACTCREATEINSTANCE]);
const DELETIONS: ReadonlySet<number> = new Set([TYPE.CRYPTODELETE, TYPE.CONTRACTDELETEINSTANCE]);

/**
 * The rows of a block: its transactions, and what they tell beside themselves.
 *
 * @param network what was read of the network with this block
 */
function toldRows(
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
