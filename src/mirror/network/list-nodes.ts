import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { type EntityHome, looksLikeEntity, parseEntityText } from '../parameters/entity-id-text.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { nextLink } from '../parameters/next-link.ts';
import { type QueryPair, readQuery, requestPath } from '../parameters/query-text.ts';
import { ADDRESS_BOOK_FILES, SYSTEM_FILE } from '../vocabulary/system-files.ts';
import type { NetworkRepository, NodeSelection } from './network-repository.ts';
import { systemFile } from './network-service.ts';
import { nodeDocument } from './node-document.ts';

export interface ListNodesDependencies {
  readonly network: NetworkRepository;
  readonly home: EntityHome;
  readonly maxRepeated: number;
  /** What stands before the path of the link to the next page; empty for a path alone. */
  readonly linkBase: string;
}

const DEFAULT_LIMIT = 10;
/** In both dialects: web explorers ask for 100 and follow the links. */
const MAX_LIMIT = 25;
const DIGITS = /^\d{1,19}$/;
const FILE_ONCE = 'Only a single instance is supported for file.id';

/**
 * Answers `GET /api/v1/network/nodes`.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-network.md section 5
 */
export async function listNodes(
  target: string,
  { home, linkBase, maxRepeated, network }: ListNodesDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const pairs = readQuery(target);
  const values = checkParameters(pairs, nodeChecks(home, pairs), maxRepeated);
  const last = (name: string) => values.get(name)?.at(-1);
  const file = systemFile(bookNum(last('file.id'), home) ?? SYSTEM_FILE.NODE_DETAILS, home);
  const limit = last('limit');
  const conditions = (values.get('node.id') ?? [])
    .map(parseFilter)
    .filter((filter) => filter !== null)
    .map(({ operator, value }) => ({ operator, value: BigInt(value) }));
  const selection: NodeSelection = {
    file,
    ...selectIntegers(conditions),
    order: operand(last('order') ?? 'asc').toLowerCase() === 'desc' ? 'desc' : 'asc',
    limit: limit === undefined ? DEFAULT_LIMIT : Math.min(Number(operand(limit)), MAX_LIMIT),
  };
  const nodes = await network.nodes(selection);
  const lastNode = nodes.at(-1);
  const next =
    lastNode === undefined || nodes.length < selection.limit || !mayContinue(selection, lastNode.nodeId)
      ? null
      : nextLink(linkBase + requestPath(target), values, {
          parameter: 'node.id',
          order: selection.order,
          value: lastNode.nodeId.toString(),
        });
  const json = printExactJson({ nodes: nodes.map((node) => nodeDocument(node, file)), links: { next } });
  return { json, next };
}

/** Whether the conditions leave any node id after the last one. */
function mayContinue({ equal, lower, order, upper }: NodeSelection, last: bigint): boolean {
  const isBehind = (id: bigint) => (order === 'asc' ? id > last : id < last);
  if (equal !== null) return [...equal].some((id) => isBehind(id) && id >= lower && id <= upper);
  return order === 'asc' ? last < upper : last > (lower > 0n ? lower : 0n);
}

function nodeChecks(home: EntityHome, pairs: readonly QueryPair[]) {
  if (pairs.filter(({ name }) => name === 'file.id').length > 1) throw invalidRequest([FILE_ONCE]);
  return {
    'file.id': (text: string) => bookNum(text, home) !== null,
    'node.id': (text: string) => {
      const filter = parseFilter(text);
      return filter !== null && isInt64(filter.value);
    },
    limit: (text: string) => isInt64(operand(text)) && BigInt(operand(text)) > 0n,
    order: isOneOf('asc', 'desc'),
  };
}

/** The number of an address book file; null for any other text, and for an absent one. */
function bookNum(text: string | undefined, home: EntityHome): bigint | null {
  const filter = text === undefined ? null : parseFilter(text);
  if (filter === null || filter.operator !== 'eq' || !looksLikeEntity(filter.value)) return null;
  const entity = parseEntityText(filter.value, home);
  if (entity.kind !== 'id') return null;
  return [...ADDRESS_BOOK_FILES].find((num) => systemFile(num, home) === entity.id) ?? null;
}

function isInt64(text: string): boolean {
  return DIGITS.test(text) && BigInt(text) <= MAX_INT64;
}
