import { Type } from '@sinclair/typebox';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseHex } from '../../../values/hex.ts';
import type { BlockRepository } from '../../blocks/block-repository.sql.ts';
import { invalidRequest, notFoundError } from '../../errors.ts';
import type { CheckedParameter, Keys } from '../../lists/keys.ts';
import { type ListContext, listOn } from '../../lists/list.ts';
import { repeated, yesOrNo } from '../../lists/parameters.ts';
import type { GasPriceAt } from '../../network/gas-price-at.ts';
import { isAccountCondition } from '../../parameters/account-filter.ts';
import { readBlockNumber } from '../../parameters/block-number.ts';
import type { ParameterValues } from '../../parameters/check-parameters.ts';
import { cursorPage, type PageCursor } from '../../parameters/cursor-page.ts';
import { type EntityNames, entityOfText } from '../../parameters/entity-in-path.ts';
import { operand, parseFilter } from '../../parameters/filter-operator.ts';
import { nextLink } from '../../parameters/next-link.ts';
import { type IntegerSelection, type PageRequest, selectIntegers } from '../../parameters/page-parameters.ts';
import { requestPath } from '../../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../../parameters/timestamp-text.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import type { BoundTimes } from '../bound-times.ts';
import type { ContractAddresses } from '../contract-addresses.sql.ts';
import { belowContract, timesSchema } from '../contract-below.ts';
import {
  bytesOfHex,
  type DecodedMembers,
  type DecodeRows,
  type LedgerDecodeRequest,
  shownDecoded,
} from '../decode-rows.ts';
import type { ContractLogRepository } from '../logs/contract-log-repository.sql.ts';
import type { ContractResultRepository, StoredResult } from './contract-result-repository.sql.ts';
import { DETAILED_RESULT, type DetailedResult, SHORT_RESULT } from './result-document.ts';
import { withSyntheticBlooms } from './synthetic-blooms.ts';

export interface ResultListContext extends ListContext {
  readonly contractResults: ContractResultRepository;
  readonly contractLogs: Pick<ContractLogRepository, 'syntheticBlooms'>;
  readonly blocks: Pick<BlockRepository, 'byHash' | 'byNumber' | 'holding' | 'ownTimes'>;
  readonly contractAddresses: ContractAddresses;
  readonly gasPriceAt: GasPriceAt;
  /** Of the network, a quantity such as `0x128`. */
  readonly chainId: string;
  /** Whether synthetic logs stand for results. */
  readonly showsSynthetic: boolean;
  readonly boundTimes: BoundTimes;
  readonly decode: DecodeRows;
}

/** Null conditions when nothing can meet them. */
interface ResultKeys {
  /** As they were sent, which decides about the link. */
  readonly asked: ResultConditions | null;
  /** Within the times that one page searches. */
  readonly bound: ResultConditions | null;
  /** Where the server cut the times: all of a page without a link was shown, and the next one begins there. */
  readonly cutAt: bigint | null;
}

const RESULT_CURSOR: PageCursor<StoredResult> = {
  parameter: 'timestamp',
  of: ({ consensusTimestamp }) => consensusTimestamp,
  print: printTimestamp,
};

const resultKeys =
  (isBound: boolean) =>
  ({ blocks, boundTimes, names }: ResultListContext): Keys<StoredResult, ResultKeys, unknown> => ({
    parts: RESULT_PARAMETERS,
    async read(values, { order }) {
      const asked = await readResultConditions(values, names, blocks);
      const isOpen = isBound && asked !== null && asked.times.equal === null;
      const window = isOpen ? await boundTimes(asked.times, order) : null;
      if (window === null || asked === null) return { asked, bound: asked, cutAt: null };
      const { cutAt, lower, upper } = window;
      return { asked, bound: { ...asked, times: { ...asked.times, lower, upper } }, cutAt };
    },
    page(found, { asked, cutAt }, cut) {
      const cutPage = cursorPage(cut, found, RESULT_CURSOR, asked?.times ?? null);
      if (cutPage.next !== null || cutAt === null) return cutPage;
      const { page, request, target, values } = cut;
      const link = { parameter: 'timestamp', order: request.order, value: printTimestamp(cutAt) };
      return { ...cutPage, next: nextLink(page.linkBase + requestPath(target), values, link) };
    },
  });

const shared = {
  hbar: yesOrNo(true, 'Amounts in tinybars; false: weibars.'),
  internal: yesOrNo(false, 'Whether child results are included.'),
};

interface Asked extends PageRequest {
  readonly keys: ResultKeys;
  readonly internal: boolean;
}

async function readResults(
  contract: bigint | null,
  { internal: isInternal, keys: { bound }, limit, order }: Asked,
  { contractResults, showsSynthetic }: ResultListContext,
): Promise<readonly StoredResult[]> {
  if (bound === null || bound.times.lower > bound.times.upper) return [];
  return contractResults.page({
    contract,
    ...bound,
    isInternal,
    withSynthetic: showsSynthetic,
    order,
    limit,
  });
}

/** Results of all contracts; 404 for an unknown sender. @see contracts/mirror-contracts.md sections 2.2 and 3 */
export const resultList = listOn<ResultListContext, ResultKeys>()({
  path: '/api/v1/contracts/results',
  summary: 'Results of all contracts',
  name: 'results',
  maxAgeSeconds: 10,
  order: ['desc'],
  byName: {},
  keys: resultKeys(true),
  parameters: shared,
  rows: (question, context) => readResults(null, question, context),
  lengthOf: ({ isLeftOut = false }) => (isLeftOut ? Number.POSITIVE_INFINITY : 0),
  async shown(results, { hbar: isHbar, order }, context) {
    const { blocks, chainId, contractAddresses, contractLogs, gasPriceAt } = context;
    const blockOf = await blocks.holding(results.map((result) => result.consensusTimestamp));
    const addressOf = await contractAddresses.addressesOf(results.map((result) => result.contract));
    const bloomed = await withSyntheticBlooms(results, contractLogs);
    const rows: DetailedResult[] = [];
    // What was read for a time is known for those before it.
    for (const result of order === 'desc' ? bloomed : bloomed.toReversed()) {
      const { consensusTimestamp, contract, ethereum } = result;
      rows.push({
        result,
        chainId,
        isHbar,
        address: addressOf.get(contract) ?? null,
        block: blockOf.get(consensusTimestamp) ?? null,
        gasPrice: ethereum === null ? await gasPriceAt(consensusTimestamp) : null,
      });
    }
    return order === 'desc' ? rows : rows.toReversed();
  },
  item: DETAILED_RESULT,
});

/**
 * Results of a contract. With `decode=true`, which is ours, each tells what was called, where verified contracts tell it.
 *
 * @see contracts/mirror-contracts.md sections 2.2 and 3
 */
export const contractResultList = listOn<ResultListContext, ResultKeys>()({
  path: '/api/v1/contracts/:contractIdOrAddress/results',
  summary: 'Results of a contract',
  name: 'results',
  order: ['desc'],
  byName: { last: 'decode' },
  subject: belowContract,
  keys: resultKeys(false),
  parameters: {
    ...shared,
    decode: yesOrNo(false, 'Whether rows are decoded, using verified contracts.'),
  },
  rows: async (question, context) =>
    question.subject === null ? [] : readResults(question.subject, question, context),
  lengthOf: ({ isLeftOut = false }) => (isLeftOut ? Number.POSITIVE_INFINITY : 0),
  async shown(results, { decode: isDecoded }, { contractAddresses, contractLogs, decode }) {
    const addressOf = await contractAddresses.addressesOf(results.map((result) => result.contract));
    const decoded = isDecoded ? await decodeResults(results, addressOf, decode) : [];
    const bloomed = await withSyntheticBlooms(results, contractLogs);
    return bloomed.map((result, index) => ({
      result,
      address: addressOf.get(result.contract) ?? null,
      isHbar: true,
      decoded: decoded[index],
    }));
  },
  item: SHORT_RESULT,
});

const NOTHING: Uint8Array = new Uint8Array();

/**
 * What `decode=true` adds to results: `decoded`, the function with its arguments and what it returned, and
 * `decoded_error` of one that was reverted. Creations have neither.
 */
async function decodeResults(
  results: readonly StoredResult[],
  addressOf: ReadonlyMap<bigint, string | null>,
  decode: DecodeRows,
): Promise<readonly DecodedMembers[]> {
  const requests: LedgerDecodeRequest[] = [];
  /** Places of the requests of each result. */
  const places = results.map((result) => {
    const address = bytesOfHex(addressOf.get(result.contract) ?? null);
    const isCall = address !== null && !result.createdContracts.includes(result.contract);
    const data = bytesOfHex(result.functionParameters) ?? NOTHING;
    const revert = bytesOfHex(result.errorMessage);
    const place = { call: -1, revert: -1 };
    if (isCall && data.length > 0) {
      const returned = isSuccess(result.result) ? bytesOfHex(result.callResult) : null;
      place.call =
        requests.push({ kind: 'call', address, data, ...(returned === null ? {} : { returned }) }) - 1;
    }
    if (isCall && revert !== null && !isSuccess(result.result)) {
      place.revert = requests.push({ kind: 'revert', address, data: revert }) - 1;
    }
    return place;
  });
  const decoded = requests.length === 0 ? [] : await decode(requests);
  return places.map(({ call, revert }) => ({
    decoded: shownDecoded(decoded[call] ?? null),
    decoded_error: shownDecoded(decoded[revert] ?? null),
  }));
}

const HASH = /^(eq:)?(0x)?([\dA-Fa-f]{64}|[\dA-Fa-f]{96})$/;
const INDEX = /^(eq:)?\d{1,10}$/;
const DOTTED_ADDRESS = /\.[\dA-Fa-f]{40}$/;
const INDEX_ALONE =
  'Invalid parameter usage: transaction.index - transaction.index requires block.number or block.hash filter to be specified';
const TWO_BLOCKS = 'Invalid parameter usage: block.hash - cannot combine block.number and block.hash';

/** The parameters of both lists that select results. @see contracts/mirror-contracts.md section 2.2 */
const RESULT_PARAMETERS: readonly CheckedParameter[] = [
  {
    parameter: 'block.hash',
    schema: Type.Optional(Type.String({ pattern: '^(eq:)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$' })),
    check: (text) => HASH.test(text),
  },
  {
    parameter: 'block.number',
    schema: Type.Optional(Type.String({ pattern: '^(eq:)?(\\d{1,19}|0x[0-9A-Fa-f]{1,16})$' })),
    check: isBlockNumber,
  },
  {
    parameter: 'from',
    schema: repeated('', null, { each: 'Id of the sender with optional operator, or EVM address.' }),
    check: (text) => isAccountCondition(text) && !DOTTED_ADDRESS.test(text),
  },
  { parameter: 'timestamp', schema: timesSchema(), check: isTimestampCondition },
  {
    parameter: 'transaction.index',
    schema: repeated('(eq:)?', '\\d{1,10}', { each: 'Index within the given block.' }),
    check: (text) => INDEX.test(text),
  },
];

/** What a request selects of results beside their contract. */
interface ResultConditions {
  readonly times: IntegerSelection;
  readonly senders: IntegerSelection | null;
  readonly transactionIndexes: ReadonlySet<bigint> | null;
}

/**
 * Reads checked values.
 *
 * @returns null when a requested block is not there
 * @throws MirrorApiError 400 for combinations that mean nothing, 404 for an unknown sender.
 */
async function readResultConditions(
  values: ParameterValues,
  names: Pick<EntityNames, 'home' | 'resolveAddress'>,
  blocks: Pick<BlockRepository, 'byHash' | 'byNumber' | 'ownTimes'>,
): Promise<ResultConditions | null> {
  const [number, hash] = [values.get('block.number')?.at(-1), values.get('block.hash')?.at(-1)];
  const indexes = values.get('transaction.index');
  if (indexes !== undefined && number === undefined && hash === undefined)
    throw invalidRequest([INDEX_ALONE]);
  if (number !== undefined && hash !== undefined) throw invalidRequest([TWO_BLOCKS]);
  const from = [];
  for (const { operator, value } of (values.get('from') ?? [])
    .map(parseFilter)
    .filter((each) => each !== null)) {
    const id = await entityOfText(value, names);
    if (id === null) throw notFoundError();
    from.push({ operator, value: id });
  }
  const conditions = {
    times: selectIntegers(timestampConditions(values.get('timestamp') ?? [])),
    senders: from.length === 0 ? null : selectIntegers(from),
    transactionIndexes: indexes === undefined ? null : new Set(indexes.map((text) => BigInt(operand(text)))),
  };
  if (number === undefined && hash === undefined) return conditions;
  const blockNumber = number === undefined ? null : readBlockNumber(operand(number));
  const block =
    blockNumber === null
      ? await blocks.byHash(parseHex(operand(hash ?? '')) ?? new Uint8Array())
      : await blocks.byNumber(blockNumber);
  if (block === null) return null;
  const { equal, excluded, lower, upper } = conditions.times;
  const own = await blocks.ownTimes(block);
  const times = {
    equal: own.equal !== null && equal !== null ? intersection(own.equal, equal) : (own.equal ?? equal),
    excluded: own.excluded.size === 0 ? excluded : new Set([...excluded, ...own.excluded]),
    lower: lower > block.consensusStart ? lower : block.consensusStart,
    upper: upper < block.consensusEnd ? upper : block.consensusEnd,
  };
  return { ...conditions, times };
}

function intersection(one: ReadonlySet<bigint>, other: ReadonlySet<bigint>): ReadonlySet<bigint> {
  return new Set([...one].filter((time) => other.has(time)));
}

function isBlockNumber(text: string): boolean {
  return readBlockNumber(text.replace(/^eq:/, '')) !== null;
}
