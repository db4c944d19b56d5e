import { describe, expect, test } from 'vitest';
import { type MemoryBackend, memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import * as fc from '../../../../test/support/properties.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { type FixtureRows, fixtureUnit } from '../fixture-unit.ts';

interface Event {
  /** A block's state ends a unit: `state` tells a balance, `end` that there is none any more. */
  readonly kind: 'move' | 'claim' | 'associate' | 'dissociate' | 'freeze' | 'state' | 'end';
  readonly amount: bigint;
}
/** What is known of the account and the token. */
interface Known {
  readonly balance: bigint | null;
  readonly associated: bigint | null;
  readonly created: bigint | null;
}

const OF = { account: entityId(5n), token: entityId(90n) };
const RELATIONS = {
  claim: { isAssociated: true, isIfMissing: true },
  associate: { isAssociated: true },
  dissociate: { isAssociated: false },
  freeze: { freezeStatus: 'FROZEN' },
} as const;
const isMove = ({ kind }: Event) => kind === 'move' || kind === 'claim';
const isState = ({ kind }: Event) => kind === 'state' || kind === 'end';
const timeOf = (index: number) => consensusTimestamp(BigInt(index + 10));

/** A unit for each list of events, each of which has its place among all as its time. */
function ledgerOf(units: readonly (readonly Event[])[]): MemoryBackend {
  const backend = memoryBackend();
  let index = 0;
  for (const events of units) {
    const timed = events.map((event) => ({ ...event, at: timeOf(index++) }));
    const rows: FixtureRows = {
      transactions: timed.map((event) =>
        aTransaction(event.at, {
          tokenTransfers: isMove(event) ? [{ ...OF, amount: event.amount, isApproval: false }] : [],
        }),
      ),
      tokenRelations: timed.flatMap(({ at, kind }) =>
        kind in RELATIONS
          ? [{ ...OF, consensusTimestamp: at, ...RELATIONS[kind as keyof typeof RELATIONS] }]
          : [],
      ),
      tokenStates: timed
        .filter(isState)
        .map(({ amount, at, kind }) => ({ ...OF, timestamp: at, balance: kind === 'end' ? null : amount })),
    };
    doNow(commitUnits(backend, [fixtureUnit(`from ${index}`, rows)], false));
  }
  return backend;
}

function knownIn(backend: MemoryBackend): Known {
  const [row] = backend.rows('token_balance');
  const number = (name: string) => (row?.[name] ?? null) as bigint | null;
  const balance = number('balance_ts') === null ? 0n : number('balance');
  return { balance, associated: number('associated'), created: number('created_ts') };
}

function naive(events: readonly Event[]): Known {
  let [balance, associated, created] = [0n as bigint | null, null as bigint | null, null as bigint | null];
  let isMoved = false;
  events.forEach(({ amount, kind }, index) => {
    const at = timeOf(index);
    const begins =
      kind === 'associate' || (kind === 'claim' && (associated === 0n || (associated === null && !isMoved)));
    if (begins) [balance, associated, created] = [balance ?? 0n, 1n, at];
    if (kind === 'claim' || kind === 'freeze') associated = 1n;
    if (kind === 'dissociate' || kind === 'end') [balance, associated] = [null, 0n];
    if (kind === 'state') balance = amount;
    if ((kind === 'move' || kind === 'claim') && balance !== null) balance += amount;
    if (balance !== null && balance < 0n) balance = null;
    // A state of 0 tells nothing new of what nobody moved.
    isMoved ||= kind !== 'freeze' && (kind !== 'state' || balance !== 0n);
  });
  return { balance, associated, created };
}

const event = fc.oneof(
  fc.record({ kind: fc.constantFrom('move', 'move', 'claim'), amount: fc.bigInt({ min: -9n, max: 9n }) }),
  fc.record({
    kind: fc.constantFrom('associate', 'dissociate', 'freeze', 'state', 'end'),
    amount: fc.bigInt({ min: 0n, max: 9n }),
  }),
) as fc.Arbitrary<Event>;

describe('a token balance that went below zero', () => {
  const below: Event = { kind: 'move', amount: -100n };

  test.each<[string, readonly Event[], Known]>([
    [
      'is not begun by a claim',
      [below, { kind: 'claim', amount: 10n }],
      { balance: null, associated: 1n, created: null },
    ],
    [
      'begins with a claim after the token was given up',
      [below, { kind: 'dissociate', amount: 0n }, { kind: 'claim', amount: 10n }],
      { balance: 10n, associated: 1n, created: 12n },
    ],
    [
      'ends when the state of a block has it no more',
      [{ kind: 'freeze', amount: 0n }, below, { kind: 'end', amount: 0n }],
      { balance: null, associated: 0n, created: null },
    ],
    [
      'is known again from what the state of a block tells',
      [below, { kind: 'state', amount: 7n }, { kind: 'move', amount: 1n }],
      { balance: 8n, associated: null, created: null },
    ],
  ])('%s', (_title, events, expected) => {
    expect(knownIn(ledgerOf(events.map((each) => [each])))).toEqual(expected);
  });

  test('is not known until it is told, by a statement or by the begin of the relation, whatever the units', () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        (events, cuts) => {
          const units: Event[][] = [[]];
          events.forEach((each, index) => {
            units.at(-1)?.push(each);
            if (isState(each) || cuts[index] === true) units.push([]);
          });
          const filled = units.filter(({ length }) => length > 0);
          expect(knownIn(ledgerOf(filled))).toEqual(naive(events));
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('a claim of a token whose balance is known, but not since when, does not begin it', () => {
  const events: readonly Event[] = [
    { kind: 'move', amount: 50n },
    { kind: 'claim', amount: 10n },
  ];
  for (const units of [[events], events.map((each) => [each])]) {
    expect(knownIn(ledgerOf(units))).toEqual({ balance: 60n, associated: 1n, created: null });
  }
});

test('a balance beyond int64 is not begun by a claim', () => {
  const most: Event = { kind: 'move', amount: 2n ** 63n - 1n };
  const events: readonly Event[] = [most, most, { kind: 'claim', amount: 1n }];
  expect(knownIn(ledgerOf([events]))).toEqual({ balance: null, associated: 1n, created: null });
});
