import { longZeroOf } from '../../src/mirror/vocabulary/long-zero-address.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { keccak256 } from '../../src/values/keccak256.ts';
import type { WrittenCall } from './contract-events.ts';
import { ETHEREUM_TYPES, ethereumBytes } from './ethereum-bytes.ts';
import type { LedgerEvent } from './ledger-item.ts';
import { CONTRACT, FUNGIBLE_TOKEN, type ScriptContext } from './script-context.ts';
import { pair, type Scene } from './transfer-scenes.ts';
import { logMembers, transferLog, type WrittenLog } from './written-logs.ts';
import { payment, systemCall } from './written-traces.ts';

/** `HederaTokenService`, through which contracts move tokens. */
const TOKEN_SERVICE = 359n;
const CALL_GAS = 100_000n;
const ETHEREUM_GAS = 120_000n;
/** Limit and use of a call of the service. */
const SERVICE_GAS = { gas: 60_000n, gasUsed: 15_284n };
/** `Error(string)`, with a text behind it. */
const REVERT_REASON = `0x08c379a0${'00'.repeat(31)}20`;

/** A call of a contract that logs and pays somebody; one in twelve reverts together with the transfer inside it. */
export const contractCall: Scene = (context, at) => {
  const contract = context.calledContract();
  const contractID = context.contract(contract);
  const [functionParameters, amount] = [context.random.bytes(36), context.amount(1_000)];
  const call = context.base(at, {
    contractCall: { contractID, gas: CALL_GAS, amount, functionParameters },
  });
  const isReverted = context.once(12);
  const outcome = isReverted ? { status: RESULT.CONTRACT_REVERT_EXECUTED } : {};
  const output = isReverted ? null : context.random.bytes(32);
  const said =
    output === null
      ? { errorMessage: REVERT_REASON }
      : { contractCallResult: output, ...logMembers(drawnLogs(context, contract), context.contract) };
  const parent = {
    ...call,
    ...outcome,
    receipt: { contractID },
    record: {
      contractCallResult: {
        contractID,
        gasUsed: charged(CALL_GAS),
        ...said,
        gas: CALL_GAS,
        amount,
        functionParameters,
        senderId: context.account(call.payer),
      },
    },
  };
  const to = context.other(parent.payer);
  const child = context.child(parent, 1, { cryptoTransfer: {} });
  const trace = context.trace({
    ...{ sender: call.payer, contract, gas: CALL_GAS, amount, input: functionParameters, output },
    inner: [payment(context.account(to), 7n, 2_300n)],
  });
  if (isReverted)
    return [
      { ...parent, trace },
      { ...child, ...outcome },
    ];
  return [
    { ...parent, trace },
    {
      ...child,
      transfers: [
        [parent.payer, -7n],
        [to, 7n],
      ],
    },
  ];
};

/** A contract that moves tokens by a call of the service for them; two in three transfers are logged. */
export const tokenCall: Scene = (context, at) => {
  const contractID = context.contract(CONTRACT);
  const call = context.base(at, { contractCall: { contractID, gas: CALL_GAS } });
  const to = context.other(call.payer);
  const amount = context.amount(100);
  const logs = context.once(3) ? [] : [transferLog(FUNGIBLE_TOKEN, call.payer, to, amount)];
  const service = context.contract(TOKEN_SERVICE);
  const token = context.token(FUNGIBLE_TOKEN);
  const sender = context.account(call.payer);
  const parent = {
    ...call,
    receipt: { contractID },
    record: {
      contractCallResult: {
        contractID,
        gasUsed: charged(CALL_GAS),
        ...logMembers(logs, context.contract),
        gas: CALL_GAS,
        senderId: sender,
      },
    },
  };
  const [output, functionParameters] = [context.random.bytes(32), context.random.bytes(132)];
  const contractCallResult = {
    contractID: service,
    contractCallResult: output,
    ...SERVICE_GAS,
    functionParameters,
    senderId: sender,
  };
  const tokenTransferLists = [{ token, transfers: pair(context, call.payer, to, amount) }];
  const child = context.child(parent, 1, { cryptoTransfer: {} });
  const trace = context.trace({
    ...{ sender: call.payer, contract: CONTRACT, gas: CALL_GAS, amount: 0n, input: new Uint8Array(), output },
    inner: [systemCall(service, functionParameters, output, SERVICE_GAS)],
  });
  return [
    { ...parent, trace },
    { ...child, record: { contractCallResult, tokenTransferLists } },
  ];
};

/** Relayed by an account that pays for somebody else; some are refused before they run. */
export const ethereumCall: Scene = (context, at) => {
  const { random } = context;
  const contract = context.calledContract();
  const contractID = context.contract(contract);
  const type = ETHEREUM_TYPES[random.below(ETHEREUM_TYPES.length)] ?? 0;
  const callData = random.bytes(4 + 32 * random.below(4));
  const tinybars = context.once(3) ? context.amount(1_000_000) : 0n;
  const sent = {
    type,
    nonce: BigInt(random.below(1_000)),
    gasLimit: ETHEREUM_GAS,
    to: longZeroOf(contract),
    value: tinybars * 10n ** 10n,
    callData,
  };
  const ethereumData = ethereumBytes(sent, random);
  const event = context.base(at, { ethereumTransaction: { ethereumData, maxGasAllowance: 0n } });
  const ethereumHash = keccak256(ethereumData);
  if (context.once(10)) {
    const status = context.once(2) ? RESULT.WRONG_NONCE : RESULT.INSUFFICIENT_PAYER_BALANCE;
    return [{ ...event, status, record: { ethereumHash } }];
  }
  const output = random.bytes(32);
  const logs = logMembers(drawnLogs(context, contract), context.contract);
  const sender = context.user();
  const contractCallResult = {
    contractID,
    gasUsed: charged(ETHEREUM_GAS),
    contractCallResult: output,
    ...logs,
    gas: ETHEREUM_GAS,
    amount: tinybars,
    functionParameters: callData,
    senderId: context.account(sender),
    signerNonce: { value: sent.nonce + 1n },
  };
  const call = { sender, contract, gas: ETHEREUM_GAS, amount: tinybars, input: callData, output };
  const trace = context.trace(call);
  return [{ ...event, receipt: { contractID }, record: { contractCallResult, ethereumHash }, trace }];
};

/** A call that returns nothing, as somebody wrote it down. */
export function givenCall(
  context: ScriptContext,
  at: ConsensusTimestamp,
  contract: bigint,
  { input, logs, storage }: WrittenCall,
): LedgerEvent {
  const contractID = context.contract(contract);
  const called = { contractID, gas: CALL_GAS, functionParameters: input };
  const call = context.base(at, { contractCall: called });
  const written = logs(longZeroOf(call.payer)).map((log) => ({ ...log, contract }));
  const contractCallResult = {
    ...called,
    gasUsed: charged(CALL_GAS),
    ...logMembers(written, context.contract),
    senderId: context.account(call.payer),
  };
  const trace = context.trace({
    ...{ sender: call.payer, contract, gas: CALL_GAS, amount: 0n, input, output: new Uint8Array() },
    storage: storage.map(({ after: value, before: valueRead, slot }) => ({
      ...{ slot, valueRead, valueWritten: { value } },
    })),
  });
  return { ...call, receipt: { contractID }, record: { contractCallResult }, trace };
}

/** Of a call that used less: networks charge four fifths of the limit at least. */
function charged(limit: bigint): bigint {
  return (limit * 4n) / 5n;
}

/** Of two to four topics. */
function drawnLogs({ logCount, random, user }: ScriptContext, contract: bigint): readonly WrittenLog[] {
  return Array.from({ length: logCount() }, () => {
    const topics: Uint8Array[] = [keccak256(Uint8Array.of(random.below(8)))];
    for (let more = 1 + random.below(3); more > 0; more--) topics.push(longZeroOf(user()));
    return { contract, topics, data: random.bytes(32 * random.below(3)) };
  });
}
