import { entityId } from '../../values/entity-id.ts';
import { invalidRequest, notFoundError } from '../errors.ts';
import type { EntityReader } from '../ledger/entity-reader.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { narrowingBounds } from '../network/timestamp-bounds.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { contractInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import type { ContractCodes } from './contract-codes.ts';
import { contractDocument } from './contract-document.ts';
import { contractStateAt } from './contract-state-at.ts';

export interface FindContractDependencies {
  readonly entities: EntityReader;
  readonly codes: ContractCodes;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

/** Names of the networks' API in the place of an id that are not served. @see contracts/mirror-roadmap.md */
const UNSERVED_NAMES = new Set(['call', 'results']);

/**
 * Answers `GET /api/v1/contracts/{id or EVM address}` with the newest state, or with `timestamp` that of a time.
 *
 * @throws MirrorApiError 400 for another form or a bad parameter, 404 when the ledger knows no such contract.
 * @see contracts/mirror-roadmap.md, contracts
 */
export async function findContract(
  contractIdOrAddress: string,
  target: string,
  { codes, entities, maxRepeated, names }: FindContractDependencies,
): Promise<string> {
  // A client that looks for results must not read that its parameters are wrong.
  if (UNSERVED_NAMES.has(contractIdOrAddress.toLowerCase())) throw notFoundError();
  const values = checkParameters(readQuery(target), { timestamp: isTimestampCondition }, maxRepeated);
  const time = timeAsked(values.get('timestamp') ?? []);
  const id = await contractInPath(contractIdOrAddress, 'contractIdOrAddress', names);
  const entity = id === null ? null : await entities.find(id);
  if (entity === null) throw notFoundError();
  const code = await codes.code(entityId(entity.id));
  if (code === null && entity.type !== 'CONTRACT') throw notFoundError();
  if (time.upper !== null && entity.createdTimestamp !== null && entity.createdTimestamp > time.upper) {
    throw notFoundError();
  }
  const state = time.upper === null ? entity : contractStateAt(entity, time.upper);
  return printExactJson(contractDocument(state, code ?? { bytecode: null, file: null, runtimeCode: null }));
}

const NOT_EQUALS = 'Not equals (ne) operator is not supported for timestamp';

function timeAsked(texts: readonly string[]): { readonly upper: bigint | null } {
  const conditions = timestampConditions(texts);
  if (conditions.some(({ operator }) => operator === 'ne')) throw invalidRequest([NOT_EQUALS]);
  return narrowingBounds(conditions);
}
