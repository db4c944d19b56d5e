import { printTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { printEntityId } from '../../../../src/values/entity-id.ts';
import { bareHex, toHex } from '../../../../src/values/hex.ts';
import * as fc from '../../../support/properties.ts';
import { anyConditions, type Condition, meetsAll } from '../conditions.ts';
import {
  ADDRESSES,
  CONTRACTS,
  type ContractBlock,
  type ContractEvent,
  LAST_TICK,
  SENDERS,
  START,
  TICK,
} from './random-contract-ledger.ts';

/** What a request for results asks. */
export interface ResultQuery {
  /** Null for those of all contracts. */
  readonly contract: bigint | null;
  readonly from: readonly Condition[];
  /** Ticks after the start. */
  readonly times: readonly Condition[];
  readonly block: { readonly by: 'number' | 'hash'; readonly number: bigint } | null;
  /** Asked for beside a block alone. */
  readonly places: readonly number[];
  readonly isInternal: boolean | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Whether entities that have an address are named by it. */
  readonly usesAddresses: boolean;
}

/** A row of a list, as far as a scan tells it. */
export type ResultFacts = Readonly<Record<string, string | number | null>>;

/** A number that no block has. */
const NO_BLOCK = 40n;

export const anyResultQuery: fc.Arbitrary<ResultQuery> = fc.record({
  contract: fc.constantFrom(null, 0n, ...CONTRACTS),
  from: fc.oneof(fc.constant([]), anyConditions(fc.constantFrom(...SENDERS, 7n), 2)),
  times: anyConditions(fc.bigInt({ min: 0n, max: LAST_TICK }), 3),
  block: fc.option(
    fc.record({
      by: fc.constantFrom<'number' | 'hash'>('number', 'hash'),
      number: fc.oneof(fc.bigInt({ min: 0n, max: 6n }), fc.constant(NO_BLOCK)),
    }),
    { freq: 1 },
  ),
  places: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  isInternal: fc.constantFrom(null, true, false),
  order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 5 }),
  usesAddresses: fc.boolean(),
});

/** The target of a request. */
export function printResultQuery(query: ResultQuery, blocks: readonly ContractBlock[]): string {
  const { block, contract, from, isInternal, limit, order, places, times, usesAddresses } = query;
  const name = (id: bigint) => entityText(id, usesAddresses);
  const parts = [
    ...from.map(({ operator, value }) => `from=${operator}:${name(value)}`),
    ...times.map(({ operator, value }) => `timestamp=${operator}:${printTimestamp(START + value * TICK)}`),
    ...(block === null ? [] : [printBlock(block, blocks)]),
    ...(block === null ? [] : places.map((place) => `transaction.index=${place}`)),
    ...(isInternal === null ? [] : [`internal=${isInternal}`]),
    `order=${order}`,
    `limit=${limit}`,
  ];
  return `/api/v1/contracts/${contract === null ? '' : `${name(contract)}/`}results?${parts.join('&')}`;
}

/** An entity in a path or a filter. */
export function entityText(id: bigint, usesAddresses: boolean): string {
  const address = usesAddresses ? ADDRESSES.get(id) : undefined;
  return address === undefined ? printEntityId(id) : toHex(address);
}

/** The rules of contracts/mirror-contracts.md sections 2.2 and 5. It is read row by row. */
export function naiveResults(blocks: readonly ContractBlock[], query: ResultQuery): readonly ResultFacts[] {
  const { block: asked, order } = query;
  const rows = blocks
    .filter(({ number }) => asked === null || asked.number === number)
    .flatMap((block) => block.events.map((event) => shownOf(event, block, query)))
    .filter((row) => row !== null);
  return order === 'asc' ? rows : rows.toReversed();
}

/** The same facts of a row of an answer. */
export function resultFacts(row: Readonly<Record<string, unknown>>, query: ResultQuery): ResultFacts {
  const facts = {
    timestamp: row['timestamp'] as string,
    contract: row['contract_id'] as string | null,
    amount: row['amount'] as number | null,
  };
  if (query.contract !== null) return facts;
  return {
    ...facts,
    block: `${row['block_number']} ${row['block_hash']}`,
    place: row['transaction_index'] as number | null,
  };
}

function shownOf(
  { logs, result, transaction }: ContractEvent,
  { events, number, unit }: ContractBlock,
  { block: asked, contract, from, isInternal, places, times }: ResultQuery,
): ResultFacts | null {
  const time = transaction.consensusTimestamp;
  const isAtTime = meetsAll(
    time,
    times.map(({ operator, value }) => ({ operator, value: START + value * TICK })),
  );
  const accepts = (at: number | null, of: bigint) =>
    isAtTime &&
    (contract === null || contract === of) &&
    (asked === null || places.length === 0 || (at !== null && places.includes(at)));
  const facts = (place: number | null, of: bigint, amount: number | null) => ({
    timestamp: printTimestamp(time),
    contract: of === 0n ? null : printEntityId(of),
    amount,
    // The short rows of a contract do not tell these.
    ...(contract === null ? { block: `${number} ${toHex(unit.header.hash)}`, place } : {}),
  });
  const isListed =
    result !== null &&
    result.transactionIndex !== null &&
    (isInternal === true || result.nonce === 0) &&
    (from.length === 0 || (result.sender !== null && meetsAll(result.sender, from)));
  if (isListed && accepts(result.transactionIndex, result.contract)) {
    return facts(result.transactionIndex, result.contract, Number(result.amount));
  }
  if (from.length > 0) return null;
  const place = events.findIndex((event) => event.transaction === transaction);
  const standsFor = logs.find(
    (log) =>
      log.isSynthetic && !isOfEverySerial(log.topics) && accepts(place, log.rootContract ?? log.contract),
  );
  return standsFor === undefined ? null : facts(place, standsFor.rootContract ?? standsFor.contract, null);
}

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Whether a synthetic log is shown nowhere: a transfer of serial number −1. */
export function isOfEverySerial(topics: readonly (Uint8Array | null)[]): boolean {
  const [event, , , serial] = topics;
  return event != null && serial != null && bareHex(event) === TRANSFER && bareHex(serial) === 'f'.repeat(16);
}

function printBlock({ by, number }: NonNullable<ResultQuery['block']>, blocks: readonly ContractBlock[]) {
  const block = blocks.find((each) => each.number === number);
  if (by === 'number') return `block.number=${number % 2n === 0n ? number : `0x${number.toString(16)}`}`;
  const hash = block === undefined ? 'ee'.repeat(48) : bareHex(block.unit.header.hash);
  return `block.hash=${number % 2n === 0n ? `0x${hash}` : hash.slice(0, 64).toUpperCase()}`;
}
