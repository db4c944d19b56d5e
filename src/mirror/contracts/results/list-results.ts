import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { BlockRepository } from '../../blocks/block-repository.ts';
import { type ExactJson, printExactJson } from '../../ledger/exact-json.ts';
import type { GasPriceAt } from '../../network/gas-price-at.ts';
import {
  checkParameters,
  type ParameterChecks,
  type ParameterValues,
} from '../../parameters/check-parameters.ts';
import { cursorPage } from '../../parameters/cursor-page.ts';
import type { EntityNames } from '../../parameters/entity-in-path.ts';
import { isFlag, lastFlag } from '../../parameters/flag.ts';
import { nextLink } from '../../parameters/next-link.ts';
import { type PageSettings, pageChecks, pageRequest } from '../../parameters/page-parameters.ts';
import { readQuery, requestPath } from '../../parameters/query-text.ts';
import type { BoundTimes } from '../bound-times.ts';
import type { ContractAddresses } from '../contract-addresses.ts';
import { contractBelow } from '../contract-below.ts';
import type { DecodeRows } from '../decode-rows.ts';
import type { ContractLogRepository } from '../logs/contract-log-repository.ts';
import type { ContractResultRepository, StoredResult } from './contract-result-repository.ts';
import { decodeResults } from './decode-results.ts';
import { detailedResult, shortResult } from './result-document.ts';
import { RESULT_CHECKS, type ResultConditions, readResultConditions } from './result-parameters.ts';
import { withSyntheticBlooms } from './synthetic-blooms.ts';

export interface ResultListDependencies {
  readonly results: ContractResultRepository;
  readonly logs: Pick<ContractLogRepository, 'syntheticBlooms'>;
  readonly blocks: Pick<BlockRepository, 'byHash' | 'byNumber' | 'holding' | 'ownTimes'>;
  readonly addresses: ContractAddresses;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  readonly gasPriceAt: GasPriceAt;
  /** Of the network, a quantity such as `0x128`. */
  readonly chainId: string;
  /** Whether synthetic logs stand for results. */
  readonly showsSynthetic: boolean;
  readonly boundTimes: BoundTimes;
  readonly decode: DecodeRows;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

interface Answer {
  readonly json: string;
  readonly next: string | null;
}

/**
 * Answers `GET /api/v1/contracts/results`.
 *
 * @throws MirrorApiError 400 for bad parameters, 404 for a sender that nobody is.
 * @see contracts/mirror-contracts.md sections 2.2 and 3
 */
export async function listResults(target: string, dependencies: ResultListDependencies): Promise<Answer> {
  const { addresses, blocks, boundTimes, chainId, gasPriceAt, logs, page } = dependencies;
  const values = checkedValues(target, dependencies);
  const conditions = await readResultConditions(values, dependencies.names, blocks);
  const { order } = pageRequest(values, page);
  const isOpen = conditions !== null && conditions.times.equal === null;
  const window = isOpen ? await boundTimes(conditions.times, order) : null;
  const bound =
    conditions === null || window === null
      ? conditions
      : { ...conditions, times: { ...conditions.times, lower: window.lower, upper: window.upper } };
  const { next, shown } = await readPage(null, bound, conditions, values, target, dependencies);
  const blockOf = await blocks.holding(shown.map((result) => result.consensusTimestamp));
  const addressOf = await addresses.addressesOf(shown.map((result) => result.contract));
  const isHbar = lastFlag(values, 'hbar', true);
  const bloomed = await withSyntheticBlooms(shown, logs);
  const newestFirst = order === 'desc' ? bloomed : bloomed.toReversed();
  const rows: ExactJson[] = [];
  // What was read for a time is known for those before it.
  for (const result of newestFirst) {
    const { consensusTimestamp, contract, ethereum } = result;
    rows.push(
      detailedResult(result, {
        chainId,
        isHbar,
        address: addressOf.get(contract) ?? null,
        block: blockOf.get(consensusTimestamp) ?? null,
        gasPrice: ethereum === null ? await gasPriceAt(consensusTimestamp) : null,
      }),
    );
  }
  if (order === 'asc') rows.reverse();
  // All of a cut window was shown: the next page begins where it was cut.
  const cutAt = next === null ? (window?.cutAt ?? null) : null;
  if (cutAt === null) return printed(rows, next);
  const link = { parameter: 'timestamp', order, value: printTimestamp(cutAt) };
  return printed(rows, nextLink(page.linkBase + requestPath(target), values, link));
}

/**
 * Answers `GET /api/v1/contracts/{id}/results`.
 *
 * @throws MirrorApiError 400 for another form of the contract or bad parameters, 404 for a sender that nobody is.
 * With `decode=true`, which is ours, each result tells what was called, where verified contracts tell it.
 *
 * @see contracts/mirror-contracts.md sections 2.2 and 3
 */
export async function listContractResults(
  contractText: string,
  target: string,
  dependencies: ResultListDependencies,
): Promise<Answer> {
  const { addresses, blocks, decode, logs, names } = dependencies;
  const contract = await contractBelow(contractText, names);
  const values = checkedValues(target, dependencies, { decode: isFlag });
  const conditions = await readResultConditions(values, names, blocks);
  const asked = contract === null ? null : conditions;
  const { next, shown } = await readPage(contract, asked, conditions, values, target, dependencies);
  const addressOf = await addresses.addressesOf(shown.map((result) => result.contract));
  const decoded = lastFlag(values, 'decode', false) ? await decodeResults(shown, addressOf, decode) : [];
  const bloomed = await withSyntheticBlooms(shown, logs);
  const rows = bloomed.map((result, index) => {
    const address = addressOf.get(result.contract) ?? null;
    return Object.assign(shortResult(result, { address, isHbar: true }), decoded[index]);
  });
  return printed(rows, next);
}

function checkedValues(
  target: string,
  { maxRepeated, page }: ResultListDependencies,
  more: ParameterChecks = {},
): ParameterValues {
  return checkParameters(readQuery(target), { ...pageChecks(page), ...RESULT_CHECKS, ...more }, maxRepeated);
}

/** @param conditions null when nothing can meet them @param asked as they were sent, which decides about the link */
async function readPage(
  contract: bigint | null,
  conditions: ResultConditions | null,
  asked: ResultConditions | null,
  values: ParameterValues,
  target: string,
  { page, results, showsSynthetic }: ResultListDependencies,
): Promise<{ readonly shown: readonly StoredResult[]; readonly next: string | null }> {
  const request = pageRequest(values, page);
  const isEmpty = conditions === null || conditions.times.lower > conditions.times.upper;
  const found = isEmpty
    ? []
    : await results.page({
        contract,
        ...conditions,
        isInternal: lastFlag(values, 'internal', false),
        withSynthetic: showsSynthetic,
        order: request.order,
        // One more tells whether a page follows.
        limit: request.limit + 1,
      });
  return cursorPage({
    cursor: {
      parameter: 'timestamp',
      of: (result: StoredResult) => result.consensusTimestamp,
      print: printTimestamp,
      selection: asked?.times ?? null,
    },
    found,
    page,
    request,
    target,
    values,
  });
}

function printed(results: readonly ExactJson[], next: string | null): Answer {
  return { json: printExactJson({ results, links: { next } }), next };
}
