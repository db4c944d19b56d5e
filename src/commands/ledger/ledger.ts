import { type Config, readConfig } from '../../config.ts';
import { type RebuildProgress, rebuildLedger } from '../../mirror/ingest/rebuild/rebuild-ledger.ts';
import type { PublishedId, UnitRun } from '../../mirror/ledger/upkeep/ledger-report.ts';
import { backendOf, openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { toHex } from '../../values/hex.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { Invocation } from '../command.ts';
import { derivingLedger } from '../derive-ledger.ts';
import { SILENT } from '../logger.ts';
import { printFacts, renderTable } from '../print-facts.ts';
import { createProgressLine } from '../progress-line.ts';
import { type Action, readAction } from '../read-words.ts';
import { acceptLedgerGap, listLedgerGaps } from './ledger-gaps.ts';

const HEAD = ['units', 'transactions', 'from', 'to', 'verified', 'kind', 'sidecars', 'source'];
const HEAD_EACH = ['transactions', 'from', 'to', 'verified', 'kind', 'sidecars', 'name'];

/** `ledgerlens ledger units`: what was imported from where, and how far it was verified; `--each`: every unit. */
export const listLedgerUnits: LedgerAction = async ({ mirror }, _words, values) => {
  const each = values['each'] === true;
  const runs = await mirror.report.unitRuns(each);
  const ids = await mirror.report.ledgerIds();
  const table = () => renderTable(each ? [HEAD_EACH, ...runs.map(unitRow)] : [HEAD, ...runs.map(runRow)]);
  printFacts(values, { units: runs.map(runFacts), ledgerIds: ids.map(idFacts) }, () =>
    [runs.length === 0 ? 'The ledger is empty.' : table(), ...ledgerIdLines(ids)].join('\n'),
  );
  return 0;
};

function runFacts({ first, last, ...run }: UnitRun) {
  return { from: printTimestamp(first), to: printTimestamp(last), ...run };
}

function idFacts({ isSigned, ledgerId }: PublishedId) {
  return { ledgerId: toHex(ledgerId), isSigned };
}

function ledgerIdLines([first, ...others]: readonly PublishedId[]): readonly string[] {
  if (first === undefined) return [];
  const id = toHex(first.ledgerId);
  return [
    `\nLedger id published by the network: ${id}.`,
    ...(first.isSigned
      ? []
      : [
          `No trusted signature confirms it: compare it with the id that the operators of the network publish, then set MIRROR_LEDGER_ID=${id}.`,
        ]),
    ...others.map(({ ledgerId }) => `ledger_id_conflict: also published as ${toHex(ledgerId)}.`),
  ];
}

function runRow(run: UnitRun): readonly string[] {
  return [`${run.units}`, ...unitRow(run).slice(0, -1), run.source];
}

function unitRow({
  first,
  firstName,
  kind,
  last,
  missingSidecars,
  proof,
  transactions,
  verification,
  version,
}: UnitRun) {
  const described = version === 0 ? kind : `${kind} v${version}`;
  const sidecars = missingSidecars === 0 ? '' : `${missingSidecars} missing`;
  const [from, to] = [printTimestamp(first), printTimestamp(last)];
  const verified = proof === null ? verification : `${verification}: ${proof}`;
  return [`${transactions}`, from, to, verified, described, sidecars, firstName];
}

/** `ledgerlens ledger size`: bytes per table and per transaction. */
const reportLedgerSize: LedgerAction = async ({ mirror }, _words, values) => {
  const size = await mirror.report.size();
  const { databaseBytes, freeBytes, tables, transactions } = size;
  const perTransaction = (bytes: number) => (transactions === 0 ? '' : (bytes / transactions).toFixed(1));
  const rows = tables.map(({ indexBytes, table, tableBytes }) => [
    table,
    `${tableBytes}`,
    `${indexBytes}`,
    perTransaction(tableBytes + indexBytes),
  ]);
  const sum = (of: (row: (typeof tables)[number]) => number) =>
    tables.reduce((total, row) => total + of(row), 0);
  const [tableBytes, indexBytes] = [sum((row) => row.tableBytes), sum((row) => row.indexBytes)];
  const head = ['table', 'bytes', 'of its indexes', 'per transaction'];
  const total = ['ledger', `${tableBytes}`, `${indexBytes}`, perTransaction(tableBytes + indexBytes)];
  printFacts(
    values,
    size,
    () =>
      `${renderTable([head, ...rows, total])}\n\n` +
      `${transactions} transactions; the database file has ${databaseBytes} bytes, ${freeBytes} of them free for new rows.`,
  );
  return 0;
};

/**
 * `ledgerlens ledger rebuild`: derives rows, prepared answers and state once more from the stored bytes.
 *
 * For a ledger whose rows an older version wrote, and after MIRROR_TRANSACTION_BYTES was changed.
 */
const rebuildLedgerRows: LedgerAction = async ({ mirror }) => {
  const line = createProgressLine();
  const progress = ({ name, transactions, unitsDone, unitsTotal }: RebuildProgress) =>
    line.show({
      done: unitsDone,
      total: unitsTotal,
      what: 'units',
      detail: `${transactions} transactions, ${name}`,
    });
  try {
    const report = await derivingLedger(mirror, (parts) => rebuildLedger({ ...parts, progress }));
    await mirror.logChunks.build();
    line.close();
    console.log(`${report.transactions} transactions of ${report.units} units rebuilt.`);
    if (report.left > 0)
      console.log(`Units not rebuilt, because their bytes are not stored: ${report.left}.`);
    if (!report.isStateRebuilt) {
      const reason = (await mirror.retention.hasPruned())
        ? 'older transactions were deleted'
        : 'it needs the bytes of every unit';
      console.log(`Accounts, balances and settings not rebuilt: ${reason}.`);
    }
    return 0;
  } finally {
    line.close();
  }
};

const DAYS = /^[1-9]\d{0,5}$/;

/** `ledgerlens ledger prune --days N`: deletes transactions of older units in small batches. */
const pruneLedgerDays: LedgerAction = async ({ mirror }, _words, values) => {
  const days = values['days'];
  if (typeof days !== 'string' || !DAYS.test(days)) {
    throw new LedgerlensError('usage', 'Specify how many days to keep, 1 or more: ledger prune --days N');
  }
  const line = createProgressLine();
  try {
    const { transactions, units } = await mirror.retention.prune(Number(days), {
      progress: ({ transactions: done }) =>
        line.show({ done, total: null, what: 'transactions', detail: 'deleted' }),
    });
    line.close();
    console.log(
      `${transactions} transactions of ${units} units deleted; their space is reused for new rows.`,
    );
    return 0;
  } finally {
    line.close();
  }
};

/** What an action of `ledgerlens ledger` works on. */
export interface OpenLedger {
  readonly mirror: Store['mirror'];
  readonly config: Config;
}

export type LedgerAction = Action<OpenLedger>;

const ACTIONS: Readonly<Record<string, LedgerAction>> = {
  units: listLedgerUnits,
  gaps: listLedgerGaps,
  'accept-gap': acceptLedgerGap,
  rebuild: rebuildLedgerRows,
  size: reportLedgerSize,
  prune: pruneLedgerDays,
};

/** `ledgerlens ledger ACTION`: the imported ledger. A server on the same database may continue. */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [name = 'units', ...words] = positionals;
  const action = readAction(ACTIONS, 'ledger', name);
  const config = readConfig(env);
  const missing = backendOf(config.database).missing(config.database);
  if (missing !== null) throw new LedgerlensError('database_unusable', `There is no ledger yet: ${missing}`);
  const store = await openStore(config, { log: SILENT });
  try {
    return await action({ mirror: store.mirror, config }, words, values);
  } finally {
    await store.close();
  }
}
