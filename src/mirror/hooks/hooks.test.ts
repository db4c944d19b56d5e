import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { type LedgerEvent, ledgerItem } from '../../../tools/network/ledger-item.ts';
import { consensusTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { decodeUnit } from '../ingest/decode/decode-unit.ts';
import { emptyLookup } from '../ingest/decode/known-entities.ts';
import { sidecarRecordsOf } from '../ingest/sidecar/verified-sidecars.ts';
import type { SidecarRecord } from '../items/sidecar-record.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { LedgerUnit } from '../ledger/rows.ts';
import { type MessageObject, messages } from '../protobuf/messages.ts';
import { RESULT } from '../vocabulary/response-codes.ts';

const START = 1_790_000_000_000_000_000n;
const ACCOUNT = { accountNum: 1001n };
const CONTRACT = { contractNum: 2001n };
const HOOK_CONTRACT = { contractNum: 365n };
const KEY = { ed25519: new Uint8Array(32).fill(7) };
const at = (later: bigint) => printTimestamp(START + later);
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const slot = (key: number, ...value: readonly number[]) => ({
  storageSlot: { key: Uint8Array.of(key), value: Uint8Array.from(value) },
});
const hook = (hookId: bigint, members: MessageObject = {}) => ({
  hookId,
  evmHook: { spec: { contractId: CONTRACT }, storageUpdates: [] },
  ...members,
});
const stores = (hookId: bigint, ...storageUpdates: readonly MessageObject[]): Partial<LedgerEvent> => ({
  data: { hookStore: { hookId: { entityId: { accountId: ACCOUNT }, hookId }, storageUpdates } },
});
const MAPPED = Buffer.from(keccak_256(Buffer.from(`${word(5n)}${word(9n)}`.replaceAll('0x', ''), 'hex')));
const NAMED = Buffer.from(keccak_256(Buffer.concat([Buffer.from('name'), Buffer.alloc(31), Buffer.of(9)])));

const EVENTS: readonly Partial<LedgerEvent>[] = [
  {
    data: {
      cryptoCreateAccount: {
        hookCreationDetails: [
          hook(1n, {
            adminKey: KEY,
            evmHook: { spec: { contractId: CONTRACT }, storageUpdates: [slot(1, 0, 5)] },
          }),
          hook(2n),
        ],
      },
    },
    receipt: { accountID: ACCOUNT },
  },
  stores(1n, slot(2, 1), slot(2, 2), slot(3, 3)),
  {
    data: {
      cryptoUpdateAccount: {
        accountIDToUpdate: ACCOUNT,
        hookIdsToDelete: [2n],
        hookCreationDetails: [hook(3n)],
      },
    },
  },
  stores(1n, slot(3), {
    mappingEntries: {
      mappingSlot: Uint8Array.of(9),
      entries: [
        { key: Uint8Array.of(5), value: Uint8Array.of(6) },
        { preimage: Buffer.from('name'), value: Uint8Array.of(7) },
      ],
    },
  }),
  { ...stores(1n, slot(1, 9)), status: 10 },
  {
    data: { contractCreateInstance: { hookCreationDetails: [hook(0n)] } },
    receipt: { contractID: CONTRACT },
  },
];

/** A block further on whose times are those of others before it. */
const STEPPED_BACK: readonly Partial<LedgerEvent>[] = [
  stores(7n, slot(1, 8), slot(2, 9)),
  stores(7n, slot(1)),
];

async function unitOf(
  name: string,
  events: readonly Partial<LedgerEvent>[],
  first: bigint,
  step = 1n,
  sidecars: readonly SidecarRecord[] = [],
) {
  const items = events.map((event, index) =>
    ledgerItem(
      {
        consensus: consensusTimestamp(first + step * BigInt(index)),
        validStart: consensusTimestamp(START - 1n),
        payer: 2n,
        data: {},
        status: RESULT.SUCCESS,
        fee: 0n,
        node: 3n,
        ...event,
      },
      { shard: 0n, realm: 0n },
    ),
  );
  const rows = await decodeUnit(items, `${name}.rcd`, emptyLookup, sidecars);
  // A fixture would have them ascending.
  return { ...fixtureUnit(name, rows), transactions: rows.transactions };
}

/** Fixtures may not step back. */
const inBlock = (
  unit: LedgerUnit,
  blockNumber: bigint,
  previousHash = unit.header.previousHash,
): LedgerUnit => ({
  ...unit,
  header: { ...unit.header, kind: 'block', version: 7, isNative: true, blockNumber, previousHash },
});

let mirror: MirrorApp;
beforeAll(async () => {
  mirror = await buildMirrorApp();
  await mirror.area.ledger.commitUnit(await unitOf('a', EVENTS, START));
});
afterAll(() => mirror.close());

const get = async (path: string) => {
  const answer = await mirror.app.inject(`/api/v1/accounts/${path}`);
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
};
const listOf = async (path: string, name: string) =>
  (await get(path)).body[name] as readonly Readonly<Record<string, unknown>>[];

describe('GET /api/v1/accounts/{id}/hooks', () => {
  test('shows hooks with what they were created with, deleted ones too', async () => {
    const common = { extension_point: 'ACCOUNT_ALLOWANCE_HOOK', owner_id: '0.0.1001', type: 'EVM' };
    const since = (time: bigint) => ({ timestamp_range: { from: at(time), to: null } });
    const contract = { contract_id: '0.0.2001', admin_key: null };
    expect((await get('1001/hooks')).body).toEqual({
      hooks: [
        { ...common, ...contract, ...since(2n), hook_id: 3, created_timestamp: at(2n), deleted: false },
        { ...common, ...contract, ...since(2n), hook_id: 2, created_timestamp: at(0n), deleted: true },
        {
          ...{ ...common, ...contract, ...since(0n), hook_id: 1, created_timestamp: at(0n), deleted: false },
          admin_key: { _type: 'ED25519', key: '07'.repeat(32) },
        },
      ],
      links: { next: null },
    });
    expect(await listOf('2001/hooks', 'hooks')).toMatchObject([{ hook_id: 0, owner_id: '0.0.2001' }]);
  });

  test.each([
    ['1001/hooks?hook.id=1&hook.id=3&order=asc', [1, 3]],
    ['1001/hooks?hook.id=lt:3&hook.id=gte:2', [2]],
    ['1001/hooks?hook.id=ne:3', [2, 1]],
    ['5/hooks', []],
  ])('%s shows %j', async (path, expected) => {
    expect((await listOf(path, 'hooks')).map((each) => each['hook_id'])).toEqual(expected);
  });

  test('a page leads to the next one', async () => {
    const { body } = await get('1001/hooks?limit=2');
    expect(body['links']).toEqual({ next: '/api/v1/accounts/1001/hooks?limit=2&hook.id=lt:2' });
  });
});

describe('GET /api/v1/accounts/{id}/hooks/{hookId}/storage', () => {
  const slots = async (query: string) =>
    (await listOf(`1001/hooks/1/storage${query}`, 'storage')).map(({ key, timestamp, value }) => [
      key,
      timestamp,
      value,
    ]);
  const one = [word(1n), at(0n), word(5n)];
  const two = [word(2n), at(1n), word(2n)];

  const mapped = [
    [`0x${MAPPED.toString('hex')}`, at(3n), word(6n)],
    [`0x${NAMED.toString('hex')}`, at(3n), word(7n)],
  ].sort();

  test('shows slots and entries of mappings that are set, by key', async () => {
    expect(await slots('')).toEqual([one, two, ...mapped]);
    expect(await slots('?order=desc&limit=1')).toEqual(mapped.slice(-1));
  });

  test.each([
    // Before the third one was cleared.
    [`?timestamp=${at(2n)}`, [one, two, [word(3n), at(1n), word(3n)]]],
    // Within a time a slot that was cleared then is shown, as zero.
    [`?timestamp=${at(3n)}`, [one, two, [word(3n), at(3n), word(0n)], ...mapped]],
    [`?timestamp=lt:${at(1n)}`, [one]],
    [`?timestamp=gte:${at(1n)}&timestamp=lte:${at(1n)}`, [two, [word(3n), at(1n), word(3n)]]],
    ['?key=2', [two]],
    ['?key=gt:0x00&key=lt:02', [one]],
    ['?key=lt:0', []],
  ])('%s shows what was set', async (query, expected) => {
    expect(await slots(query)).toEqual(expected);
  });

  test('a page leads to the next one', async () => {
    const { body } = await get('1001/hooks/1/storage?limit=1&key=lte:2');
    expect(body).toMatchObject({ hook_id: 1, owner_id: '0.0.1001' });
    expect(body['links']).toEqual({
      next: `/api/v1/accounts/1001/hooks/1/storage?limit=1&key=lte:2&key=gt:${word(1n)}`,
    });
    expect(await slots(`?limit=1&key=lte:2&key=gt:${word(1n)}`)).toEqual([two]);
  });

  test('the order of the chain tells what slots hold, not their times', async () => {
    const created = { data: { cryptoCreateAccount: { hookCreationDetails: [hook(7n)] } } };
    const { ledger } = mirror.area;
    const events = [{ ...created, receipt: { accountID: ACCOUNT } }, stores(7n, slot(1, 1))];
    const before = inBlock(await unitOf('b', events, START + 50n), 5n);
    expect(await ledger.commitUnit(before)).toBe('stored');
    const stepsBack = await unitOf('c', STEPPED_BACK, START + 40n, -5n);
    expect(await ledger.commitUnit(inBlock(stepsBack, 6n, before.header.hash))).toBe('stored');
    const slots = async (query: string) =>
      (await listOf(`1001/hooks/7/storage${query}`, 'storage')).map(({ key, timestamp }) => [key, timestamp]);
    expect(await slots('')).toEqual([[word(2n), at(40n)]]);
    expect(await slots(`?timestamp=${at(60n)}`)).toEqual([
      [word(1n), at(51n)],
      [word(2n), at(40n)],
    ]);
  });

  const CREATED = {
    data: { cryptoCreateAccount: { hookCreationDetails: [hook(1n)] } },
    receipt: { accountID: ACCOUNT },
  };
  const CREATED_ANEW = {
    data: {
      cryptoUpdateAccount: {
        accountIDToUpdate: ACCOUNT,
        hookIdsToDelete: [1n],
        hookCreationDetails: [
          hook(1n, { evmHook: { spec: { contractId: CONTRACT }, storageUpdates: [slot(1, 2)] } }),
        ],
      },
    },
  };
  const ASKED = {
    data: {
      cryptoTransfer: {
        transfers: {
          accountAmounts: [
            { accountID: ACCOUNT, amount: -1n, preTxAllowanceHook: { hookId: 1n } },
            { accountID: { accountNum: 2n }, amount: 1n },
          ],
        },
      },
    },
  };

  describe.each([
    ['ascending', 1n],
    ['descending', -1n],
  ])('of one block with times %s', (_, step) => {
    const time = (place: number) => consensusTimestamp(START + 50n + step * BigInt(place));
    /** Writes 1 to slot 1. */
    const run = (parent: number): Partial<LedgerEvent> => ({
      data: { contractCall: { contractID: HOOK_CONTRACT } },
      parent: time(parent),
      nonce: 1,
    });
    const wroteAt = (place: number): readonly SidecarRecord[] => {
      const storageChanges = [{ slot: Uint8Array.of(1), valueWritten: { value: Uint8Array.of(1) } }];
      const record = {
        consensusTimestamp: {
          seconds: time(place) / 1_000_000_000n,
          nanos: Number(time(place) % 1_000_000_000n),
        },
        stateChanges: { contractStateChanges: [{ contractId: HOOK_CONTRACT, storageChanges }] },
      };
      return sidecarRecordsOf(messages.SidecarFile.encode({ sidecarRecords: [record] }), 'b');
    };

    test.each([
      ['a store after a run', [CREATED, ASKED, run(1), stores(1n, slot(1, 2))], 2, 2n, 3],
      ['a run after a store', [CREATED, stores(1n, slot(1, 2)), ASKED, run(2)], 3, 1n, 3],
      ['a creation after a run', [CREATED, ASKED, run(1), CREATED_ANEW], 2, 2n, 3],
    ])('%s holds, also after a rebuild', async (_what, events, ran, value, place) => {
      const { app, close, area, store } = await buildMirrorApp();
      const unit = inBlock(await unitOf('b', events, time(0), step, wroteAt(ran)), 5n);
      const held = async () => (await app.inject('/api/v1/accounts/1001/hooks/1/storage')).json().storage;
      const expected = [{ key: word(1n), timestamp: printTimestamp(time(place)), value: word(value) }];
      expect(await area.ledger.commitUnit(unit)).toBe('stored');
      expect(await held()).toMatchObject(expected);
      // What hooks store is not that of the contract that they run as.
      expect((await app.inject('/api/v1/contracts/0.0.365/state')).json().state).toEqual([]);
      const { beginState, units } = store.rebuild();
      const header = await units.next(null);
      if (header === null) expect.fail('the block is missing');
      const state = await beginState();
      await state.add({ ...unit, header });
      expect(await state.replace()).toBe('replaced');
      await state.close();
      expect(await held()).toMatchObject(expected);
      await close();
    });
  });

  test('an unknown hook is 404', async () => {
    expect(await get('1001/hooks/9/storage')).toMatchObject({
      status: 404,
      body: { _status: { messages: [{ message: 'Not found', detail: 'Hook not found' }] } },
    });
  });

  test.each([
    ['1001/hooks/x/storage', 'hookid'],
    ['1001/hooks/1/storage?key=ne:1', 'key'],
    [`1001/hooks/1/storage?key=${'0'.repeat(65)}`, 'key'],
    ['1001/hooks/1/storage?timestamp=ne:1', 'timestamp'],
    ['1001/hooks/1/storage?timestamp=1&timestamp=2&timestamp=3', 'timestamp'],
    ['1001/hooks?hook.id=-1', 'hook.id'],
  ])('%s is 400', async (path, name) => {
    expect(await get(path)).toMatchObject({
      status: 400,
      body: { _status: { messages: [{ message: `Invalid parameter: ${name}` }] } },
    });
  });
});
