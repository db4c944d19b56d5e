import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseHex } from '../../../values/hex.ts';
import type { BlockRepository } from '../../blocks/block-repository.ts';
import { invalidRequest } from '../../errors.ts';
import { type ExactJson, printExactJson } from '../../ledger/exact-json.ts';
import { checkParameters, type ParameterValues } from '../../parameters/check-parameters.ts';
import type { EntityNames } from '../../parameters/entity-in-path.ts';
import { operand } from '../../parameters/filter-operator.ts';
import { isFlag, lastFlag } from '../../parameters/flag.ts';
import { nextLink } from '../../parameters/next-link.ts';
import {
  type PageRequest,
  type PageSettings,
  pageChecks,
  pageRequest,
} from '../../parameters/page-parameters.ts';
import { readQuery, requestPath } from '../../parameters/query-text.ts';
import { twoPartPage } from '../../parameters/two-part-page.ts';
import type { BoundTimes, TimeBounds } from '../bound-times.ts';
import type { ContractAddresses } from '../contract-addresses.ts';
import { contractBelow } from '../contract-below.ts';
import type { DecodeRows } from '../decode-rows.ts';
import type { ContractLogRepository } from './contract-log-repository.ts';
import { decodeLogs } from './decode-logs.ts';
import { logDocument } from './log-document.ts';
import {
  LOG_CHECKS,
  LOG_KEY,
  type LogConditions,
  placesOf,
  readLogConditions,
  timesOf,
} from './log-parameters.ts';

export interface LogListDependencies {
  readonly logs: ContractLogRepository;
  readonly blocks: Pick<BlockRepository, 'holding'>;
  readonly addresses: ContractAddresses;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
  readonly boundTimes: BoundTimes;
  readonly decode: DecodeRows;
}

interface Answer {
  readonly json: string;
  readonly next: string | null;
}

/** A page as it is asked for. */
interface LogRequest extends LogConditions {
  readonly values: ParameterValues;
  readonly page: PageRequest;
  /** Null for the logs of all contracts. */
  readonly contract: bigint | null;
  /** Within those that are asked for; null when there are none. */
  readonly times: TimeBounds | null;
}

const HASH = /^(eq:)?(0x)?([\dA-Fa-f]{64}|[\dA-Fa-f]{96})$/;
const HASH_NAME = 'transaction.hash';

/**
 * Answers `GET /api/v1/contracts/results/logs`.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-contracts.md section 6
 */
export async function listLogs(target: string, dependencies: LogListDependencies): Promise<Answer> {
  const { boundTimes, logs, maxRepeated, page } = dependencies;
  const checks = {
    ...pageChecks(page),
    ...LOG_CHECKS,
    decode: isFlag,
    [HASH_NAME]: (text: string) => HASH.test(text),
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const hashes = values.get(HASH_NAME) ?? [];
  if (hashes.length > 1) throw invalidRequest([`Only one ${HASH_NAME} filter is allowed`]);
  const conditions = await readLogConditions(values);
  const request = { ...conditions, values, page: pageRequest(values, page), contract: null };
  const times = timesOf(conditions);
  const { order } = request.page;
  const [hash] = hashes;
  if (hash !== undefined) {
    const bytes = parseHex(operand(hash)) ?? new Uint8Array();
    const time = times === null ? null : await logs.timeOfHash(bytes, times, order);
    return answer(
      { ...request, times: time === null ? null : { lower: time, upper: time } },
      target,
      dependencies,
    );
  }
  const isRange = times !== null && conditions.places.primary.equal === null;
  const window = isRange ? await boundTimes(times, order) : null;
  const found = await answer({ ...request, times: window ?? times }, target, dependencies);
  if (found.next !== null || window === null || window.cutAt === null) return found;
  // All of the window was shown: the next page begins where it was cut.
  const link = { parameter: 'timestamp', order, value: printTimestamp(window.cutAt) };
  const following = withoutPassedIndex(values, order);
  return withNext(found.rows, nextLink(page.linkBase + requestPath(target), following, link));
}

/** Behind the time at a bound a bound of the index means nothing, and is refused. */
function withoutPassedIndex(values: ParameterValues, order: 'asc' | 'desc'): ParameterValues {
  const { parameter } = LOG_KEY.secondary;
  const passed = order === 'asc' ? /^gte?:/ : /^lte?:/;
  const kept = (values.get(parameter) ?? []).filter((text) => !passed.test(text));
  const following = new Map(values);
  if (kept.length > 0) following.set(parameter, kept);
  else following.delete(parameter);
  return following;
}

/**
 * Answers `GET /api/v1/contracts/{id}/results/logs`.
 *
 * @throws MirrorApiError 400 for another form of the contract or bad parameters.
 * @see contracts/mirror-contracts.md section 6
 */
export async function listContractLogs(
  contractText: string,
  target: string,
  dependencies: LogListDependencies,
): Promise<Answer> {
  const { maxRepeated, names, page } = dependencies;
  const contract = await contractBelow(contractText, names);
  const values = checkParameters(
    readQuery(target),
    { ...pageChecks(page), ...LOG_CHECKS, decode: isFlag },
    maxRepeated,
  );
  const conditions = await readLogConditions(values);
  const request = { ...conditions, values, page: pageRequest(values, page), contract };
  const times = contract === null || contract === 0n ? null : timesOf(conditions);
  return answer({ ...request, times }, target, dependencies);
}

async function answer(
  { contract, page: request, places, times, topics, values }: LogRequest,
  target: string,
  { addresses, blocks, decode, logs, page }: LogListDependencies,
): Promise<Answer & { readonly rows: readonly ExactJson[] }> {
  const range = times === null ? null : placesOf(places, times);
  const found =
    range === null
      ? []
      : // One more tells whether a page follows.
        await logs.page({ contract, ...range, topics, order: request.order, limit: request.limit + 1 });
  const { next, shown } = twoPartPage({
    found,
    request,
    page,
    target,
    values,
    key: LOG_KEY,
    conditions: places,
    of: ({ consensusTimestamp, index }) => ({ primary: consensusTimestamp, secondary: index }),
  });
  const addressOf = await addresses.addressesOf(shown.map((log) => log.contract));
  const blockOf = await blocks.holding(shown.map((log) => log.consensusTimestamp));
  const decoded = lastFlag(values, 'decode', false) ? await decodeLogs(shown, addressOf, decode) : [];
  const rows = shown.map((log, index) => {
    const [address, block] = [addressOf.get(log.contract), blockOf.get(log.consensusTimestamp)];
    return Object.assign(logDocument(log, address ?? null, block ?? null), decoded[index]);
  });
  return withNext(rows, next);
}

function withNext(rows: readonly ExactJson[], next: string | null) {
  return { rows, json: printExactJson({ logs: rows, links: { next } }), next };
}
