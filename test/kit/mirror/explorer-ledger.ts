import { fixtureUnit } from '../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../../src/mirror/ledger/rows.ts';
import { messages } from '../../../src/mirror/protobuf/messages.ts';
import { consensusTimestamp } from '../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../src/values/entity-id.ts';
import { aTransaction, aTransfer } from './ledger-rows.ts';

/** 2023-11-14 22:13:20 UTC. */
export const START = 1_700_000_000_000_000_000n;
export const SECOND = 1_000_000_000n;
/** Seconds between the first and the second unit: another quarter of an hour. */
export const SECOND_UNIT = 1000n;
export const KEY = messages.Key.encode({ ed25519: new Uint8Array(32).fill(7) });
export const EVM_ADDRESS = 'ab'.repeat(20);
export const CONTRACT_ADDRESS = 'cd'.repeat(20);
/** Its key, as an alias. */
export const ALIAS = 'CIQAOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBY';
export const RUNTIME_CODE = Uint8Array.of(0x60, 0x01);
export const INITCODE = Uint8Array.of(0x60, 0x02);

const at = (seconds: bigint) => consensusTimestamp(START + seconds * SECOND);
const id = entityId;

/**
 * Two units of a ledger that is known from its first block, for tests of accounts, balances and contracts:
 * 0.0.1001 has every setting, 0.0.1002 only transfers, 0.0.1003 is deleted, 0.0.2001 is a contract, 0.0.90 a token.
 */
export function explorerLedger(): readonly LedgerUnit[] {
  const first = fixtureUnit('first', {
    transactions: [
      aTransaction(START, {
        type: 11,
        entityId: id(1001n),
        transfers: [aTransfer(1002n, -500n), aTransfer(1001n, 500n)],
        tokenTransfers: [{ token: id(90n), account: id(1001n), amount: 70n, isApproval: false }],
      }),
      aTransaction(START + SECOND, { result: 10, transfers: [aTransfer(1001n, -1n), aTransfer(98n, 1n)] }),
    ],
    tokenRelations: [
      { account: id(1001n), token: id(91n), consensusTimestamp: at(0n), isAssociated: true },
      { account: id(1001n), token: id(90n), consensusTimestamp: at(0n), isAssociated: true },
    ],
    entities: [
      {
        entity: id(1001n),
        type: 'ACCOUNT',
        alias: Buffer.from(`1220${'07'.repeat(32)}`, 'hex'),
        evmAddress: Buffer.from(EVM_ADDRESS, 'hex'),
        createdTimestamp: at(0n),
      },
      { entity: id(1003n), type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: at(0n) },
      {
        entity: id(2001n),
        type: 'CONTRACT',
        alias: null,
        evmAddress: Buffer.from(CONTRACT_ADDRESS, 'hex'),
        createdTimestamp: at(1n),
      },
    ],
    entityChanges: [
      {
        entity: id(1001n),
        changedTimestamp: at(0n),
        key: KEY,
        memo: 'mine',
        autoRenewPeriod: 7_776_000n,
        expiryTimestamp: at(7_776_000n),
        isReceiverSigRequired: true,
        maxAutomaticAssociations: -1,
        declinesReward: true,
        stakedNode: 0n,
        stakePeriodStart: consensusTimestamp(1_699_920_000_000_000_000n),
        ethereumNonce: 3n,
      },
      { entity: id(1003n), changedTimestamp: at(1n), isDeleted: true },
      {
        entity: id(2001n),
        type: 'CONTRACT',
        changedTimestamp: at(1n),
        key: null,
        memo: 'counter',
        autoRenewPeriod: 90n,
        autoRenewAccount: id(1001n),
        maxAutomaticAssociations: 0,
        ethereumNonce: 1n,
      },
    ],
    contracts: [
      {
        contract: id(2001n),
        runtimeCode: RUNTIME_CODE,
        creation: {
          consensusTimestamp: at(1n),
          originTimestamp: at(1n),
          transactionHash: new Uint8Array(32).fill(1),
          transactionIndex: 1,
          sender: id(1001n),
          creationCode: INITCODE,
          file: null,
          constructorParameters: null,
        },
      },
    ],
  });
  const second = fixtureUnit('second', {
    transactions: [
      aTransaction(START + SECOND_UNIT * SECOND, {
        transfers: [aTransfer(1001n, -100n), aTransfer(1002n, 100n)],
        tokenTransfers: [
          { token: id(90n), account: id(1001n), amount: -20n, isApproval: false },
          { token: id(90n), account: id(1002n), amount: 20n, isApproval: false },
        ],
      }),
    ],
  });
  return [first, second];
}
