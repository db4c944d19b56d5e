import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordUnit } from '../../../test/contracts/ledger-units.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { ledgerItem } from '../../../tools/network/ledger-item.ts';
import type { Store } from '../../store/store.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { encodeEntityId, entityId } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import type { ContractChange, ContractCreation } from '../ledger/facets/contracts.ts';
import {
  type FixtureRows,
  type FixtureTransaction,
  fixtureTransaction,
  fixtureUnit,
} from '../ledger/fixture-unit.ts';
import type { LedgerTransaction } from '../ledger/rows.ts';
import type { MessageObject } from '../protobuf/messages.ts';
import { entityOfLongZero, longZeroOf } from '../vocabulary/long-zero-address.ts';

const START = 1_700_000_000_000_000_000n;
const at = (offset: bigint) => consensusTimestamp(START + offset);
const DAY = 86_400_000_000_000n;
const home = { shard: 0n, realm: 0n };
const ADDRESS = new Uint8Array(20).fill(0xab);
const [FILE, CONTRACT] = [entityId(30n), entityId(40n)];
const text = (value: string) => new TextEncoder().encode(value);

const creation = (changes: Partial<ContractCreation> = {}): ContractCreation => ({
  consensusTimestamp: at(50n),
  originTimestamp: at(50n),
  transactionHash: new Uint8Array(32).fill(1),
  transactionIndex: 2,
  sender: entityId(1001n),
  creationCode: null,
  file: null,
  constructorParameters: null,
  ...changes,
});
const change = (changes: Partial<ContractChange> = {}): ContractChange => ({
  contract: CONTRACT,
  creation: creation(),
  runtimeCode: Uint8Array.of(0x60),
  ...changes,
});

const aTransaction = (given: Omit<FixtureTransaction, 'payer'>) =>
  fixtureTransaction({ payer: entityId(2n), ...given });

describe('the contracts of a ledger', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openMemoryStore();
  });
  afterEach(() => store.close());

  const commit = (name: string, rows: FixtureRows) => store.mirror.ledger.commitUnit(fixtureUnit(name, rows));
  const codes = () => store.mirror.contractCodes;

  /** A transaction that wrote a file, with its bytes. */
  function write(offset: bigint, type: number, data: MessageObject, result = 22): LedgerTransaction {
    const { transaction } = ledgerItem(
      { consensus: at(offset), validStart: at(0n), payer: 2n, data, status: result, fee: 0n, node: 3n },
      home,
    );
    return aTransaction({
      consensusTimestamp: at(offset),
      type,
      result,
      entityId: FILE,
      transactionBytes: transaction,
    });
  }
  const fileID = { fileNum: 30n };
  const create = (offset: bigint, contents: string) =>
    write(offset, 17, { fileCreate: { contents: text(contents) } });
  const append = (offset: bigint, contents: string, result = 22) =>
    write(offset, 16, { fileAppend: { fileID, contents: text(contents) } }, result);
  const update = (offset: bigint, contents: string) =>
    write(offset, 19, { fileUpdate: { fileID, contents: text(contents) } });

  test.each<[string, readonly LedgerTransaction[], string | null]>([
    ['in one piece', [create(1n, '6001')], '0x600107'],
    ['with a prefix and a line end', [create(1n, '0x6001\n')], '0x600107'],
    ['in pieces that split a digit pair', [create(1n, '600'), append(2n, '102')], '0x60010207'],
    ['after an empty creation', [create(1n, ''), append(2n, '6001')], '0x600107'],
    ['replaced by an update', [create(1n, '66'), append(2n, '66'), update(3n, '6001')], '0x600107'],
    ['kept by an update of the keys', [create(1n, '6001'), update(3n, '')], '0x600107'],
    ['without what failed', [create(1n, '6001'), append(2n, '02', 10)], '0x600107'],
    ['without what came later', [create(1n, '6001'), append(60n, '02')], '0x600107'],
    ['begun before the import', [append(2n, '6001')], null],
    ['that is no hex text', [create(1n, 'hello')], null],
    ['that is empty', [create(1n, '')], null],
    ['that nobody wrote', [], null],
  ])('have creation code of a file %s', async (_, transactions, expected) => {
    const last = aTransaction({ consensusTimestamp: at(100n) });
    await commit('a', {
      transactions: [...transactions, last],
      contracts: [change({ creation: creation({ file: FILE, constructorParameters: Uint8Array.of(7) }) })],
    });
    const found = await codes().creation(CONTRACT);
    expect(found === null ? null : toHex(found.creationCode)).toBe(expected);
    // What the parameters were is not part of the file.
    const { bytecode, file } = (await codes().code(CONTRACT)) ?? {};
    expect(bytecode === null ? null : `${toHex(bytecode ?? new Uint8Array())}07`).toBe(expected);
    expect(file).toBe(FILE);
  });

  test('show the contents of their file also when a sidecar tells the code with its parameters', async () => {
    const told = Uint8Array.of(0x60, 0x01, 7);
    await commit('a', {
      transactions: [create(1n, '6001'), aTransaction({ consensusTimestamp: at(50n) })],
      contracts: [change({ creation: creation({ file: FILE, creationCode: told }) })],
    });
    expect(await codes().code(CONTRACT)).toMatchObject({ bytecode: Uint8Array.of(0x60, 0x01), file: FILE });
    expect(await codes().creation(CONTRACT)).toMatchObject({ creationCode: Buffer.from(told) });
  });

  test('keep the code of a file whose transactions retention deletes', async () => {
    const transactions = [create(1n, '60'), append(2n, '01'), aTransaction({ consensusTimestamp: at(50n) })];
    const made = { file: FILE, constructorParameters: Uint8Array.of(7) };
    await commit('a', { transactions, contracts: [change({ creation: creation(made) })] });
    const before = await codes().creation(CONTRACT);
    expect(before).toMatchObject({ creationCode: Uint8Array.of(0x60, 0x01, 7) });
    await commit('late', { transactions: [aTransaction({ consensusTimestamp: at(2n * DAY) })] });
    expect(await store.mirror.retention.prune(1)).toEqual({ transactions: 3, units: 1 });
    expect(await codes().creation(CONTRACT)).toEqual({ ...before, recordHash: null, blockNumber: null });
    expect(await codes().code(CONTRACT)).toMatchObject({ bytecode: Buffer.of(0x60, 0x01), file: FILE });
  });

  test('keep it also where a contract has an earlier time than its file, and retention takes them apart', async () => {
    const others = Array.from({ length: 600 }, (_, index) =>
      aTransaction({ consensusTimestamp: at(BigInt(index + 2)) }),
    );
    const created = aTransaction({ consensusTimestamp: at(1n), type: 8, entityId: CONTRACT });
    const made = creation({ consensusTimestamp: at(1n), originTimestamp: at(1n), file: FILE });
    const blocks: readonly FixtureRows[] = [
      { transactions: [...others, create(1000n, '6001')] },
      { transactions: [created], contracts: [change({ creation: made })] },
      { transactions: [aTransaction({ consensusTimestamp: at(2n * DAY) })] },
    ];
    let previousHash: Uint8Array = new Uint8Array(48);
    for (const [number, rows] of blocks.entries()) {
      const header = { kind: 'block', blockNumber: BigInt(number), previousHash } as const;
      const unit = recordUnit(`block-${number}`, rows, header);
      await store.mirror.ledger.commitUnit(unit);
      previousHash = unit.header.hash;
    }
    expect(await store.mirror.retention.prune(1)).toEqual({ transactions: 602, units: 2 });
    expect(await codes().code(CONTRACT)).toMatchObject({ bytecode: Buffer.of(0x60, 0x01), file: FILE });
  });

  test('are found by number, by address and by nothing else', async () => {
    const entities = [
      {
        entity: CONTRACT,
        type: 'CONTRACT' as const,
        alias: null,
        evmAddress: ADDRESS,
        createdTimestamp: at(5n),
      },
      {
        entity: entityId(41n),
        type: 'CONTRACT' as const,
        alias: null,
        evmAddress: null,
        createdTimestamp: at(5n),
      },
      {
        entity: entityId(42n),
        type: 'ACCOUNT' as const,
        alias: null,
        evmAddress: null,
        createdTimestamp: at(5n),
      },
    ];
    await commit('a', {
      transactions: [aTransaction({ consensusTimestamp: at(5n) })],
      entities,
      contracts: [change()],
    });
    const contract = { kind: 'contract', contract: 40n, runtimeCode: Buffer.from([0x60]) };
    expect(await codes().find(longZeroOf(40n))).toEqual(contract);
    expect(await codes().find(ADDRESS)).toEqual(contract);
    expect(await codes().find(longZeroOf(41n))).toEqual({
      kind: 'contract',
      contract: 41n,
      runtimeCode: null,
    });
    expect(await codes().find(longZeroOf(42n))).toEqual({ kind: 'account' });
    expect(await codes().find(longZeroOf(43n))).toBeNull();
    expect(await codes().find(new Uint8Array(20).fill(1))).toBeNull();
    expect(await codes().count()).toEqual({ contracts: 1, withRuntimeCode: 1 });
  });

  test('of the same address are told apart by their age', async () => {
    const entity = (id: bigint, offset: bigint) => ({
      entity: entityId(id),
      type: 'CONTRACT' as const,
      alias: null,
      evmAddress: ADDRESS,
      createdTimestamp: at(offset),
    });
    await commit('a', {
      transactions: [aTransaction({ consensusTimestamp: at(5n) })],
      entities: [entity(40n, 6n), entity(41n, 5n)],
    });
    expect(await codes().find(ADDRESS)).toMatchObject({ contract: 40n });
  });

  test('have the sender by its address, the block of the sent transaction and both hashes', async () => {
    const { header, ...rows } = fixtureUnit('a', {
      transactions: [aTransaction({ consensusTimestamp: at(50n), hash: new Uint8Array(48).fill(9) })],
      entities: [
        {
          entity: entityId(1001n),
          type: 'ACCOUNT',
          alias: null,
          evmAddress: ADDRESS,
          createdTimestamp: at(1n),
        },
      ],
      contracts: [change({ creation: creation({ creationCode: Uint8Array.of(0x66) }) })],
    });
    const told = { ...header, kind: 'record' as const, version: 6, blockNumber: 9_007_199_254_740_993n };
    await store.mirror.ledger.commitUnit({ ...rows, header: told });
    const found = await codes().creation(CONTRACT);
    expect(found).toMatchObject({ blockNumber: 9_007_199_254_740_993n, transactionIndex: 2 });
    expect(toHex(found?.deployer ?? new Uint8Array())).toBe(toHex(ADDRESS));
    expect(toHex(found?.recordHash ?? new Uint8Array())).toBe(`0x${'09'.repeat(32)}`);
  });

  test('keep their creation when a later unit tells their code', async () => {
    await commit('a', {
      transactions: [aTransaction({ consensusTimestamp: at(50n) })],
      contracts: [change({ creation: creation({ creationCode: Uint8Array.of(0x66) }), runtimeCode: null })],
    });
    await commit('b', {
      transactions: [aTransaction({ consensusTimestamp: at(51n) })],
      contracts: [change({ creation: null, runtimeCode: Uint8Array.of(0x61) })],
    });
    expect(await codes().find(longZeroOf(40n))).toMatchObject({ runtimeCode: Buffer.from([0x61]) });
    expect(await codes().creation(CONTRACT)).toMatchObject({ creationCode: Buffer.from([0x66]) });
  });
});

describe('an address with a number', () => {
  test('is zeros and the number, or shard, realm and number of the network', () => {
    const other = { shard: 11n, realm: 12n };
    expect(entityOfLongZero(longZeroOf(40n), home)).toBe(40n);
    expect(entityOfLongZero(longZeroOf(40n), other)).toBe(encodeEntityId(11n, 12n, 40n));
    const whole = longZeroOf(40n);
    const view = new DataView(whole.buffer, whole.byteOffset);
    view.setUint32(0, 11);
    view.setBigUint64(4, 12n);
    expect(entityOfLongZero(whole, other)).toBe(encodeEntityId(11n, 12n, 40n));
    expect(entityOfLongZero(whole, home)).toBeNull();
    expect(entityOfLongZero(longZeroOf(0n), home)).toBeNull();
    expect(entityOfLongZero(new Uint8Array(20).fill(255), home)).toBeNull();
  });
});
