import type { RateObservation } from '../../ledger/rows.ts';
import type { ExchangeRate } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import type { DecodedItem } from './decoded-item.ts';

/** Field numbers of the receipt in a record and of the rates in a receipt. */
const FIELD = { receipt: 1, exchangeRate: 5 };

/**
 * The exchange rates that the receipts of a unit tell, where they differ from those before.
 *
 * @see contracts/streams.md section 12, rate observation
 */
export function rateObservations(items: readonly DecodedItem[]): readonly RateObservation[] {
  const observations: RateObservation[] = [];
  let last = '';
  for (const { consensusTimestamp, item, record } of items) {
    const rates = record.receipt?.exchangeRate ?? null;
    if (rates === null || rates.currentRate === null || rates.nextRate === null) continue;
    const text = `${describe(rates.currentRate)} ${describe(rates.nextRate)}`;
    if (text === last) continue;
    last = text;
    const receipt = rawField(item.record, FIELD.receipt);
    const contents = receipt === null ? null : rawField(receipt, FIELD.exchangeRate);
    if (contents !== null) observations.push({ consensusTimestamp, contents: Uint8Array.from(contents) });
  }
  return observations;
}

function describe({ centEquiv, expirationTime, hbarEquiv }: ExchangeRate): string {
  return `${centEquiv}/${hbarEquiv}/${expirationTime === null ? '' : toBigInt(expirationTime.seconds)}`;
}
