import { MAX_INT64 } from '../../values/int64.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import type { RegisteredService } from '../ledger/registered-endpoint.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import type { NetworkRepository } from './network-repository.ts';
import { registeredNodeDocument } from './registered-node-document.ts';

export interface RegisteredNodesDependencies {
  readonly network: Pick<NetworkRepository, 'registeredNodes'>;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const NODE_ID = /^\d{1,19}$/;
const SERVICES = ['block_node', 'general_service', 'mirror_node', 'rpc_relay'] as const;

/**
 * Answers `GET /api/v1/network/registered-nodes`; a type selects the nodes with an endpoint of it.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-entities.md section 10; HIP-1137
 */
export async function listRegisteredNodes(
  target: string,
  { maxRepeated, network, page }: RegisteredNodesDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const checks = {
    ...pageChecks(page),
    'registerednode.id': isIdCondition,
    type: isOneOf(...SERVICES),
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page, 'asc');
  const type = values.get('type')?.at(-1);
  const selection = selectIntegers(
    (values.get('registerednode.id') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const found = await network.registeredNodes({
    ...selection,
    // It was checked.
    service: type === undefined ? null : (operand(type).toLowerCase() as RegisteredService),
    order: request.order,
    // One more tells whether a page follows.
    limit: request.limit + 1,
  });
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'registerednode.id',
      of: ({ registeredNodeId }) => registeredNodeId,
      print: String,
      selection,
    },
    found,
    page,
    request,
    target,
    values,
  });
  return {
    json: printExactJson({ registered_nodes: shown.map(registeredNodeDocument), links: { next } }),
    next,
  };
}

function isIdCondition(text: string): boolean {
  const filter = parseFilter(text);
  return (
    filter !== null &&
    filter.operator !== 'ne' &&
    NODE_ID.test(filter.value) &&
    BigInt(filter.value) <= MAX_INT64
  );
}
