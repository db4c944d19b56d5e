import { Type } from '@sinclair/typebox';
import { parseTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { type Hex, toHex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { invalidRequest, messages } from '../../errors.ts';
import { callDataOfFile } from '../../evm/ethereum-hash.ts';
import type { UserFiles } from '../../ledger/files/file-repository.sql.ts';
import type { InPath } from '../../lists/list.ts';
import { oneOn } from '../../lists/one.ts';
import { type Parameter, yesOrNo } from '../../lists/parameters.ts';
import { looksLikeEntity } from '../../parameters/entity-id-text.ts';
import { operand } from '../../parameters/filter-operator.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { CONTRACT_IN_PATH, CONTRACT_PARAMS, contractBelow } from '../contract-below.ts';
import type { ContractLogRepository } from '../logs/contract-log-repository.sql.ts';
import type { StoredResult } from './contract-result-repository.sql.ts';
import { EMPTY, RESULT, type WholeResult } from './result-document.ts';
import type { ResultListContext } from './result-lists.ts';
import { withSyntheticBlooms } from './synthetic-blooms.ts';
import { findTransactionInPath, namedTransaction } from './transaction-in-path.ts';

export interface ResultContext extends ResultListContext {
  readonly contractLogs: ContractLogRepository;
  readonly userFiles: UserFiles;
}

const NONCE = /^(eq:)?\d{1,10}$/;
const MAX_NONCE = 2n ** 31n - 1n;
const PATH_TIME = /^\d{1,10}(\.\d{1,9})?$/;
/** Files up to it are the network's own. */
const LAST_SYSTEM_FILE = 1000n;
/** A result does not change, but one that is not wholly known may still grow. */
const [RESULT_SECONDS, PARTIAL_SECONDS] = [600, 5];

const hbar: Parameter<boolean> = { ...yesOrNo(true), schema: Type.Optional(Type.Boolean()) };

const nonce: Parameter<number> = {
  schema: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 })),
  check: (text) => NONCE.test(text) && BigInt(operand(text)) <= MAX_NONCE,
  read: (texts) => Number(operand(texts.at(-1) ?? '0')),
};

const shared = {
  item: RESULT,
  /** What the EVM answered is not known. */
  isPartial: ({ result }: WholeResult) => result.callResult === null,
  maxAgeSeconds: ({ result }: WholeResult) => (result.callResult === null ? PARTIAL_SECONDS : RESULT_SECONDS),
};

/** @see contracts/mirror-contracts.md sections 1.2 and 4 */
export const resultOfTransaction = oneOn<ResultContext>()({
  path: '/api/v1/contracts/results/:transactionIdOrHash',
  summary: 'One result by transaction',
  subject: namedTransaction,
  parameters: { hbar, nonce },
  async find({ hbar: isHbar, nonce, subject }, context) {
    const { contractResults, showsSynthetic } = context;
    const found = await findTransactionInPath(subject, nonce, contractResults);
    if (found === null) return null;
    const { consensusTimestamp: time, contract, payer } = found;
    const at = await everythingAt(time, context);
    const isInvolved = contract === null ? at.payers.has(payer) : at.contracts.has(contract);
    if (at.result !== null && isInvolved) return wholeResult(at.result, at, isHbar, context);
    if (at.result !== null || at.contracts.size > 0) return null;
    const synthetic = showsSynthetic ? await contractResults.syntheticAt(time, contract) : null;
    if (synthetic === null || (contract === null && synthetic.payer !== payer)) return null;
    return wholeResult(synthetic, at, isHbar, context);
  },
  ...shared,
});

interface ContractAndTime {
  readonly contractText: string;
  readonly timeText: string;
}

/** Both are refused at once. */
const contractAndTime: InPath<ContractAndTime, unknown> = {
  params: Type.Object({
    ...CONTRACT_PARAMS.properties,
    timestamp: Type.String({ description: 'Consensus timestamp, `seconds.nanoseconds`.' }),
  }),
  read({ contractIdOrAddress: contractText = '', timestamp: timeText = '' }) {
    const faults = [
      ...(looksLikeEntity(contractText) ? [] : [CONTRACT_IN_PATH]),
      ...(PATH_TIME.test(timeText) ? [] : ['timestamp']),
    ];
    if (faults.length > 0) throw invalidRequest(faults.map(messages.invalidParameter));
    return { contractText, timeText };
  },
};

/** @see contracts/mirror-contracts.md sections 1.2 and 4 */
export const resultAtTime = oneOn<ResultContext>()({
  path: '/api/v1/contracts/:contractIdOrAddress/results/:timestamp',
  summary: 'One result by contract and time',
  subject: contractAndTime,
  parameters: { hbar },
  async find({ hbar: isHbar, subject: { contractText, timeText } }, context) {
    const { contractResults, names, showsSynthetic } = context;
    const [contract, time] = [await contractBelow(contractText, names), parseTimestamp(timeText)];
    if (contract === null || time === null || time > MAX_INT64) return null;
    const at = await everythingAt(time, context);
    if (at.result !== null && at.contracts.has(contract))
      return wholeResult(at.result, at, isHbar, context, contract);
    if (at.result !== null || at.contracts.size > 0) return null;
    const synthetic = showsSynthetic ? await contractResults.syntheticAt(time, contract) : null;
    return synthetic === null ? null : wholeResult(synthetic, at, isHbar, context, contract);
  },
  ...shared,
});

/** What is stored at a time, and who took part. */
async function everythingAt(time: bigint, { contractLogs: logs, contractResults: results }: ResultContext) {
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
    /** Of the result, of its logs, of slots. */
    contracts: new Set(involved.map(({ contract }) => contract)),
    payers: new Set(result === null ? [] : [result.payer]),
  };
}

/** @param contract whose migrated slots are shown too; null for none */
async function wholeResult(
  result: StoredResult,
  { logs, slots }: Awaited<ReturnType<typeof everythingAt>>,
  isHbar: boolean,
  context: ResultContext,
  contract: bigint | null = null,
): Promise<WholeResult> {
  const { blocks, chainId, contractAddresses, contractLogs, contractResults, gasPriceAt } = context;
  const time = result.consensusTimestamp;
  // What a relayed transaction says counts only beside the transaction itself.
  const { ethereum: told } = result;
  const ethereum = told !== null && (await contractResults.hasTransaction(time, result.payer)) ? told : null;
  const [bloomed = result] = await withSyntheticBlooms([result], contractLogs);
  const shownSlots = slots.filter((slot) => !slot.isMigration || slot.contract === contract);
  const ids = [result, ...logs, ...shownSlots].map((each) => each.contract);
  const addressOf = await contractAddresses.addressesOf(ids);
  const block = (await blocks.holding([time])).get(time) ?? null;
  const shown = { ...bloomed, ethereum };
  const ofEthereum = ethereum === null ? {} : await whatEthereumTells(shown, ethereum.gasLimit, context);
  const address = (id: bigint) => addressOf.get(id) ?? null;
  return {
    result: { ...shown, ...ofEthereum },
    address: address(result.contract),
    block,
    gasPrice: ethereum === null ? await gasPriceAt(time) : null,
    chainId,
    isHbar,
    logs: logs.map((log) => ({ log, address: address(log.contract) })),
    slots: shownSlots.map((slot) => ({ slot, address: address(slot.contract) })),
  };
}

/** Members that follow the Ethereum transaction where there is one. */
async function whatEthereumTells(
  { consensusTimestamp, failedInitcode, functionParameters, payer, result }: StoredResult,
  gasLimit: bigint,
  { contractResults, userFiles }: ResultContext,
): Promise<Partial<StoredResult>> {
  const sent = await contractResults.callDataAt(consensusTimestamp, payer);
  const [callData, file] = [sent?.callData ?? EMPTY, sent?.file ?? null];
  const own = callData === EMPTY ? null : callData;
  let parameters: Hex = own ?? functionParameters ?? EMPTY;
  if (parameters === EMPTY && file !== null && file > LAST_SYSTEM_FILE) {
    const contents = await userFiles.contentsBefore(entityId(file), consensusTimestamp);
    if (contents !== null) parameters = toHex(callDataOfFile(contents) ?? contents);
  }
  const isToldByData = failedInitcode === null && !isSuccess(result) && own !== null;
  return {
    gasLimit,
    functionParameters: parameters,
    ...(isToldByData ? { failedInitcode: own } : {}),
  };
}
