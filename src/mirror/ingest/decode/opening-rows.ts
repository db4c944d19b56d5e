import {
  type ConsensusTimestamp,
  consensusTimestamp,
  NANOS_PER_SECOND,
} from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { MAX_INT64, MIN_INT64 } from '../../../values/int64.ts';
import type { ContractChange } from '../../ledger/facets/contracts.ts';
import type { OpeningState } from '../../ledger/facets/opening-state.ts';
import type { BalanceStatement, EntityChange, FilePiece, UnitHeader } from '../../ledger/rows.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOf } from '../block-records/entity-bytes.ts';
import { ACCOUNT, BYTECODE, FILE, STATE } from '../block-records/field-numbers.ts';
import { type MapChange, mapChanges, OPENING_STATES } from '../block-records/state-changes.ts';
import type { UnitRows } from './decode-unit.ts';

interface OpeningRows {
  readonly balances: Map<EntityId, BalanceStatement>;
  readonly entityChanges: EntityChange[];
  readonly contracts: ContractChange[];
  readonly filePieces: FilePiece[];
}

/**
 * Adds what the first block of a network states beside its transactions: balances, settings of accounts and contracts,
 * runtime code and files. Of what a transaction of the block creates, that transaction tells.
 *
 * @see contracts/streams.md section 9.6
 */
export function withOpening(
  rows: UnitRows,
  openingState: readonly OpeningState[],
  { isNative, verification }: Pick<UnitHeader, 'isNative' | 'verification'>,
): UnitRows {
  if (openingState.length === 0) return rows;
  const created = new Set<EntityId>(rows.entities.map(({ entity }) => entity));
  for (const { entityId, result, type } of rows.transactions) {
    const isWritten = (type === TYPE.FILECREATE || type === TYPE.FILEUPDATE) && isSuccess(result);
    if (entityId !== null && isWritten) created.add(entityId);
  }
  const opening: OpeningRows = { balances: new Map(), entityChanges: [], contracts: [], filePieces: [] };
  for (const { changes, timestamp } of openingState) {
    for (const change of mapChanges(changes, OPENING_STATES)) add(change, timestamp, created, opening);
  }
  const first = rows.transactions[0]?.consensusTimestamp ?? MAX_INT64;
  const isBefore = ({ changedTimestamp: at }: EntityChange) => at !== undefined && at <= first;
  // Nodes sign the record file in a block, not what stands beside it.
  const isTold = !isNative && verification !== 'signatures';
  return {
    ...rows,
    openingState,
    balances: [...opening.balances.values()],
    entityChanges: [
      ...opening.entityChanges.filter(isBefore),
      ...rows.entityChanges,
      ...opening.entityChanges.filter((change) => !isBefore(change)),
    ],
    contracts: [...rows.contracts, ...opening.contracts],
    filePieces: [...rows.filePieces, ...opening.filePieces.map((piece) => ({ ...piece, isTold }))],
  };
}

function add(
  { key, stateId, value }: MapChange,
  timestamp: ConsensusTimestamp,
  created: ReadonlySet<EntityId>,
  { balances, contracts, entityChanges, filePieces }: OpeningRows,
): void {
  if (value === null) return;
  if (stateId === STATE.accounts.id) {
    const account = accountOf(rawField(value, STATE.accounts.value) ?? EMPTY, timestamp);
    if (account === null) return;
    balances.set(account.entity, { account: account.entity, balance: account.balance, timestamp });
    if (!created.has(account.entity)) entityChanges.push(account.change);
    return;
  }
  const isFile = stateId === STATE.files.id;
  const state = isFile ? STATE.files : STATE.bytecode;
  const entity = entityOf(rawField(key, state.key) ?? EMPTY);
  const bytes = rawField(rawField(value, state.value) ?? EMPTY, isFile ? FILE.contents : BYTECODE.code);
  if (entity === null || bytes === null || bytes.length === 0 || created.has(entity)) return;
  const contents = Uint8Array.from(bytes);
  if (!isFile) contracts.push({ contract: entity, creation: null, runtimeCode: contents });
  else {
    filePieces.push({
      file: entity,
      consensusTimestamp: timestamp,
      transactionType: TYPE.FILEUPDATE,
      contents,
    });
  }
}

/** Null when it has no id. Alias and staking are not read. */
function accountOf(
  state: Uint8Array,
  changedTimestamp: ConsensusTimestamp,
): { readonly entity: EntityId; readonly balance: bigint; readonly change: EntityChange } | null {
  let entity: EntityId | null = null;
  let [balance, expiry, ethereumNonce, autoRenewPeriod] = [0n, 0n, 0n, 0n];
  let [isContract, isDeleted, isReceiverSigRequired] = [false, false, false];
  let key: Uint8Array | null = null;
  let memo = '';
  let maxAutomaticAssociations = 0;
  let autoRenewAccount: EntityId | null = null;
  for (const walk = new FieldWalk(state); walk.next(); ) {
    switch (walk.number) {
      case ACCOUNT.id:
        entity = entityOf(walk.bytes);
        break;
      case ACCOUNT.key:
        key = Uint8Array.from(walk.bytes);
        break;
      case ACCOUNT.expirySeconds:
        expiry = walk.int64;
        break;
      case ACCOUNT.balance:
        balance = walk.int64;
        break;
      case ACCOUNT.memo:
        memo = Buffer.from(walk.bytes).toString();
        break;
      case ACCOUNT.isDeleted:
        isDeleted = walk.int !== 0;
        break;
      case ACCOUNT.isReceiverSigRequired:
        isReceiverSigRequired = walk.int !== 0;
        break;
      case ACCOUNT.maxAutomaticAssociations:
        maxAutomaticAssociations = Number(BigInt.asIntN(32, walk.int64));
        break;
      case ACCOUNT.isContract:
        isContract = walk.int !== 0;
        break;
      case ACCOUNT.ethereumNonce:
        ethereumNonce = walk.int64;
        break;
      case ACCOUNT.autoRenewAccount:
        autoRenewAccount = entityOf(walk.bytes);
        break;
      case ACCOUNT.autoRenewSeconds:
        autoRenewPeriod = walk.int64;
        break;
      default:
    }
  }
  if (entity === null) return null;
  const change: EntityChange = {
    entity,
    changedTimestamp,
    isOpening: true,
    type: isContract ? 'CONTRACT' : 'ACCOUNT',
    key,
    memo,
    autoRenewPeriod,
    autoRenewAccount,
    expiryTimestamp: expiry === 0n ? null : nanosecondsOf(expiry),
    isDeleted,
    isReceiverSigRequired,
    maxAutomaticAssociations,
    ...(ethereumNonce > 0n ? { ethereumNonce } : {}),
  };
  return { entity, balance, change };
}

/** The accounts of the system never expire: their times are beyond those that a ledger has. */
function nanosecondsOf(seconds: bigint): ConsensusTimestamp {
  const nanoseconds = seconds * NANOS_PER_SECOND;
  if (nanoseconds < MIN_INT64) return consensusTimestamp(MIN_INT64);
  return consensusTimestamp(nanoseconds > MAX_INT64 ? MAX_INT64 : nanoseconds);
}

const EMPTY = new Uint8Array();
