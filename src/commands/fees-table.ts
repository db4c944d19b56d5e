import type { DetailedEstimate } from '../mirror/fees/answers/detailed-estimate.ts';
import type { EstimatedList, ListedEstimate } from '../mirror/fees/answers/estimate-list.ts';
import { explainExtra } from '../mirror/fees/answers/explain-extra.ts';
import { typeName } from '../mirror/fees/answers/fee-answer.ts';
import { printUsd } from '../mirror/fees/answers/fee-money.ts';
import type { FeeAddition } from '../mirror/fees/pricing/additions/fee-addition.ts';
import type { FeePart } from '../mirror/fees/pricing/price-transaction.ts';
import { printTimestamp } from '../values/consensus-timestamp.ts';
import { renderTable } from './table.ts';

const HEAD = ['part', 'item', 'counted', 'included', 'charged', 'per unit', 'tinycents', 'USD'];

/** The breakdown of each transaction, what they cost together, and where the prices come from. */
export function renderEstimates({ money, total, transactions }: EstimatedList, schedule: string): string {
  const blocks = transactions.map(renderTransaction);
  const sum = transactions.length > 1 ? [`Total: ${printAmount(total)}`] : [];
  const inHbar =
    money === null
      ? []
      : [
          `In hbar: ${money.hbar} (${money.rate.hbarEquivalent} hbar are ${money.rate.centEquivalent} cents, ` +
            `as of ${printTimestamp(money.rate.timestamp)})`,
        ];
  return [...blocks, [...sum, ...inHbar, `Prices: ${schedule}`].join('\n')].join('\n\n');
}

function renderTransaction(listed: ListedEstimate): string {
  const { estimate, transactionId } = listed;
  const title = transactionId === null ? typeName(listed) : `${typeName(listed)} ${transactionId}`;
  const notes = estimate.notes.map((note) => `Note: ${note}`);
  return [title, renderTable([HEAD, ...rowsOf(listed)]), ...explanations(listed), ...notes].join('\n');
}

function rowsOf({ estimate, inner }: DetailedEstimate): readonly (readonly string[])[] {
  const { additions, network, node, service, total } = estimate;
  const rows = [
    ...partRows('node', node),
    amountRow('network', `node part times ${network.multiplier}`, network.subtotal),
    ...partRows('service', service),
    amountRow('total', '', total),
    ...additions.map(additionRow),
  ];
  if (inner === null) return rows;
  return [
    ...rows,
    ...inner.estimates.map((each) => amountRow('inner', typeName(each), each.estimate.total)),
    amountRow('total', 'with inner transactions', inner.totalWithOuter),
  ];
}

function partRows(name: string, { base, extras }: FeePart): readonly (readonly string[])[] {
  return [
    amountRow(name, 'base fee', base),
    ...extras.map((extra) => [
      name,
      extra.name,
      `${extra.count}`,
      `${extra.included}`,
      `${extra.charged}`,
      `${extra.feePerUnit}`,
      `${extra.subtotal}`,
      printUsd(extra.subtotal),
    ]),
  ];
}

function additionRow({ count, feePerUnit, name, subtotal }: FeeAddition): readonly string[] {
  return ['may be added', name, `${count}`, '', '', `${feePerUnit}`, `${subtotal}`, printUsd(subtotal)];
}

function amountRow(part: string, item: string, tinycents: bigint): readonly string[] {
  return [part, item, '', '', '', '', `${tinycents}`, printUsd(tinycents)];
}

function explanations({ estimate, member }: DetailedEstimate): readonly string[] {
  return [...estimate.node.extras, ...estimate.service.extras].map(
    (extra) => `${extra.name}: ${explainExtra(member, extra)}`,
  );
}

function printAmount(tinycents: bigint): string {
  return `${tinycents} tinycents, ${printUsd(tinycents)} USD`;
}
