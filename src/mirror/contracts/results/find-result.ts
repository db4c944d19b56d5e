import { parseTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId, printEntityId } from '../../../values/entity-id.ts';
import { toHex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { invalidRequest, messages, notFoundError } from '../../errors.ts';
import { callDataOfFile } from '../../evm/ethereum-hash.ts';
import { word } from '../../evm/quantities.ts';
import { type ExactJson, printExactJson } from '../../ledger/exact-json.ts';
import type { UserFiles } from '../../ledger/files/file-repository.ts';
import { checkParameters } from '../../parameters/check-parameters.ts';
import { looksLikeEntity } from '../../parameters/entity-id-text.ts';
import { operand } from '../../parameters/filter-operator.ts';
import { isFlag, lastFlag } from '../../parameters/flag.ts';
import { readQuery } from '../../parameters/query-text.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { CONTRACT_IN_PATH, contractBelow } from '../contract-below.ts';
import type { ContractLogRepository, StoredLog } from '../logs/contract-log-repository.ts';
import { logMembers } from '../logs/log-document.ts';
import type { ChangedSlot, StoredResult } from './contract-result-repository.ts';
import type { ResultListDependencies } from './list-results.ts';
import { detailedResult, EMPTY } from './result-document.ts';
import { withSyntheticBlooms } from './synthetic-blooms.ts';
import { findTransactionInPath, transactionInPath } from './transaction-in-path.ts';

export interface ResultDependencies extends ResultListDependencies {
  readonly logs: ContractLogRepository;
  readonly files: UserFiles;
}

/** A single result. */
export interface ResultAnswer {
  readonly json: string;
  /** Whether all of it is known; otherwise it may still grow. */
  readonly isWhole: boolean;
}

const NONCE = /^(eq:)?\d{1,10}$/;
const MAX_NONCE = 2n ** 31n - 1n;
const PATH_TIME = /^\d{1,10}(\.\d{1,9})?$/;
/** Files up to it are the network's own. */
const LAST_SYSTEM_FILE = 1000n;

/** The check of `nonce`. */
export function isNonce(text: string): boolean {
  return NONCE.test(text) && BigInt(operand(text)) <= MAX_NONCE;
}

/**
 * Answers `GET /api/v1/contracts/results/{transaction id or hash}`.
 *
 * @throws MirrorApiError 400 for another form or bad parameters, 404 when there is no such result.
 * @see contracts/mirror-contracts.md sections 1.2 and 4
 */
export async function findResult(
  transactionText: string,
  target: string,
  dependencies: ResultDependencies,
): Promise<ResultAnswer> {
  const { maxRepeated, results, showsSynthetic } = dependencies;
  const named = transactionInPath(transactionText);
  const values = checkParameters(readQuery(target), { nonce: isNonce, hbar: isFlag }, maxRepeated);
  const nonce = Number(operand(values.get('nonce')?.at(-1) ?? '0'));
  const found = await findTransactionInPath(named, nonce, results);
  if (found === null) throw notFoundError();
  const { consensusTimestamp: time, contract, payer } = found;
  const at = await everythingAt(time, dependencies);
  const isInvolved = contract === null ? at.payers.has(payer) : at.contracts.has(contract);
  const isHbar = lastFlag(values, 'hbar', true);
  if (at.result !== null && isInvolved) return wholeAnswer(at.result, at, isHbar, dependencies);
  if (at.result !== null || at.contracts.size > 0) throw notFoundError();
  const synthetic = showsSynthetic ? await results.syntheticAt(time, contract) : null;
  if (synthetic === null || (contract === null && synthetic.payer !== payer)) throw notFoundError();
  return wholeAnswer(synthetic, at, isHbar, dependencies);
}

/**
 * Answers `GET /api/v1/contracts/{id}/results/{timestamp}`.
 *
 * @throws MirrorApiError 400 for another form or bad parameters, 404 when there is no such result.
 * @see contracts/mirror-contracts.md sections 1.2 and 4
 */
export async function findResultAtTime(
  contractText: string,
  timeText: string,
  target: string,
  dependencies: ResultDependencies,
): Promise<ResultAnswer> {
  const { maxRepeated, names, results, showsSynthetic } = dependencies;
  const faults = [
    ...(looksLikeEntity(contractText) ? [] : [CONTRACT_IN_PATH]),
    ...(PATH_TIME.test(timeText) ? [] : ['timestamp']),
  ];
  if (faults.length > 0) throw invalidRequest(faults.map(messages.invalidParameter));
  const values = checkParameters(readQuery(target), { hbar: isFlag }, maxRepeated);
  const [contract, time] = [await contractBelow(contractText, names), parseTimestamp(timeText)];
  if (contract === null || time === null || time > MAX_INT64) throw notFoundError();
  const at = await everythingAt(time, dependencies);
  const isHbar = lastFlag(values, 'hbar', true);
  if (at.result !== null && at.contracts.has(contract)) {
    return wholeAnswer(at.result, at, isHbar, dependencies, contract);
  }
  if (at.result !== null || at.contracts.size > 0) throw notFoundError();
  const synthetic = showsSynthetic ? await results.syntheticAt(time, contract) : null;
  if (synthetic === null) throw notFoundError();
  return wholeAnswer(synthetic, at, isHbar, dependencies, contract);
}

/** What is stored at a time, and who took part. */
interface AtTime {
  readonly result: StoredResult | null;
  readonly logs: readonly StoredLog[];
  readonly slots: readonly ChangedSlot[];
  /** Of the result, of its logs, of slots. */
  readonly contracts: ReadonlySet<bigint>;
  readonly payers: ReadonlySet<bigint>;
}

async function everythingAt(time: bigint, { logs, results }: ResultDependencies): Promise<AtTime> {
  const [result, found, slots] = await Promise.all([
    results.at(time),
    logs.at(time),
    results.changedSlots(time),
  ]);
  // Alone they stand for a result; beside one their tokens took part in it.
  const involving = result === null ? found.filter(({ isSynthetic }) => !isSynthetic) : found;
  const involved = [...(result === null ? [] : [result]), ...involving, ...slots];
  return {
    result,
    logs: found,
    slots,
    contracts: new Set(involved.map(({ contract }) => contract)),
    payers: new Set(result === null ? [] : [result.payer]),
  };
}

/** @param contract whose migrated slots are shown too; null for none */
async function wholeAnswer(
  result: StoredResult,
  { logs, slots }: AtTime,
  isHbar: boolean,
  dependencies: ResultDependencies,
  contract: bigint | null = null,
): Promise<ResultAnswer> {
  const { addresses, blocks, chainId, gasPriceAt, results } = dependencies;
  const time = result.consensusTimestamp;
  // What a relayed transaction says counts only beside the transaction itself.
  const { ethereum: told } = result;
  const ethereum = told !== null && (await results.hasTransaction(time, result.payer)) ? told : null;
  const [bloomed = result] = await withSyntheticBlooms([result], dependencies.logs);
  const shownSlots = slots.filter((slot) => !slot.isMigration || slot.contract === contract);
  const ids = [result, ...logs, ...shownSlots].map((each) => each.contract);
  const addressOf = await addresses.addressesOf(ids);
  const block = (await blocks.holding([time])).get(time) ?? null;
  const shown = { ...bloomed, ethereum };
  const document = detailedResult(shown, {
    address: addressOf.get(result.contract) ?? null,
    block,
    gasPrice: ethereum === null ? await gasPriceAt(time) : null,
    chainId,
    isHbar,
  });
  const json = printExactJson({
    ...document,
    ...(ethereum === null ? {} : await whatEthereumTells(shown, ethereum.gasLimit, dependencies)),
    logs: logs.map((log) => logMembers(log, addressOf.get(log.contract) ?? null)),
    state_changes: shownSlots.map((slot) => slotDocument(slot, addressOf.get(slot.contract) ?? null)),
  });
  return { json, isWhole: result.callResult !== null };
}

/** Members that follow the Ethereum transaction where there is one. */
async function whatEthereumTells(
  { consensusTimestamp, failedInitcode, functionParameters, payer, result }: StoredResult,
  gasLimit: bigint,
  { files, results }: ResultDependencies,
): Promise<Readonly<Record<string, ExactJson>>> {
  const sent = await results.callDataAt(consensusTimestamp, payer);
  const [callData, file] = [sent?.callData ?? EMPTY, sent?.file ?? null];
  const own = callData === EMPTY ? null : callData;
  let parameters = own ?? functionParameters ?? EMPTY;
  if (parameters === EMPTY && file !== null && file > LAST_SYSTEM_FILE) {
    const contents = await files.contentsBefore(entityId(file), consensusTimestamp);
    if (contents !== null) parameters = toHex(callDataOfFile(contents) ?? contents);
  }
  const isToldByData = failedInitcode === null && !isSuccess(result) && own !== null;
  return {
    gas_limit: gasLimit,
    function_parameters: parameters,
    ...(isToldByData ? { failed_initcode: own } : {}),
  };
}

function slotDocument(slot: ChangedSlot, address: string | null): ExactJson {
  return {
    address,
    contract_id: printEntityId(slot.contract),
    slot: word(slot.slot),
    value_read: word(slot.valueRead),
    value_written: slot.valueWritten === null ? null : word(slot.valueWritten),
  };
}
