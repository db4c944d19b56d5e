import * as TxEnvelopeEip1559 from 'ox/TxEnvelopeEip1559';
import { describe, expect, test } from 'vitest';
import { buildMirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseHex } from '../../../values/hex.ts';
import type { ContractCodes, SidecarRecord } from '../../items/sidecar-record.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import { messages } from '../../protobuf/messages.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const ids = { shard: 0n, realm: 0n };
const SUCCESS = 22;
const CONTRACT_REVERT_EXECUTED = 33;
const AT = 1_700_000_000_000_000_000n;
const at = (offset: bigint) => consensusTimestamp(AT + offset);
const contract = (contractNum: bigint) => ({ contractNum });
const CODE = Uint8Array.of(0x60, 1);
const RUNTIME = Uint8Array.of(0x60, 2);

const event = (changes: Partial<LedgerEvent>): LedgerEvent => ({
  consensus: at(0n),
  validStart: at(-9n),
  payer: 1001n,
  data: { contractCreateInstance: { initcode: CODE } },
  status: SUCCESS,
  fee: 10n,
  node: 3n,
  receipt: { contractID: contract(77n) },
  record: { contractCreateResult: { contractID: contract(77n), gasUsed: 9n } },
  ...changes,
});

async function decode(events: readonly LedgerEvent[], bytecodes: readonly SidecarRecord[] = []) {
  const items = events.map((each) => ledgerItem(each, ids));
  return decodeUnit(items, 'a.rcd', emptyLookup, bytecodes);
}

function bytecode(
  num: bigint,
  offset: bigint,
  { creationCode = null, runtimeCode = RUNTIME }: Partial<ContractCodes> = {},
): SidecarRecord {
  const { contractId } = messages.ContractBytecode.decode(
    messages.ContractBytecode.encode({ contractId: contract(num) }),
  );
  return {
    consensusTimestamp: at(offset),
    isMigration: false,
    stateChanges: [],
    actions: [],
    code: { contractId, creationCode, runtimeCode },
  };
}

/** An Ethereum transaction; without `to` it creates a contract. */
function sentByWallet(data: `0x${string}`, to?: `0x${string}`): Uint8Array {
  const signature = { r: BigInt(`0x${'12'.repeat(32)}`), s: BigInt(`0x${'34'.repeat(32)}`), yParity: 1 };
  const fees = { type: 'eip1559', chainId: 298, gas: 5n, maxFeePerGas: 7n } as const;
  return parseHex(TxEnvelopeEip1559.serialize({ ...fees, data, ...(to && { to }) }, { signature }))!;
}

describe('the contracts of a unit', () => {
  test('have the code of the transaction and of the sidecar', async () => {
    const { contracts } = await decode([event({})], [bytecode(77n, 0n)]);
    expect(contracts).toEqual([
      {
        contract: 77n,
        runtimeCode: RUNTIME,
        creation: {
          consensusTimestamp: at(0n),
          originTimestamp: at(0n),
          transactionHash: expect.any(Uint8Array),
          transactionIndex: 0,
          sender: 1001n,
          creationCode: CODE,
          file: null,
          constructorParameters: null,
        },
      },
    ]);
    expect(contracts[0]?.creation?.transactionHash).toHaveLength(32);
  });

  test('prefer the creation code of the sidecar over a file', async () => {
    const fromFile = event({
      data: { contractCreateInstance: { fileID: { fileNum: 9n }, constructorParameters: Uint8Array.of(7) } },
    });
    const { contracts } = await decode([fromFile], [bytecode(77n, 0n, { creationCode: CODE })]);
    expect(contracts[0]?.creation).toMatchObject({
      creationCode: CODE,
      file: 9n,
      constructorParameters: null,
    });
    const without = await decode([fromFile]);
    expect(without.contracts[0]?.creation).toMatchObject({
      creationCode: null,
      file: 9n,
      constructorParameters: Uint8Array.of(7),
    });
  });

  test('leave out what failed, also when it has a sidecar or a failed parent', async () => {
    const parent = event({
      data: { contractCall: {} },
      status: CONTRACT_REVERT_EXECUTED,
      receipt: {},
    });
    const child = event({ consensus: at(1n), parent: at(0n), nonce: 1, node: null });
    const { contracts, entities } = await decode(
      [parent, child],
      [bytecode(77n, 1n), bytecode(78n, 0n, { creationCode: CODE })],
    );
    expect(contracts).toEqual([]);
    expect(entities).toEqual([]);
  });

  test('made by a contract belong to the transaction that was sent and to the sender that the EVM saw', async () => {
    const ethereumHash = new Uint8Array(32).fill(5);
    const parent = event({
      data: { ethereumTransaction: { ethereumData: Uint8Array.of(2) } },
      receipt: {},
      record: {
        ethereumHash,
        contractCallResult: { contractID: contract(50n), gasUsed: 9n, senderId: { accountNum: 1002n } },
      },
    });
    const child = event({
      consensus: at(1n),
      parent: at(0n),
      nonce: 1,
      node: null,
      data: { contractCreateInstance: {} },
    });
    const other = event({ consensus: at(-5n), data: { cryptoTransfer: {} }, receipt: {}, record: {} });
    const { contracts } = await decode([other, parent, child], [bytecode(77n, 1n, { creationCode: CODE })]);
    expect(contracts).toMatchObject([
      {
        contract: 77n,
        creation: {
          consensusTimestamp: at(1n),
          originTimestamp: at(0n),
          transactionHash: ethereumHash,
          // The EVM did not run the transfer before it.
          transactionIndex: 0,
          sender: 1002n,
          creationCode: CODE,
        },
      },
    ]);
  });

  test.each([
    ['its call data', undefined, '0x6001', CODE],
    ['none without call data', undefined, '0x', null],
    ['none in a call', `0x${'cd'.repeat(20)}`, '0x6001', null],
  ] as const)('made by an Ethereum transaction have as code %s', async (_, to, data, code) => {
    const ethereumData = sentByWallet(data, to);
    const { contracts } = await decode([
      event({
        data: { ethereumTransaction: { ethereumData } },
        record: {
          contractCreateResult: {
            contractID: contract(77n),
            evmAddress: { value: ethereumData.slice(0, 20) },
          },
        },
      }),
    ]);
    expect(contracts[0]?.creation?.creationCode).toEqual(code);
  });

  test('of old records are listed by the call that made them, unless they have a record of their own', async () => {
    const call = event({
      data: { contractCall: {} },
      receipt: {},
      record: { contractCallResult: { createdContractIDs: [contract(77n), contract(79n)] } },
    });
    const child = event({ consensus: at(1n), parent: at(0n), nonce: 1, node: null });
    const { contracts, entities } = await decode([call, child]);
    expect(contracts.map(({ contract: id, creation }) => [id, creation?.consensusTimestamp])).toEqual([
      [77n, at(1n)],
      [79n, at(0n)],
    ]);
    expect(entities.map(({ entity, createdTimestamp }) => [entity, createdTimestamp])).toEqual([
      [77n, at(1n)],
      [79n, at(0n)],
    ]);
  });

  test.each([
    ['in the call data', { ethereumData: sentByWallet('0x6001') }, CODE, null],
    ['in a file', { ethereumData: sentByWallet('0x'), callData: { fileNum: 8n } }, null, 8n],
  ])(
    'of an Ethereum transaction have the code %s, when a child tells them too',
    async (_, ethereumTransaction, creationCode, file) => {
      const parent = event({
        data: { ethereumTransaction },
        record: { contractCreateResult: { contractID: contract(77n) } },
      });
      const record = { contractCreateResult: { contractID: contract(77n) } };
      const child = { data: { contractCreateInstance: {} }, parent: at(0n), nonce: 1, node: null, record };
      const inner = { ...child, nonce: 2, receipt: { contractID: contract(78n) }, record: {} };
      for (const offsets of [
        [0n, 1n, 2n],
        [2n, 0n, 1n],
      ]) {
        const [own, first, second] = offsets.map((offset) => ({ consensus: at(offset) }));
        const sent = at(offsets[0]!);
        const units = [
          { ...parent, ...own },
          event({ ...child, ...first, parent: sent }),
          event({ ...inner, ...second, parent: sent }),
        ].sort((a, b) => Number(a.consensus - b.consensus));
        const { contracts, entities } = await decode(units);
        expect(contracts.find((each) => each.contract === 77n)?.creation).toMatchObject({
          consensusTimestamp: first?.consensus,
          originTimestamp: sent,
          creationCode,
          file,
        });
        // Made by the code of the other one, whose code it does not have.
        expect(contracts.find((each) => each.contract === 78n)?.creation).toMatchObject({
          creationCode: null,
          file: null,
        });
        expect(
          entities.filter(({ entity }) => entity === 77n).map(({ createdTimestamp }) => createdTimestamp),
        ).toEqual([first?.consensus]);
      }
    },
  );

  test('that were there before have only the code that a migration tells', async () => {
    const transfer = event({ data: { cryptoTransfer: {} }, receipt: {} });
    const { contracts } = await decode([transfer], [bytecode(12n, 0n), bytecode(13n, -1n)]);
    expect(contracts).toEqual([
      { contract: 12n, creation: null, runtimeCode: RUNTIME },
      { contract: 13n, creation: null, runtimeCode: RUNTIME },
    ]);
  });

  test('created by an Ethereum transaction are entities with their address', async () => {
    const evmAddress = new Uint8Array(20).fill(9);
    const { contracts, entities } = await decode([
      event({
        data: { ethereumTransaction: { ethereumData: Uint8Array.of(2), callData: { fileNum: 8n } } },
        record: { contractCreateResult: { contractID: contract(77n), evmAddress: { value: evmAddress } } },
      }),
    ]);
    expect(contracts[0]).toMatchObject({ contract: 77n, creation: { file: 8n, creationCode: null } });
    expect(entities).toEqual([
      { entity: 77n, type: 'CONTRACT', alias: null, evmAddress, createdTimestamp: at(0n) },
    ]);
  });

  test('created by an Ethereum transaction have the balance, memo and key that its child tells', async () => {
    const child = { memo: 'made by a wallet', adminKey: { ed25519: new Uint8Array(32).fill(7) } };
    const rows = await decode([
      event({
        data: { ethereumTransaction: { ethereumData: sentByWallet('0x6001') } },
        transfers: [
          [1001n, -5n],
          [77n, 5n],
        ],
      }),
      event({
        ...{ consensus: at(1n), parent: at(0n), nonce: 1, node: null, fee: 0n },
        data: { contractCreateInstance: child },
        record: { contractCreateResult: { contractID: contract(77n) } },
      }),
    ]);
    const mirror = await buildMirrorApp();
    await mirror.area.ledger.commitUnit(fixtureUnit('a', rows));
    const [account, shown] = await Promise.all(
      ['accounts/0.0.77', 'contracts/0.0.77'].map(
        async (path) => (await mirror.app.inject(`/api/v1/${path}`)).json() as object,
      ),
    );
    await mirror.close();
    const key = { _type: 'ED25519', key: '07'.repeat(32) };
    expect(account).toMatchObject({ balance: { balance: 5 }, key, memo: child.memo });
    expect(shown).toMatchObject({ admin_key: key, bytecode: '0x6001', memo: child.memo });
  });
});
