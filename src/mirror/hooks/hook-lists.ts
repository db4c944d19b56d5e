import { Type } from '@sinclair/typebox';
import { bareHex } from '../../values/hex.ts';
import { invalidRequest, messages, notFoundError } from '../errors.ts';
import { flag, hex, id, integer, itemOf, key, since, text, time } from '../lists/fields.ts';
import { account, type InPath, type ListContext, listOn } from '../lists/list.ts';
import { ANY_OF, integers, isInteger, NOT_AFTER, orAny, times, words } from '../lists/parameters.ts';
import { wordBytes, wordDigits, wordOfText } from '../parameters/word-text.ts';
import type { Hook, HookRepository, HookSlot } from './hook-repository.sql.ts';

export interface HookContext extends ListContext {
  readonly hooks: HookRepository;
}

const HOOK = itemOf<Hook>()(
  {
    admin_key: key(({ adminKey }) => adminKey),
    contract_id: id.orNull(({ contract }) => contract),
    created_timestamp: time.orNull(({ createdTimestamp }) => createdTimestamp),
    deleted: flag(({ isDeleted }) => isDeleted),
    // The ledger knows no other.
    extension_point: text(() => 'ACCOUNT_ALLOWANCE_HOOK'),
    hook_id: integer(({ hookId }) => hookId),
    owner_id: id(({ owner }) => owner),
    timestamp_range: since(({ changedTimestamp }) => changedTimestamp),
    type: text(() => 'EVM'),
  },
  'Hook',
);

const ownerInPath = account();

/** Hooks of an account, which need not have any. @see contracts/mirror-entities.md section 10 */
export const hookList = listOn<HookContext>()({
  path: '/api/v1/accounts/:idOrAliasOrEvmAddress/hooks',
  summary: 'Hooks of an account',
  name: 'hooks',
  title: 'HookList',
  order: ['desc'],
  subject: ownerInPath,
  parameters: { 'hook.id': integers(ANY_OF) },
  rows: ({ 'hook.id': ids, limit, order, subject: owner }, { hooks }) =>
    hooks.page({ ...ids, owner, order, limit }),
  cursor: { parameter: 'hook.id', of: ({ hookId }) => hookId, print: String },
  item: HOOK,
});

const WORD_DIGITS = 64;
const SLOT = itemOf<HookSlot>()(
  {
    key: hex(({ key }) => key),
    timestamp: time(({ consensusTimestamp }) => consensusTimestamp),
    value: text(({ value }) => `0x${bareHex(value).padStart(WORD_DIGITS, '0')}`),
  },
  'HookSlot',
);
interface HookInPath {
  readonly owner: bigint;
  readonly hookId: bigint;
}

/** A hook that the ledger knows. */
const hookInPath: InPath<HookInPath, HookContext> = {
  params: Type.Object({
    ...ownerInPath.params.properties,
    hookId: Type.String({ pattern: '^\\d{1,19}$' }),
  }),
  async read(params, context) {
    const owner = await ownerInPath.read(params, context);
    const { hookId: text = '' } = params;
    if (!isInteger(text)) throw invalidRequest([messages.invalidParameter('hookid')]);
    const hookId = BigInt(text);
    if (!(await context.hooks.exists(owner, hookId))) throw notFoundError('Hook not found');
    return { owner, hookId };
  },
};

const MAX_TIMES = 2;
const slotTimes = orAny(
  times(NOT_AFTER, {
    maxItems: MAX_TIMES,
    description: 'Without operator or with eq: at or before.',
    isNeInvalid: true,
  }),
);

/** The slots of a hook as they are, or as they were set within times. @see contracts/mirror-entities.md section 10 */
export const hookStorageList = listOn<HookContext>()({
  path: '/api/v1/accounts/:idOrAliasOrEvmAddress/hooks/:hookId/storage',
  summary: 'Storage of a hook',
  name: 'storage',
  title: 'HookStorage',
  order: ['asc'],
  subject: hookInPath,
  parameters: {
    key: words('all'),
    timestamp: {
      ...slotTimes,
      read(texts, context) {
        if (texts.length > MAX_TIMES) throw invalidRequest([messages.invalidParameter('timestamp')]);
        return slotTimes.read(texts, context);
      },
    },
  },
  rows: ({ key, limit, order, subject: hook, timestamp }, { hooks }) =>
    hooks.slots({
      ...hook,
      lowerKey: wordBytes(key.lower),
      upperKey: wordBytes(key.upper),
      times: timestamp,
      order,
      limit,
    }),
  cursor: {
    parameter: 'key',
    of: ({ key }) => wordOfText(bareHex(key)),
    print: (key) => `0x${wordDigits(key)}`,
  },
  head: itemOf<HookInPath>()({
    hook_id: integer(({ hookId }) => hookId),
    owner_id: id(({ owner }) => owner),
  }),
  headOf: ({ subject }) => subject,
  item: SLOT,
  itemsDescription: 'Keys and values: `0x` and 64 hex digits.',
});
