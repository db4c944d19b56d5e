import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { FixtureFault, type FixtureHome, objects } from '../../items/fixture-members.ts';
import { everyRow, type FixtureRows } from '../../ledger/fixture-unit.ts';
import type { EntityAlias, EntityChange, LedgerTransaction } from '../../ledger/rows.ts';
import { printTransactionId } from '../../ledger/transaction-json.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { isSuccess, RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { IngestError } from '../errors.ts';
import { readTransaction } from '../fixture/fixture-rows.ts';
import { sameBytes, ZERO_HASH } from '../sha384.ts';
import type { StreamUnit, UnitDemands, VerifiedRows } from '../units/stream-unit.ts';
import { beginsLedger, inconsistent, isRecordFile, type Peer, type PeerBlock } from './peer.ts';

interface MirrorUnitParts {
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
  { from, name, number, previousHash: found }: PeerBlock,
  { gaps = noGaps, previous }: UnitDemands,
): Promise<void> {
  const expected = previous?.hash ?? null;
  if (expected === null || sameBytes(expected, found) || (await gaps.accepts(expected, found, from))) return;
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

/** Questions at the same time. */
const PARALLEL = 4;
/** They move tokens without assessing the fees of a token. */
const WITHOUT_FEES: ReadonlySet<number> = new Set([
  TYPE.TOKENCREATION,
  TYPE.TOKENMINT,
  TYPE.TOKENBURN,
  TYPE.TOKENWIPE,
  TYPE.TOKENREJECT,
  TYPE.TOKENDISSOCIATE,
  TYPE.TOKENUPDATE,
]);
/** Accounts that collect the fees of the network. */
const NETWORK_FEES: ReadonlySet<bigint> = new Set([98n, 800n, 801n, 802n]);

/**
 * Whether custom fees may have been assessed: tokens moved, or hbar went to somebody who collects no fees of the network.
 *
 * A fee needs somebody who gets it, so that a mint or a message without further transfers is never asked for.
 */
function mayHaveCustomFees(transaction: LedgerTransaction): boolean {
  const { nftTransfers, node, result, tokenTransfers, transfers, type } = transaction;
  if (!(isSuccess(result) || result === RESULT.FAIL_INVALID) || WITHOUT_FEES.has(type)) return false;
  if (tokenTransfers.length > 0) return true;
  if (nftTransfers.length === 0 && type !== TYPE.CONSENSUSSUBMITMESSAGE) return false;
  return transfers.some(
    ({ account, amount }) =>
      amount > 0n && account !== node && !NETWORK_FEES.has(decodeEntityId(account).num),
  );
}

/**
 * Completes the transactions of a block with the custom fees that lists do not tell.
 *
 * @throws IngestError when the peer does not know one of them, or what it throws.
 */
export async function withCustomFees(
  block: PeerBlock,
  transactions: readonly LedgerTransaction[],
  peer: Peer,
  home: FixtureHome,
  signal: AbortSignal,
): Promise<readonly LedgerTransaction[]> {
  const ids = [
    ...new Set(
      transactions.filter(mayHaveCustomFees).map((each) => printTransactionId(each.payer, each.validStart)),
    ),
  ];
  if (ids.length === 0) return transactions;
  const told = new Map<bigint, LedgerTransaction['assessedCustomFees']>();
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const asked = ids.slice(at, at + PARALLEL).map((id) => readDetails(block, id, peer, home, signal));
    for (const details of await Promise.all(asked)) {
      for (const { assessedCustomFees, consensusTimestamp } of details)
        told.set(consensusTimestamp, assessedCustomFees);
    }
  }
  return transactions.map((each) => {
    if (!mayHaveCustomFees(each)) return each;
    const assessedCustomFees = told.get(each.consensusTimestamp);
    if (assessedCustomFees !== undefined) return { ...each, assessedCustomFees };
    const id = printTransactionId(each.payer, each.validStart);
    throw inconsistent(
      block,
      `${id} does not contain ${printTimestamp(each.consensusTimestamp)}, which the list has`,
    );
  });
}

async function readDetails(
  block: PeerBlock,
  id: string,
  peer: Peer,
  home: FixtureHome,
  signal: AbortSignal,
): Promise<readonly LedgerTransaction[]> {
  const answer = await peer.get(`/api/v1/transactions/${id}`, signal);
  if (answer === null) throw inconsistent(block, `${id} exists only in the list, not individually`);
  try {
    return objects(answer, 'transactions').map((row) => readTransaction(row, home));
  } catch (cause) {
    if (!(cause instanceof FixtureFault)) throw cause;
    throw inconsistent(block, `${id}: ${cause.message}`, cause);
  }
}
