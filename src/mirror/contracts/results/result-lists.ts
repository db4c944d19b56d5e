import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { BlockRepository } from '../../blocks/block-repository.sql.ts';
import type { Keys } from '../../lists/keys.ts';
import { type ListContext, listOn } from '../../lists/list.ts';
import { yesOrNo } from '../../lists/parameters.ts';
import type { GasPriceAt } from '../../network/gas-price-at.ts';
import { cursorPage, type PageCursor } from '../../parameters/cursor-page.ts';
import { nextLink } from '../../parameters/next-link.ts';
import type { PageRequest } from '../../parameters/page-parameters.ts';
import { requestPath } from '../../parameters/query-text.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import type { BoundTimes } from '../bound-times.ts';
import type { ContractAddresses } from '../contract-addresses.sql.ts';
import { belowContract } from '../contract-below.ts';
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
import { RESULT_PARAMETERS, type ResultConditions, readResultConditions } from './result-parameters.ts';
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

/** Results of all contracts; 404 for a sender that nobody is. @see contracts/mirror-contracts.md sections 2.2 and 3 */
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
