import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Config, readConfig } from '../config.ts';
import {
  type DetailedEstimate,
  type EstimatedList,
  estimateList,
  type ListedEstimate,
} from '../mirror/fees/answers/detailed-estimate.ts';
import {
  explainExtra,
  printListAnswer,
  printScheduleOrigin,
  typeName,
} from '../mirror/fees/answers/fee-answer.ts';
import { printUsd } from '../mirror/fees/answers/fee-money.ts';
import { ALL_DETAILS, type FeeQuery } from '../mirror/fees/answers/fee-request.ts';
import { parseTransactionText } from '../mirror/fees/decode/decode-transaction.ts';
import { createFees } from '../mirror/fees/index.ts';
import type { FeeAddition } from '../mirror/fees/pricing/additions/fee-addition.ts';
import type { FeePart } from '../mirror/fees/pricing/price-transaction.ts';
import { MAX_SIGNATURE_PAIRS } from '../mirror/fees/pricing/transaction-limits.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';
import { systemFile } from '../mirror/network/network-service.ts';
import { SYSTEM_FILE } from '../mirror/vocabulary/system-files.ts';
import { IN_MEMORY } from '../store/database-url.ts';
import { backendOf, openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { systemClock } from '../values/clock.ts';
import { printTimestamp } from '../values/consensus-timestamp.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command.ts';
import { SILENT } from './logger.ts';
import { renderTable } from './print-facts.ts';
import { readChoice, readWholeNumber } from './read-words.ts';

const STDIN = '-';
/** No binary transaction is made of these alone: the byte that it begins with is none of them. */
const TEXT = /^[A-Za-z0-9+/=_\s-]+$/;
const MAX_BASIS_POINTS = 10_000;

/** `ledgerlens fees FILE|-`: what a stored transaction will cost, as a table. A server need not run. */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) {
    throw new LedgerlensError(
      'usage',
      'Name one file with a serialized transaction, or - for standard input',
    );
  }
  const query: FeeQuery = {
    mode: readChoice(values, 'mode', ['intrinsic', 'state']) === 'state' ? 'STATE' : 'INTRINSIC',
    highVolumeThrottle: readWholeNumber(values, 'high-volume-throttle', [0, MAX_BASIS_POINTS]) ?? 0,
    signatures: readWholeNumber(values, 'signatures', [0, MAX_SIGNATURE_PAIRS]),
    details: ALL_DETAILS,
  };
  const config = readConfig(env);
  const bytes = transactionOf(await readInput(path));
  const store = await openLedger(config);
  try {
    console.log(await estimate(bytes, query, config, store.mirror, values['json'] === true));
  } finally {
    await store.close();
  }
  return 0;
}

async function estimate(
  bytes: Uint8Array,
  query: FeeQuery,
  { mirror }: Config,
  { feeState: state, files }: MirrorStore,
  isJson: boolean,
): Promise<string> {
  const home = { shard: mirror.shard, realm: mirror.realm };
  const { rateNow, schedules } = createFees({
    files,
    state,
    clock: systemClock,
    scheduleFilePath: mirror.feeScheduleFile,
    bodyLimitBytes: mirror.feeBodyLimit,
    scheduleFileId: systemFile(SYSTEM_FILE.SIMPLE_FEE_SCHEDULE, home),
    rateFileId: systemFile(SYSTEM_FILE.EXCHANGE_RATES, home),
    reportFault: warn,
  });
  const current = await schedules.current();
  if (current === null) throw new LedgerlensError('no_fee_schedule', 'There is no fee schedule');
  const { schedule, origin } = current;
  const list = await estimateList(bytes, { schedule, state, rateNow, query, reportFault: warn });
  if (isJson) return printListAnswer(list);
  return renderEstimates(list, describeOrigin(printScheduleOrigin(origin), mirror.feeScheduleFile));
}

/** The ledger if there is one; without it prices are the bundled ones, and nothing is known of tokens. */
function openLedger(config: Config): Promise<Store> {
  const isThere = backendOf(config.database).missing(config.database) === null;
  const database = isThere ? config.database : IN_MEMORY;
  return openStore({ ...config, database }, { log: SILENT });
}

async function readInput(path: string): Promise<Uint8Array> {
  try {
    return path === STDIN ? await buffer(process.stdin) : await readFile(path);
  } catch (cause) {
    throw new LedgerlensError('unreadable_file', `${path}: ${(cause as Error).message}`, { cause });
  }
}

function transactionOf(content: Uint8Array): Uint8Array {
  const text = Buffer.from(content).toString('latin1');
  return TEXT.test(text) ? (parseTransactionText(text) ?? content) : content;
}

function describeOrigin(origin: string, file: string | null): string {
  if (origin === 'bundled') return 'the bundled schedule';
  return origin === 'file' ? `the schedule of ${file}` : `the ledger's schedule of ${origin}`;
}

function warn(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error));
}

const HEAD = ['part', 'item', 'counted', 'included', 'charged', 'per unit', 'tinycents', 'USD'];

/** The breakdown of each transaction, what they cost together, and where the prices come from. */
function renderEstimates({ money, total, transactions }: EstimatedList, schedule: string): string {
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
