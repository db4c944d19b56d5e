import { entityId, printEntityId } from '../../values/entity-id.ts';
import { invalidRequest, messages } from '../errors.ts';
import type { EntityReader, EntityState, EntityTimes } from '../ledger/entity-reader.sql.ts';
import { type Fields, flag, hex, id, integer, itemOf, key, nested, text, time } from '../lists/fields.ts';
import { type InPath, type ListContext, listOn } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { ANY_OF, accounts, type Parameter } from '../lists/parameters.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import { looksLikeEntity } from '../parameters/entity-id-text.ts';
import { contractInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type IntegerSelection, selectIntegers } from '../parameters/page-parameters.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';
import { CONTRACT_IN_PATH, CONTRACT_PARAMS, timesSchema } from './contract-below.ts';
import type { ContractCode, ContractCodes } from './contract-codes.ts';
import type { ContractPages } from './contract-pages.sql.ts';

export interface ContractContext extends ListContext {
  readonly contracts: ContractPages;
  readonly entities: EntityReader;
  readonly contractCodes: ContractCodes;
  /** As `names`, but addresses of deleted contracts are known as well. */
  readonly contractNames: EntityNames;
}

interface ListedContract {
  readonly entity: EntityState;
  readonly file: bigint | null;
}

type WholeContract = ListedContract & { readonly code: ContractCode | null };

const EVM_ADDRESS = /[\dA-Fa-f]{40}$/;
const NO_CODE = new Uint8Array();

const keyToRenewal = {
  admin_key: key(({ entity }) => entity.key),
  auto_renew_account: id.orNull(({ entity }) => entity.autoRenewAccount),
  auto_renew_period: integer.orNull(({ entity }) => entity.autoRenewPeriod),
} satisfies Fields<ListedContract>;
const idToProxy = {
  contract_id: id(({ entity }) => entity.id),
  created_timestamp: time.orNull(({ entity }) => entity.createdTimestamp),
  deleted: flag.orNull(({ entity }) => entity.isDeleted),
  evm_address: hex(({ entity }) => entity.evmAddress ?? longZeroOf(entity.id)),
  expiration_timestamp: time.orNull(({ entity }) => entity.expiryTimestamp),
  file_id: id.orNull(({ file }) => file),
  max_automatic_token_associations: integer.orNull(({ entity }) => entity.maxAutomaticAssociations),
  memo: text(({ entity }) => entity.memo ?? ''),
  nonce: integer.orNull(({ entity }) => entity.ethereumNonce),
  obtainer_id: id.orNull(({ entity }) => entity.obtainer),
  permanent_removal: flag.orNull(({ entity }) => entity.isPermanentRemoval),
  proxy_account_id: id.orNull(({ entity }) => entity.proxyAccount),
} satisfies Fields<ListedContract>;
const RANGE = itemOf<EntityState>()({
  from: time.orNull(({ changedTimestamp, createdTimestamp }) => changedTimestamp ?? createdTimestamp),
  to: time.orNull(({ heldUntil }) => heldUntil),
});
const timestamp = { timestamp: nested(RANGE)(({ entity }) => entity) } satisfies Fields<ListedContract>;

/** @see contracts/mirror-contracts.md section 2 */
const LISTED_CONTRACT = itemOf<ListedContract>()(
  { ...keyToRenewal, ...idToProxy, ...timestamp },
  'ListedContract',
);

/** Code that the ledger does not tell is `0x`. @see contracts/mirror-contracts.md section 2.1 */
export const CONTRACT = itemOf<WholeContract>()(
  {
    ...keyToRenewal,
    bytecode: hex(
      ({ code }) => code?.bytecode ?? NO_CODE,
      'What created the contract: initcode, or the contents of the file; `0x` if unknown.',
    ),
    ...idToProxy,
    runtime_bytecode: hex(
      ({ code }) => code?.runtimeCode ?? NO_CODE,
      '`0x` until a sidecar with it is imported.',
    ),
    ...timestamp,
  },
  'LedgerContract',
);

const ids = accounts(ANY_OF, { each: 'Id with optional operator, or EVM address.' });
const contractIds: Parameter<IntegerSelection, ContractContext> = {
  ...ids,
  /** An EVM address is one contract: nothing is more or less than it. */
  check(text) {
    const filter = parseFilter(text);
    if (filter === null || !isAccountCondition(text)) return false;
    return filter.operator === 'eq' || !EVM_ADDRESS.test(filter.value);
  },
  read: (texts, { contractNames: names }) => ids.read(texts, { names }),
};

/** @see contracts/mirror-contracts.md section 2 */
export const contractList = listOn<ContractContext>()({
  path: '/api/v1/contracts',
  summary: 'Contracts',
  name: 'contracts',
  maxAgeSeconds: 10,
  order: ['desc'],
  parameters: { 'contract.id': contractIds },
  rows: ({ 'contract.id': ids, limit, order }, { contracts }) => contracts.page({ ids, order, limit }),
  cursor: { parameter: 'contract.id', of: (contract) => contract, print: printEntityId },
  async shown(found, _question, { contractCodes, entities }) {
    const files = await contractCodes.filesOf(found.map(entityId));
    const states = await entities.findEach(found);
    return found.flatMap((id) => {
      const entity = states.get(id);
      return entity === undefined ? [] : [{ entity, file: files.get(id) ?? null }];
    });
  },
  item: LISTED_CONTRACT,
});

/** A contract as the path names it. */
const textInPath: InPath<string, unknown> = {
  params: CONTRACT_PARAMS,
  read({ contractIdOrAddress: text = '' }) {
    if (!looksLikeEntity(text)) throw invalidRequest([messages.invalidParameter(CONTRACT_IN_PATH)]);
    return text;
  },
};

/** When a contract is asked for; null without times. A time alone means at or before. */
const heldAt: Parameter<EntityTimes | null> = {
  schema: timesSchema('Consensus timestamp; without operator or with eq: at or before. May be repeated.'),
  check: isTimestampCondition,
  read(texts) {
    if (texts.length === 0) return null;
    const { excluded, lower, upper } = selectIntegers(
      timestampConditions(texts).map(({ operator, value }) => ({
        operator: operator === 'eq' ? 'lte' : operator,
        value,
      })),
    );
    return { lower, upper, excluded: [...excluded] };
  },
};

/**
 * The newest state, or with `timestamp` the newest one that was so at such a time.
 *
 * @see contracts/mirror-contracts.md section 2.1
 */
export const oneContract = oneOn<ContractContext>()({
  path: '/api/v1/contracts/:contractIdOrAddress',
  summary: 'One contract',
  subject: textInPath,
  parameters: { timestamp: heldAt },
  async find({ subject: text, timestamp: times }, { contractCodes, contractNames, entities }) {
    const id = await contractInPath(text, CONTRACT_IN_PATH, contractNames);
    if (id === null) return null;
    const entity = await (times === null ? entities.find(id) : entities.findAt(id, times));
    if (entity === null || entity.type !== 'CONTRACT') return null;
    const code = await contractCodes.code(entityId(entity.id));
    return { entity, code, file: code?.file ?? null };
  },
  item: CONTRACT,
});
