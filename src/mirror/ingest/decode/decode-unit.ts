import type {
  EntityAlias,
  EntityChange,
  FilePiece,
  LedgerIdentity,
  LedgerTransaction,
  LedgerUnit,
  NodeChange,
  StakeUpdate,
  TokenRelation,
  TokenState,
  TopicState,
} from '../../ledger/rows.ts';
import { IngestError, inFile } from '../errors.ts';
import type { ContractCodes } from '../units/contract-codes.ts';
import type { StreamItem } from '../units/stream-unit.ts';
import { contractEffects } from './contract-effects.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { decodeItem, successOf } from './decoded-item.ts';
import { entityChanges } from './entity-changes.ts';
import { createdEntity, tokenState, topicState } from './entity-effects.ts';
import { filePiece } from './file-pieces.ts';
import { KnownEntities, type LedgerLookup } from './known-entities.ts';
import { ledgerIdentity } from './ledger-identity.ts';
import { nodeChange, stakeUpdate } from './node-effects.ts';
import { rateObservations } from './rate-observations.ts';
import { tokenRelations } from './token-relations.ts';
import { unitGas } from './unit-gas.ts';

/** All rows of a unit but its header, its sidecars, and the address books, which need earlier pieces of the file. */
export type UnitRows = Omit<LedgerUnit, 'header' | 'addressBooks' | 'sidecars'>;

/**
 * Decodes the items of a unit into ledger rows.
 *
 * @param name of the file, for errors
 * @param bytecodes codes of contracts from the sidecars of the unit
 * @throws IngestError `malformed` naming the file.
 * @see contracts/streams.md sections 6 and 12
 */
export async function decodeUnit(
  items: readonly StreamItem[],
  name: string,
  lookup: LedgerLookup,
  bytecodes: readonly ContractCodes[] = [],
): Promise<UnitRows> {
  const known = new KnownEntities();
  let rows = inFile(name, () => decodeOnce(items, name, known, bytecodes));
  while (await known.load(lookup)) rows = inFile(name, () => decodeOnce(items, name, known, bytecodes));
  return rows;
}

function decodeOnce(
  items: readonly StreamItem[],
  name: string,
  known: KnownEntities,
  bytecodes: readonly ContractCodes[],
): UnitRows {
  const decoded = items.map(decodeItem);
  const isSuccessful = successOf(decoded);
  const transactions: LedgerTransaction[] = [];
  const filePieces: FilePiece[] = [];
  const nodeChanges: NodeChange[] = [];
  const stakeUpdates: StakeUpdate[] = [];
  const tokens: TokenState[] = [];
  const topics: TopicState[] = [];
  const entities: EntityAlias[] = [];
  const changes: EntityChange[] = [];
  const relations: TokenRelation[] = [];
  const identities: LedgerIdentity[] = [];
  for (const item of decoded) {
    const success = isSuccessful(item);
    const previous = transactions.at(-1);
    if (previous !== undefined && item.consensusTimestamp <= previous.consensusTimestamp) {
      throw new IngestError('malformed', `Malformed file ${name}: consensus timestamps do not ascend`);
    }
    transactions.push(decodeTransaction(item, success, known.resolve));
    const entity = success ? createdEntity(item) : null;
    if (entity !== null) {
      known.add(entity);
      entities.push(entity);
    }
    changes.push(...entityChanges(item, success, known.resolve));
    if (!success) continue;
    relations.push(...tokenRelations(item, known.resolve));
    const token = tokenState(item, known);
    if (token !== null) {
      known.addToken(token.token, token.kind);
      tokens.push(token);
    }
    pushPresent(topics, topicState(item));
    pushPresent(identities, ledgerIdentity(item));
    pushPresent(filePieces, filePiece(item));
    pushPresent(nodeChanges, nodeChange(item, known.resolve));
    pushPresent(stakeUpdates, stakeUpdate(item));
  }
  const effects = contractEffects(decoded, isSuccessful, bytecodes, known.resolve);
  return {
    transactions,
    filePieces,
    nodeChanges,
    stakeUpdates,
    balances: [],
    tokenBalances: [],
    tokens,
    topics,
    entities: [...entities, ...effects.entities],
    contracts: effects.contracts,
    entityChanges: changes,
    tokenRelations: relations,
    rates: rateObservations(decoded),
    identities,
    gas: unitGas(decoded),
  };
}

function pushPresent<T>(list: T[], value: T | null): void {
  if (value !== null) list.push(value);
}
