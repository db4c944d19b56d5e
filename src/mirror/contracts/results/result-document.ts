import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../../values/entity-id.ts';
import { type Hex, toHex } from '../../../values/hex.ts';
import type { BlockHead } from '../../blocks/block-repository.ts';
import { ethereumAmount, ethereumGasPrice, plainAmount, quantity, unsignedOf } from '../../evm/quantities.ts';
import type { ExactJson } from '../../ledger/exact-json.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { isSuccess, resultName } from '../../vocabulary/response-codes.ts';
import type { StoredEthereumTransaction, StoredResult } from './contract-result-repository.ts';

/** What an answer shows beside what is stored of a result. */
export interface ResultSurroundings {
  /** Of its contract; null for none. */
  readonly address: string | null;
  /** Null when it is not stored. */
  readonly block: BlockHead | null;
  /** Tinybars; null when it is not known, or an Ethereum transaction tells it. */
  readonly gasPrice: bigint | null;
  /** Of the network, a quantity such as `0x128`. */
  readonly chainId: string;
  /** Whether amounts are tinybars; otherwise weibars. */
  readonly isHbar: boolean;
}

/** Hex of no bytes. */
export const EMPTY = '0x';
const EMPTY_BLOOM = `0x${'0'.repeat(512)}`;
/** −1 of a block whose gas is not known. */
const UNKNOWN_GAS = -1n;

/** An item of the list of a contract. @see contracts/mirror-contracts.md section 4.1 */
export function shortResult(
  result: StoredResult,
  { address, isHbar }: Pick<ResultSurroundings, 'address' | 'isHbar'>,
): Readonly<Record<string, ExactJson>> {
  const { ethereum } = result;
  return {
    address,
    amount: ethereum === null ? plainAmount(result.amount, isHbar) : ethereumAmount(ethereum.value, isHbar),
    bloom: bloomText(result.bloom),
    call_result: result.callResult ?? EMPTY,
    contract_id: printIdOrNull(result.contract),
    created_contract_ids: result.createdContracts.map((id) => printEntityId(id)),
    error_message: errorMessage(result),
    from: senderText(result),
    function_parameters: result.functionParameters ?? EMPTY,
    gas_consumed: result.gasConsumed,
    gas_limit: result.gasLimit,
    gas_used: result.gasUsed,
    hash: result.hash ?? EMPTY,
    timestamp: printTimestamp(result.consensusTimestamp),
    to: receiverText(result),
  };
}

/** An item of the list of all contracts, and the beginning of a single result. */
export function detailedResult(
  result: StoredResult,
  surroundings: ResultSurroundings,
): Readonly<Record<string, ExactJson | undefined>> {
  const { block, chainId, gasPrice, isHbar } = surroundings;
  const { ethereum } = result;
  // A spread of so many members takes ten times as long.
  return Object.assign(shortResult(result, surroundings), {
    access_list: ethereum?.accessList.map((entry) => ({ ...entry })) ?? [],
    authorization_list: authorizations(ethereum),
    block_gas_used: block === null || block.gasUsed === UNKNOWN_GAS ? null : block.gasUsed,
    block_hash: block === null ? EMPTY : toHex(block.hash),
    block_number: block?.number ?? null,
    chain_id: ethereum === null ? chainId : quantity(ethereum.chainId),
    failed_initcode: result.failedInitcode,
    gas_price:
      ethereum !== null
        ? ethereumGasPrice(ethereum.gasPrice, isHbar)
        : gasPrice === null
          ? null
          : `0x${gasPrice.toString(16)}`,
    max_fee_per_gas: ethereum === null ? null : ethereumGasPrice(ethereum.maxFeePerGas, isHbar),
    max_priority_fee_per_gas:
      ethereum === null ? null : ethereumGasPrice(ethereum.maxPriorityFeePerGas, isHbar),
    nonce: ethereum?.nonce ?? null,
    r: ethereum === null ? null : (ethereum.signatureR ?? EMPTY),
    result: resultName(result.result),
    s: ethereum === null ? null : (ethereum.signatureS ?? EMPTY),
    status: isSuccess(result.result) ? '0x1' : '0x0',
    transaction_index: result.transactionIndex,
    type: ethereum?.type ?? 0,
    v: ethereum === null ? null : signatureV(ethereum),
  });
}

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
