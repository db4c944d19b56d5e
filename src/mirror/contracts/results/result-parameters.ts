import { Type } from '@sinclair/typebox';
import { parseHex } from '../../../values/hex.ts';
import type { BlockRepository } from '../../blocks/block-repository.sql.ts';
import { invalidRequest, notFoundError } from '../../errors.ts';
import type { CheckedParameter } from '../../lists/keys.ts';
import { repeated } from '../../lists/parameters.ts';
import { isAccountCondition } from '../../parameters/account-filter.ts';
import { readBlockNumber } from '../../parameters/block-number.ts';
import type { ParameterValues } from '../../parameters/check-parameters.ts';
import { type EntityNames, entityOfText } from '../../parameters/entity-in-path.ts';
import { operand, parseFilter } from '../../parameters/filter-operator.ts';
import { type IntegerSelection, selectIntegers } from '../../parameters/page-parameters.ts';
import { isTimestampCondition, timestampConditions } from '../../parameters/timestamp-text.ts';
import { timesSchema } from '../contract-below.ts';

const HASH = /^(eq:)?(0x)?([\dA-Fa-f]{64}|[\dA-Fa-f]{96})$/;
const INDEX = /^(eq:)?\d{1,10}$/;
const DOTTED_ADDRESS = /\.[\dA-Fa-f]{40}$/;
const INDEX_ALONE =
  'Invalid parameter usage: transaction.index - transaction.index requires block.number or block.hash filter to be specified';
const TWO_BLOCKS = 'Invalid parameter usage: block.hash - cannot combine block.number and block.hash';

/** The parameters of both lists that select results. @see contracts/mirror-contracts.md section 2.2 */
export const RESULT_PARAMETERS: readonly CheckedParameter[] = [
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

/** What a request asks of results beside their contract. */
export interface ResultConditions {
  readonly times: IntegerSelection;
  readonly senders: IntegerSelection | null;
  readonly transactionIndexes: ReadonlySet<bigint> | null;
}

/**
 * Reads checked values.
 *
 * @returns null when a block is asked for that is not there
 * @throws MirrorApiError 400 for combinations that mean nothing, 404 for a sender that nobody is.
 */
export async function readResultConditions(
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
  const block =
    number === undefined
      ? await blocks.byHash(parseHex(operand(hash ?? '')) ?? new Uint8Array())
      : await blocks.byNumber(BigInt(operand(number)));
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
