import { MAX_INT64 } from '../../values/int64.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { isOneOf, parseFilter } from '../parameters/filter-operator.ts';
import { type PageSettings, pageChecks } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';

export interface RegisteredNodesDependencies {
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const NODE_ID = /^\d{1,19}$/;

/**
 * Answers `GET /api/v1/network/registered-nodes`: an empty list, since the ledger keeps no data of these nodes.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-roadmap.md, network/registered-nodes; HIP-1137
 */
export function listRegisteredNodes(
  target: string,
  { maxRepeated, page }: RegisteredNodesDependencies,
): string {
  const checks = {
    ...pageChecks(page),
    'registerednode.id': (text: string) => {
      const filter = parseFilter(text);
      return filter !== null && NODE_ID.test(filter.value) && BigInt(filter.value) <= MAX_INT64;
    },
    type: isOneOf('block_node', 'general_service', 'mirror_node', 'rpc_relay'),
  };
  checkParameters(readQuery(target), checks, maxRepeated);
  return '{"registered_nodes":[],"links":{"next":null}}';
}
