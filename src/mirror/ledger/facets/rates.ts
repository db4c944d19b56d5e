import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import type { ExchangeRate } from '../../protobuf/message-types.ts';
import { rawField } from '../../protobuf/wire.ts';
import type { Facet } from './facet.ts';

/** The exchange rates that a receipt told; they hold until the next observation. */
interface RateObservation {
  readonly consensusTimestamp: ConsensusTimestamp;
  /** Serialized `ExchangeRateSet`, as in file 112. */
  readonly contents: Uint8Array;
}

/** Field numbers of the receipt in a record and of the rates in a receipt. */
const FIELD = { receipt: 1, exchangeRate: 5 };
const RATE = stateTable(
  'rate_observation',
  { at: 'consensus_ts' },
  { contents: column<Uint8Array>('contents') },
);
type RateRow = RowOf<typeof RATE>;

/**
 * Exchange rates where they differ from those before; the first that are told of a time stay.
 * Rows are in the order of the transactions, without repetitions.
 *
 * @see contracts/streams.md section 12, rate observation
 */
export const rates: Facet<'rates', RateObservation> = {
  name: 'rates',

  decodeUnit: ({ items }) => ({ rows: changedRates(items) }),

  touch(unit, keys) {
    for (const { consensusTimestamp: at } of unit.rates) keys.addBefore(RATE, at + 1n);
  },

  fold({ unit }, state) {
    const rows = state.rows(RATE);
    const known = [...rows.values()].sort((one, other) => (one.at < other.at ? -1 : 1));
    let newest: RateRow | null = null;
    let next = 0;
    // Both are ascending, so one walk along them finds what held at each time.
    for (const { consensusTimestamp: at, contents } of unit.rates) {
      for (let row = known[next]; row !== undefined && row.at <= at; row = known[++next]) {
        if (newest === null || row.at > newest.at) newest = row;
      }
      if (newest !== null && (newest.at === at || isSame(newest.contents, contents))) continue;
      newest = { at, contents };
      rows.set(newest);
    }
  },

  rebuild: { added: ['rate_observation'] },
};

function changedRates(items: readonly DecodedItem[]): readonly RateObservation[] {
  const observations: RateObservation[] = [];
  let last: readonly ExchangeRate[] = [];
  for (const { consensusTimestamp, item, record } of items) {
    const reported = record.receipt?.exchangeRate ?? null;
    if (reported === null || reported.currentRate === null || reported.nextRate === null) continue;
    const before = last;
    last = [reported.currentRate, reported.nextRate];
    if (last.every((rate, index) => isSameRate(rate, before[index]))) continue;
    const receipt = rawField(item.record, FIELD.receipt);
    const contents = receipt === null ? null : rawField(receipt, FIELD.exchangeRate);
    if (contents !== null) observations.push({ consensusTimestamp, contents: Uint8Array.from(contents) });
  }
  return observations;
}

function isSameRate({ centEquiv, expirationTime, hbarEquiv }: ExchangeRate, other?: ExchangeRate): boolean {
  if (other === undefined || centEquiv !== other.centEquiv || hbarEquiv !== other.hbarEquiv) return false;
  const [seconds, others] = [expirationTime?.seconds, other.expirationTime?.seconds];
  return seconds?.low === others?.low && seconds?.high === others?.high;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
