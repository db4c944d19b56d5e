import { entityId, printEntityId } from '../../values/entity-id.ts';
import type { EntityReader } from '../ledger/entity-reader.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { accountConditions } from '../parameters/account-conditions.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import type { ContractCodes } from './contract-codes.ts';
import { contractMembers } from './contract-document.ts';
import type { ContractPages } from './contract-pages.ts';

export interface ListContractsDependencies {
  readonly contracts: ContractPages;
  readonly entities: EntityReader;
  readonly codes: Pick<ContractCodes, 'filesOf'>;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const EVM_ADDRESS = /[\dA-Fa-f]{40}$/;

/**
 * Answers `GET /api/v1/contracts`.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-contracts.md section 2
 */
export async function listContracts(
  target: string,
  { codes, contracts, entities, maxRepeated, names, page }: ListContractsDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const checks = { ...pageChecks(page), 'contract.id': isContractCondition };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page);
  const texts = values.get('contract.id') ?? [];
  const ids = selectIntegers(await accountConditions(texts, names.home, names.resolveAddress));
  // One more tells whether a page follows.
  const limit = request.limit + 1;
  const found = ids.lower > ids.upper ? [] : await contracts.page({ ids, order: request.order, limit });
  const { next, shown } = cursorPage({
    cursor: { parameter: 'contract.id', of: (id: bigint) => id, print: printEntityId, selection: ids },
    found,
    page,
    request,
    target,
    values,
  });
  const files = await codes.filesOf(shown.map(entityId));
  const states = await entities.findEach(shown);
  const rows = shown.flatMap((id): readonly ExactJson[] => {
    const entity = states.get(id);
    return entity === undefined ? [] : [contractMembers(entity, files.get(id) ?? null)];
  });
  return { json: printExactJson({ contracts: rows, links: { next } }), next };
}

/** An EVM address is one contract: nothing is more or less than it. */
function isContractCondition(text: string): boolean {
  const filter = parseFilter(text);
  if (filter === null || !isAccountCondition(text)) return false;
  return filter.operator === 'eq' || !EVM_ADDRESS.test(filter.value);
}
