import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMemoryStore, type Store } from '../../../../test/support/test-store.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import type { ContractStateChange } from '../../ledger/facets/contract-storage.ts';
import { fixtureTransaction, fixtureUnit } from '../../ledger/fixture-unit.ts';

type SlotSelection = Parameters<Store['mirror']['contractState']['page']>[0];

/** More than are few, in pairs at the same time. */
const COUNT = 3000;
const SLOTS = 700;
const BUSY = entityId(2001n);
const QUIET = entityId(2002n);

const slotOf = (number: number) => {
  const slot = new Uint8Array(32);
  new DataView(slot.buffer).setUint32(28, number);
  return slot;
};
const timeOf = (index: number) => BigInt(Math.floor(index / 2) + 1) * 1000n;

/** Slots change again and again; every third change of a slot only reads it. */
const changes = Array.from({ length: COUNT }, (_, index): ContractStateChange & { contract: EntityId } => ({
  contract: index % 11 === 0 ? QUIET : BUSY,
  slot: slotOf((index * 37) % SLOTS),
  consensusTimestamp: consensusTimestamp(timeOf(index)),
  valueRead: Uint8Array.of(index % 251),
  valueWritten: index % 3 === 0 ? null : Uint8Array.of(1 + (index % 255)),
  isMigration: false,
  leavesState: true,
}));

let store: Store;
beforeAll(async () => {
  store = await openMemoryStore();
  const times = [...new Set(changes.map((change) => change.consensusTimestamp))];
  await store.mirror.ledger.commitUnit(
    fixtureUnit('state', {
      transactions: times.map((at) => fixtureTransaction({ consensusTimestamp: at, payer: entityId(1001n) })),
      contractStateChanges: changes,
    }),
  );
});
afterAll(() => store.close());

const TIMES = {
  'as it is': null,
  'before all changes': [0n, 999n],
  'at one time': [timeOf(500), timeOf(500)],
  'in few changes': [timeOf(1000), timeOf(1400)],
  'in as many as are few': [timeOf(0), timeOf(999)],
  'in many changes': [timeOf(0), timeOf(1800)],
  'at any time': [0n, timeOf(COUNT)],
} as const;
const PLACES = {
  'all slots': [slotOf(0), slotOf(0xffffffff)],
  'a range of slots': [slotOf(100), slotOf(420)],
} as const;

describe.each(Object.keys(TIMES) as (keyof typeof TIMES)[])('the state %s', (when) => {
  test.each(Object.keys(PLACES) as (keyof typeof PLACES)[])(
    'in %s is that of a naive scan',
    async (where) => {
      const span = TIMES[when];
      const [lower, upper] = PLACES[where];
      for (const contract of [BUSY, QUIET, entityId(2003n)]) {
        for (const order of ['asc', 'desc'] as const) {
          for (const equal of [null, [slotOf(111), slotOf(222), slotOf(9)]]) {
            for (const limit of [1, 25, 1000]) {
              const times = span === null ? null : { lower: span[0], upper: span[1] };
              const selection: SlotSelection = { contract, lower, upper, equal, times, order, limit };
              const found = await store.mirror.contractState.page(selection);
              expect(found.map(shown)).toEqual(naive(selection));
            }
          }
        }
      }
    },
  );
});

const shown = (each: {
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
  readonly consensusTimestamp: bigint;
}) => `${bareHex(each.slot)} ${bareHex(each.value)} ${each.consensusTimestamp}`;

function naive({ contract, equal, limit, lower, order, times, upper }: SlotSelection): readonly string[] {
  const newest = new Map<string, string>();
  for (const change of changes) {
    const { consensusTimestamp: at, slot, valueRead, valueWritten } = change;
    const isWithin = at >= (times?.lower ?? 0n) && at <= (times?.upper ?? at);
    const isBetween = Buffer.compare(slot, lower) >= 0 && Buffer.compare(slot, upper) <= 0;
    const isNamed = equal === null || equal.some((each) => Buffer.compare(each, slot) === 0);
    if (change.contract !== contract || !isWithin || !isBetween || !isNamed) continue;
    // A slot that was only read is none of those that the state has.
    if (times === null && valueWritten === null) continue;
    newest.set(bareHex(slot), shown({ slot, value: valueWritten ?? valueRead, consensusTimestamp: at }));
  }
  const lines = [...newest.values()].sort();
  return (order === 'asc' ? lines : lines.reverse()).slice(0, limit);
}
