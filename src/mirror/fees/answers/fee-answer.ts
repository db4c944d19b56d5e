import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { FeeAddition } from '../pricing/additions/fee-addition.ts';
import type { FeeEstimate } from '../pricing/estimate-fee.ts';
import type { ChargedExtra, FeePart } from '../pricing/price-transaction.ts';
import type { ScheduleOrigin } from '../schedule/fee-schedule-source.ts';
import type { DetailedEstimate, InnerEstimates, MemberEstimate } from './detailed-estimate.ts';
import type { EstimatedList } from './estimate-list.ts';
import { explainExtra } from './explain-extra.ts';
import type { Money } from './fee-money.ts';

/** The type whose extras are explained, by its name in `TransactionBody.data`; null leaves explanations out. */
type ExplainedMember = string | null;

/**
 * The answer as JSON text, amounts in tinycents as exact integers.
 *
 * Printed by hand: a general printer takes as long as decoding and pricing together.
 *
 * @see contracts/fees-estimate.md section 2
 */
export function printFeeAnswer(estimate: FeeEstimate): string {
  return `{${printEstimate(estimate, null)}}`;
}

/** The same with the details that were asked for. @see contracts/fees-estimate.md section 12 */
export function printDetailedAnswer(detailed: DetailedEstimate): string {
  return `{${printDetails(detailed)}}`;
}

/** The answer of the JSON route, as `schemas.ts` describes it. */
export function printListAnswer({ money, total, transactions }: EstimatedList): string {
  const members = transactions.map(
    (listed) =>
      `{"type":${JSON.stringify(typeName(listed))},"transaction_id":${JSON.stringify(listed.transactionId)},` +
      `${printDetails(listed)}}`,
  );
  return `{"transactions":[${members.join(',')}],"total":${total}${printMoney(money)}}`;
}

/** The name that transaction lists use, for example `CRYPTOTRANSFER`. */
export function typeName({ member }: Pick<MemberEstimate, 'member'>): string {
  return member.toUpperCase();
}

function printDetails(detailed: DetailedEstimate): string {
  return (
    printEstimate(detailed.estimate, detailed.isExplained ? detailed.member : null) +
    (detailed.inner === null ? '' : printInner(detailed.inner, detailed.isExplained)) +
    printMoney(detailed.money)
  );
}

function printInner({ estimates, total, totalWithOuter }: InnerEstimates, isExplained: boolean): string {
  const members = estimates.map(({ estimate, member }) => {
    const printed = printEstimate(estimate, isExplained ? member : null);
    return `{"type":${JSON.stringify(typeName({ member }))},${printed}}`;
  });
  return `,"inner":{"transactions":[${members.join(',')}],"total":${total}},"total_with_inner":${totalWithOuter}`;
}

function printMoney(money: Money | null): string {
  if (money === null) return '';
  const { hbar, rate, tinybars, usd } = money;
  return (
    `,"money":{"usd":"${usd}","hbar":"${hbar}","tinybars":${tinybars},` +
    `"exchange_rate":{"cent_equivalent":${rate.centEquivalent},"hbar_equivalent":${rate.hbarEquivalent},` +
    `"expiration_time":${rate.expirationTime},"timestamp":"${printTimestamp(rate.timestamp)}"}}`
  );
}

function printEstimate(estimate: FeeEstimate, explained: ExplainedMember): string {
  const { additions, highVolumeMultiplier, network, node, notes, service, total } = estimate;
  return (
    `"high_volume_multiplier":${highVolumeMultiplier},` +
    `"network":{"multiplier":${network.multiplier},"subtotal":${network.subtotal}},` +
    `"node":${printPart(node, explained)},"service":${printPart(service, explained)},"total":${total}` +
    `${additions.length === 0 ? '' : `,"additions":[${additions.map(printAddition).join(',')}]`}` +
    `${notes.length === 0 ? '' : `,"notes":${JSON.stringify(notes)}`}`
  );
}

function printPart({ base, extras }: FeePart, explained: ExplainedMember): string {
  const printed = extras.length === 0 ? '' : extras.map((extra) => printExtra(extra, explained)).join(',');
  return `{"base":${base},"extras":[${printed}]}`;
}

/** Names are those of the schedule; a schedule on file may spell one with anything. */
function printExtra(extra: ChargedExtra, explained: ExplainedMember): string {
  const { charged, count, feePerUnit, included, name, subtotal } = extra;
  return (
    `{"name":${JSON.stringify(name)},"included":${included},"count":${count},"charged":${charged},` +
    `"fee_per_unit":${feePerUnit},"subtotal":${subtotal}` +
    `${explained === null ? '' : `,"explanation":${JSON.stringify(explainExtra(explained, extra))}`}}`
  );
}

function printAddition({ count, feePerUnit, name, subtotal }: FeeAddition): string {
  return `{"name":"${name}","count":${count},"fee_per_unit":${feePerUnit},"subtotal":${subtotal}}`;
}

/** Value of the header `X-Fee-Schedule`. @see contracts/fees-estimate.md section 9.1 */
export function printScheduleOrigin(origin: ScheduleOrigin): string {
  return typeof origin === 'bigint' ? printTimestamp(origin) : origin;
}
