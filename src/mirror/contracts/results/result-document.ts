import { Type } from '@sinclair/typebox';
import { printEntityId } from '../../../values/entity-id.ts';
import { type Hex, toHex } from '../../../values/hex.ts';
import type { BlockHead } from '../../blocks/block-repository.sql.ts';
import {
  ethereumAmount,
  ethereumGasPrice,
  plainAmount,
  quantity,
  unsignedOf,
  word,
} from '../../evm/quantities.ts';
import type { ExactJson } from '../../ledger/exact-json.ts';
import {
  exact,
  type Fields,
  hex,
  id,
  integer,
  itemOf,
  listOf,
  optional,
  text,
  time,
} from '../../lists/fields.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { isSuccess, resultName } from '../../vocabulary/response-codes.ts';
import { DECODED, type DecodedMembers } from '../decode-rows.ts';
import { RESULT_LOG, type ShownLog } from '../logs/log-document.ts';
import type {
  ChangedSlot,
  StoredEthereumTransaction,
  StoredResult,
} from './contract-result-repository.sql.ts';

/** A result as the list of a contract shows it. */
interface ShortResult {
  readonly result: StoredResult;
  /** Of its contract; null for none. */
  readonly address: string | null;
  /** Whether amounts are tinybars; otherwise weibars. */
  readonly isHbar: boolean;
  readonly decoded?: DecodedMembers | undefined;
}

/** A result as the list of all contracts shows it. */
export interface DetailedResult extends ShortResult {
  /** Null when it is not stored. */
  readonly block: BlockHead | null;
  /** Tinybars; null when it is not known, or an Ethereum transaction tells it. */
  readonly gasPrice: bigint | null;
  /** Of the network, a quantity such as `0x128`. */
  readonly chainId: string;
}

/** A slot with the address of its contract. */
interface ShownSlot {
  readonly slot: ChangedSlot;
  readonly address: string | null;
}

/** A result with its logs and slots. */
export interface WholeResult extends DetailedResult {
  readonly logs: readonly ShownLog[];
  readonly slots: readonly ShownSlot[];
}

/** Hex of no bytes. */
export const EMPTY = '0x';
const EMPTY_BLOOM = `0x${'0'.repeat(512)}`;
/** −1 of a block whose gas is not known. */
const UNKNOWN_GAS = -1n;
const BYTES = 'Hex of all bytes with `0x`; `0x` for none.';
const NO_BYTES = new Uint8Array();

/** @see contracts/mirror-contracts.md section 4.1 */
const short = {
  address: text.orNull(({ address }) => address),
  amount: integer.orNull(
    ({ isHbar, result: { amount, ethereum } }) =>
      ethereum === null ? plainAmount(amount, isHbar) : ethereumAmount(ethereum.value, isHbar),
    'Tinybars, or weibars with `hbar=false`.',
  ),
  bloom: text(({ result }) => bloomText(result.bloom), BYTES),
  call_result: text(({ result }) => result.callResult ?? EMPTY, BYTES),
  contract_id: id.orNull(({ result }) => result.contract),
  created_contract_ids: exact(Type.Array(Type.String()), ({ result }) =>
    result.createdContracts.map(printEntityId),
  ),
  error_message: text.orNull(({ result }) => errorMessage(result)),
  from: text.orNull(({ result }) => senderText(result)),
  function_parameters: text(({ result }) => result.functionParameters ?? EMPTY, BYTES),
  gas_consumed: integer.orNull(({ result }) => result.gasConsumed),
  gas_limit: integer(({ result }) => result.gasLimit),
  gas_used: integer.orNull(({ result }) => result.gasUsed),
  hash: text(({ result }) => result.hash ?? EMPTY, BYTES),
  timestamp: time(({ result }) => result.consensusTimestamp),
  to: text.orNull(({ result }) => receiverText(result)),
} satisfies Fields<ShortResult>;

const AccessList = Type.Array(
  Type.Object(
    { address: Type.String(), storage_keys: Type.Array(Type.String()) },
    { title: 'AccessListEntry' },
  ),
);
const AuthorizationList = Type.Array(
  Type.Object(
    {
      address: Type.String(),
      chain_id: Type.String(),
      nonce: Type.Integer(),
      r: Type.String(),
      s: Type.String(),
      y_parity: Type.String(),
    },
    { title: 'Authorization' },
  ),
);

/** What only an Ethereum transaction tells; null without one. */
const ofEthereum = (of: (ethereum: StoredEthereumTransaction, isHbar: boolean) => string) =>
  text.orNull<DetailedResult>(({ isHbar, result: { ethereum } }) =>
    ethereum === null ? null : of(ethereum, isHbar),
  );

const detailed = {
  ...short,
  access_list: exact(
    AccessList,
    ({ result }) => result.ethereum?.accessList.map((entry) => ({ ...entry })) ?? [],
  ),
  authorization_list: optional(AuthorizationList, ({ result }) => authorizations(result.ethereum)),
  block_gas_used: integer.orNull(({ block }) =>
    block === null || block.gasUsed === UNKNOWN_GAS ? null : block.gasUsed,
  ),
  block_hash: hex(({ block }) => block?.hash ?? NO_BYTES, BYTES),
  block_number: integer.orNull(({ block }) => block?.number ?? null),
  chain_id: text(({ chainId, result: { ethereum } }) =>
    ethereum === null ? chainId : quantity(ethereum.chainId),
  ),
  failed_initcode: text.orNull(({ result }) => result.failedInitcode),
  gas_price: text.orNull(({ gasPrice, isHbar, result: { ethereum } }) => {
    if (ethereum !== null) return ethereumGasPrice(ethereum.gasPrice, isHbar);
    return gasPrice === null ? null : `0x${gasPrice.toString(16)}`;
  }),
  max_fee_per_gas: ofEthereum(({ maxFeePerGas }, isHbar) => ethereumGasPrice(maxFeePerGas, isHbar)),
  max_priority_fee_per_gas: ofEthereum(({ maxPriorityFeePerGas }, isHbar) =>
    ethereumGasPrice(maxPriorityFeePerGas, isHbar),
  ),
  nonce: integer.orNull(({ result: { ethereum } }) => ethereum?.nonce ?? null),
  r: ofEthereum(({ signatureR }) => signatureR ?? EMPTY),
  result: text(({ result }) => resultName(result.result)),
  s: ofEthereum(({ signatureS }) => signatureS ?? EMPTY),
  status: text(
    ({ result }) => (isSuccess(result.result) ? '0x1' : '0x0'),
    '`0x1` when it succeeded, else `0x0`.',
  ),
  transaction_index: integer.orNull(({ result }) => result.transactionIndex),
  type: integer(({ result: { ethereum } }) => ethereum?.type ?? 0),
  v: integer.orNull(({ result: { ethereum } }) => (ethereum === null ? null : signatureV(ethereum))),
} satisfies Fields<DetailedResult>;

const SLOT = itemOf<ShownSlot>()(
  {
    address: text.orNull(({ address }) => address),
    contract_id: id(({ slot }) => slot.contract),
    slot: text(({ slot }) => word(slot.slot)),
    value_read: text(({ slot }) => word(slot.valueRead)),
    value_written: text.orNull(({ slot }) => (slot.valueWritten === null ? null : word(slot.valueWritten))),
  },
  'StateChange',
);

/** An item of the list of a contract. */
export const SHORT_RESULT = itemOf<ShortResult>()(
  {
    ...short,
    decoded: optional(DECODED, ({ decoded }) => decoded?.['decoded']),
    decoded_error: optional(DECODED, ({ decoded }) => decoded?.['decoded_error']),
  },
  'ShortContractResult',
);

/** An item of the list of all contracts. */
export const DETAILED_RESULT = itemOf<DetailedResult>()(detailed, 'DetailedContractResult');

/** A single result. */
export const RESULT = itemOf<WholeResult>()(
  {
    ...detailed,
    logs: listOf(RESULT_LOG, ({ logs }) => logs),
    state_changes: listOf(SLOT, ({ slots }) => slots),
  },
  'ContractResult',
);

function bloomText(bloom: Uint8Array | null): string {
  if (bloom === null) return EMPTY;
  return bloom.length === 0 ? EMPTY_BLOOM : toHex(bloom);
}

/** The name of the result stands in where an Ethereum transaction tells nothing. */
function errorMessage(result: StoredResult): string | null {
  if (result.errorMessage !== null && result.errorMessage !== '') return result.errorMessage;
  return result.ethereum !== null && !isSuccess(result.result) ? resultName(result.result) : null;
}

function senderText({ sender, senderAlias }: StoredResult): Hex | null {
  if (sender !== null) return toHex(longZeroOf(sender));
  return senderAlias;
}

function receiverText({ contract, ethereum }: StoredResult): Hex | null {
  const to = ethereum?.toAddress ?? null;
  if (to !== null && to !== EMPTY) return to;
  return contract === 0n ? null : toHex(longZeroOf(contract));
}

/** Absent for none, unlike every other member. */
function authorizations(ethereum: StoredEthereumTransaction | null): ExactJson | undefined {
  if (ethereum === null || ethereum.authorizationList.length === 0) return undefined;
  return ethereum.authorizationList.map(({ nonce, ...each }) => ({ ...each, nonce: BigInt(nonce) }));
}

function signatureV({ recoveryId, signatureV: v, type }: StoredEthereumTransaction): bigint | null {
  return type === 0 && v !== null ? unsignedOf(v) : recoveryId;
}
