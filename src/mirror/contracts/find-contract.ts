import { entityId } from '../../values/entity-id.ts';
import { invalidRequest, messages, notFoundError } from '../errors.ts';
import type { EntityReader, EntityTimes } from '../ledger/entity-reader.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { looksLikeEntity } from '../parameters/entity-id-text.ts';
import { contractInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { CONTRACT_IN_PATH } from './contract-below.ts';
import type { ContractCodes } from './contract-codes.ts';
import { contractDocument } from './contract-document.ts';

export interface FindContractDependencies {
  readonly entities: EntityReader;
  readonly codes: ContractCodes;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

/**
 * Answers `GET /api/v1/contracts/{id or EVM address}` with the newest state, or with `timestamp` the newest one that
 * was so at such a time.
 *
 * @throws MirrorApiError 400 for another form or a bad parameter, 404 when the ledger knows no such contract.
 * @see contracts/mirror-contracts.md section 2.1
 */
export async function findContract(
  contractText: string,
  target: string,
  { codes, entities, maxRepeated, names }: FindContractDependencies,
): Promise<string> {
  if (!looksLikeEntity(contractText)) throw invalidRequest([messages.invalidParameter(CONTRACT_IN_PATH)]);
  const values = checkParameters(readQuery(target), { timestamp: isTimestampCondition }, maxRepeated);
  const id = await contractInPath(contractText, CONTRACT_IN_PATH, names);
  const times = values.get('timestamp') ?? [];
  const entity =
    id === null ? null : await (times.length === 0 ? entities.find(id) : entities.findAt(id, timesOf(times)));
  if (entity === null || entity.type !== 'CONTRACT') throw notFoundError();
  const code = await codes.code(entityId(entity.id));
  return printExactJson(contractDocument(entity, code ?? { bytecode: null, file: null, runtimeCode: null }));
}

/** A time alone means at or before. */
function timesOf(texts: readonly string[]): EntityTimes {
  const { excluded, lower, upper } = selectIntegers(
    timestampConditions(texts).map(({ operator, value }) => ({
      operator: operator === 'eq' ? 'lte' : operator,
      value,
    })),
  );
  return { lower, upper, excluded: [...excluded] };
}
