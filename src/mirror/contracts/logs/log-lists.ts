import { Type } from '@sinclair/typebox';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { type Hex, parseHex } from '../../../values/hex.ts';
import type { BlockRepository } from '../../blocks/block-repository.sql.ts';
import { invalidRequest } from '../../errors.ts';
import type { CheckedParameter, Keys } from '../../lists/keys.ts';
import { type ListContext, listOn } from '../../lists/list.ts';
import { yesOrNo } from '../../lists/parameters.ts';
import type { ParameterValues } from '../../parameters/check-parameters.ts';
import { operand } from '../../parameters/filter-operator.ts';
import type { IntegerRange } from '../../parameters/integer-range.ts';
import { nextLink } from '../../parameters/next-link.ts';
import { orderedPage } from '../../parameters/ordered-page.ts';
import { requestPath } from '../../parameters/query-text.ts';
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
import type { ContractLogRepository } from './contract-log-repository.sql.ts';
import { dataOf, type StoredLog, topicsOf } from './contract-log-repository.ts';
import { LOG } from './log-document.ts';
import {
  LOG_KEY,
  LOG_PARAMETERS,
  type LogConditions,
  placesOf,
  readLogConditions,
  timesOf,
} from './log-parameters.ts';

export interface LogContext extends ListContext {
  readonly contractLogs: ContractLogRepository;
  readonly blocks: Pick<BlockRepository, 'holding'>;
  readonly contractAddresses: ContractAddresses;
  readonly boundTimes: BoundTimes;
  readonly decode: DecodeRows;
}

interface LogKeys extends LogConditions {
  /** Within those that are asked for; null when there are none. */
  readonly times: IntegerRange | null;
  /** Where the server cut them: all of a page without a link was shown, and the next one begins there. */
  readonly cutAt: bigint | null;
}

const HASH_TEXT = /^(eq:)?(0x)?([\dA-Fa-f]{64}|[\dA-Fa-f]{96})$/;
const HASH = 'transaction.hash';
const HASH_PARAMETER: CheckedParameter = {
  parameter: HASH,
  schema: Type.Optional(Type.String({ pattern: '^(eq:)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$' })),
  check: (text) => HASH_TEXT.test(text),
};

/** @param read the times of the conditions, as far as they are searched for one page */
function logKeys(
  parts: readonly CheckedParameter[],
  read: (
    conditions: LogConditions,
    values: ParameterValues,
    order: 'asc' | 'desc',
  ) => Promise<Pick<LogKeys, 'cutAt' | 'times'>>,
): Keys<StoredLog, LogKeys, unknown> {
  return {
    parts,
    async read(values, { order }) {
      const conditions = await readLogConditions(values);
      return { ...conditions, ...(await read(conditions, values, order)) };
    },
    page(found, { cutAt, places }, cut) {
      const { page, request, target, values } = cut;
      const cutPage = orderedPage({
        ...cut,
        found,
        parts: [LOG_KEY.primary, LOG_KEY.secondary],
        conditions: [places.primary, places.secondary],
        cursorOf: ({ consensusTimestamp, index }) => [consensusTimestamp, index],
      });
      if (cutPage.next !== null || cutAt === null) return cutPage;
      const { order } = request;
      const link = { parameter: 'timestamp', order, value: printTimestamp(cutAt) };
      const following = withoutPassedIndex(values, order);
      return { ...cutPage, next: nextLink(page.linkBase + requestPath(target), following, link) };
    },
  };
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

const decode = yesOrNo(false, 'Whether rows are decoded, using verified contracts.');

async function readLogs(
  contract: bigint | null,
  { places, times, topics }: LogKeys,
  { limit, order }: { readonly limit: number; readonly order: 'asc' | 'desc' },
  { contractLogs }: LogContext,
): Promise<readonly StoredLog[]> {
  const range = times === null ? null : placesOf(places, times);
  return range === null ? [] : contractLogs.page({ contract, ...range, topics, order, limit });
}

async function shownLogs(
  logs: readonly StoredLog[],
  { decode: isDecoded }: { readonly decode: boolean },
  { blocks, contractAddresses, decode }: LogContext,
) {
  const addressOf = await contractAddresses.addressesOf(logs.map((log) => log.contract));
  const blockOf = await blocks.holding(logs.map((log) => log.consensusTimestamp));
  const decoded = isDecoded ? await decodeLogs(logs, addressOf, decode) : [];
  return logs.map((log, index) => ({
    log,
    address: addressOf.get(log.contract) ?? null,
    block: blockOf.get(log.consensusTimestamp) ?? null,
    decoded: decoded[index],
  }));
}

/** Logs of all contracts. @see contracts/mirror-contracts.md section 6 */
export const logList = listOn<LogContext, LogKeys>()({
  path: '/api/v1/contracts/results/logs',
  summary: 'Logs of all contracts',
  name: 'logs',
  maxAgeSeconds: 10,
  order: ['desc'],
  byName: {},
  keys: ({ boundTimes, contractLogs }) => {
    const keys = logKeys([...LOG_PARAMETERS, HASH_PARAMETER], async (conditions, values, order) => {
      const times = timesOf(conditions);
      if (times === null) return { times, cutAt: null };
      const hash = values.get(HASH)?.[0];
      if (hash !== undefined) {
        const bytes = parseHex(operand(hash)) ?? new Uint8Array();
        const time = await contractLogs.timeOfHash(bytes, times, order);
        return { times: time === null ? null : { lower: time, upper: time }, cutAt: null };
      }
      const window = conditions.places.primary.equal === null ? await boundTimes(times, order) : null;
      return { times: window ?? times, cutAt: window?.cutAt ?? null };
    });
    return {
      ...keys,
      async read(values, request) {
        if ((values.get(HASH)?.length ?? 0) > 1) throw invalidRequest([`Only one ${HASH} filter is allowed`]);
        return keys.read(values, request);
      },
    };
  },
  parameters: { decode },
  rows: ({ keys, ...page }, context) => readLogs(null, keys, page, context),
  shown: shownLogs,
  item: LOG,
});

/** Logs of a contract. @see contracts/mirror-contracts.md section 6 */
export const contractLogList = listOn<LogContext, LogKeys>()({
  path: '/api/v1/contracts/:contractIdOrAddress/results/logs',
  summary: 'Logs of a contract',
  name: 'logs',
  order: ['desc'],
  byName: {},
  subject: belowContract,
  keys: () => logKeys(LOG_PARAMETERS, async (conditions) => ({ times: timesOf(conditions), cutAt: null })),
  parameters: { decode },
  rows: async ({ keys, subject: contract, ...page }, context) =>
    contract === null || contract === 0n ? [] : readLogs(contract, keys, page, context),
  shown: shownLogs,
  item: LOG,
});

const NOTHING: Uint8Array = new Uint8Array();

/** What `decode=true` adds to logs: `decoded`, the event with its arguments. */
async function decodeLogs(
  logs: readonly StoredLog[],
  addressOf: ReadonlyMap<bigint, string | null>,
  decode: DecodeRows,
): Promise<readonly DecodedMembers[]> {
  const requests: LedgerDecodeRequest[] = [];
  const places = logs.map((log) => {
    const address = bytesOfHex(addressOf.get(log.contract) ?? null);
    if (address === null) return -1;
    const [data, topics] = [bytesOf(dataOf(log)), topicsOf(log).map(bytesOf)];
    return requests.push({ kind: 'log', address, data, topics }) - 1;
  });
  const decoded = requests.length === 0 ? [] : await decode(requests);
  return places.map((place) => ({ decoded: shownDecoded(decoded[place] ?? null) }));
}

function bytesOf(hex: Hex): Uint8Array {
  return bytesOfHex(hex) ?? NOTHING;
}
