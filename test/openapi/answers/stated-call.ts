import type { FixtureRows } from '../../../src/mirror/ledger/fixture-unit.ts';
import { TYPE } from '../../../src/mirror/vocabulary/transaction-types.ts';
import { consensusTimestamp } from '../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../src/values/entity-id.ts';
import { aContractResult, aTransaction } from '../../kit/mirror/ledger-rows.ts';

const AT = consensusTimestamp(1_890_000_001_000_000_000n);
const CONTRACT = entityId(2001n);
const SENDER = entityId(1001n);
const word = (value: number) => new Uint8Array(32).fill(value, 31);
const address = (value: number) => new Uint8Array(20).fill(value);

/** An Ethereum transaction that calls a contract, with everything that the ledger tells of it. */
export function statedCall(): FixtureRows {
  const hash = new Uint8Array(32).fill(1);
  return {
    transactions: [aTransaction(AT, { type: TYPE.ETHEREUMTRANSACTION, payer: SENDER, entityId: CONTRACT })],
    entities: [
      { entity: CONTRACT, type: 'CONTRACT', alias: null, evmAddress: address(0xcd), createdTimestamp: AT },
    ],
    contractResults: [
      aContractResult(AT, {
        hash,
        amount: 5n,
        gasLimit: 100_000n,
        gasUsed: 80_000n,
        gasConsumed: 60_000n,
        bloom: new Uint8Array(256).fill(1, 255),
        callResult: word(1),
        errorMessage: '',
        functionParameters: Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb),
        createdContracts: [entityId(2002n)],
      }),
    ],
    ethereumTransactions: [
      {
        consensusTimestamp: AT,
        payer: SENDER,
        type: 4,
        nonce: 7n,
        gasLimit: 100_000n,
        gasPrice: null,
        maxFeePerGas: Uint8Array.of(0x01, 0x9f),
        maxPriorityFeePerGas: Uint8Array.of(1),
        value: Uint8Array.of(0x0b, 0xa4, 0x3b, 0x74, 0x00),
        chainId: Uint8Array.of(0x01, 0x28),
        toAddress: address(0xcd),
        callData: Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb),
        callDataFile: null,
        accessList: [{ address: address(0xcd), storageKeys: [word(1)] }],
        authorizationList: [
          { chainId: '0x128', address: address(2), nonce: 1n, yParity: '0x1', r: word(2), s: word(3) },
        ],
        recoveryId: 1,
        signatureV: null,
        signatureR: word(4),
        signatureS: word(5),
      },
    ],
    contractLogs: [
      {
        consensusTimestamp: AT,
        index: 0,
        contract: CONTRACT,
        rootContract: CONTRACT,
        payer: SENDER,
        transactionIndex: 0,
        hash,
        bloom: new Uint8Array(256).fill(1, 255),
        data: word(5),
        topics: [word(9), word(8)],
        isSynthetic: false,
      },
    ],
    contractStateChanges: [
      {
        contract: CONTRACT,
        slot: word(1),
        consensusTimestamp: AT,
        valueRead: new Uint8Array(),
        valueWritten: word(5),
        isMigration: false,
        leavesState: true,
      },
    ],
    contractActions: [
      {
        consensusTimestamp: AT,
        index: 0,
        payer: SENDER,
        callDepth: 0,
        callType: 1,
        operation: 1,
        caller: SENDER,
        isCallerContract: false,
        gas: 78_000n,
        gasUsed: 38_000n,
        value: 5n,
        input: Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb),
        recipientAccount: null,
        recipientContract: CONTRACT,
        targetedAddress: null,
        resultData: word(1),
        resultDataType: 11,
      },
    ],
  };
}
