import { readConfig } from '../config.ts';
import type { ImportProgress, ImportReport, LeftBehind } from '../mirror/ingest/report/import-report.ts';
import { createServices, systemDependencies } from '../services.ts';
import { printTimestamp } from '../values/consensus-timestamp.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { isStorageError, type StorageError } from '../values/storage-errors.ts';
import type { Invocation } from './command.ts';
import { createLogger } from './logger.ts';
import { printFacts } from './print-facts.ts';
import { createProgressLine } from './progress-line.ts';

/**
 * `ledgerlens import PATH…`: verifies and stores ledger streams and tells what was done.
 *
 * Exit code 1 when a unit was refused, what came before it stays stored, or left out because it lies before the end of the
 * ledger.
 */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  if (positionals.length === 0) {
    throw new LedgerlensError(
      'usage',
      'Name at least one file or folder to import: ledgerlens import PATH...',
    );
  }
  const addressBook = values['address-book'];
  const config = readConfig({
    ...env,
    ...(typeof addressBook === 'string' ? { MIRROR_ADDRESS_BOOK: addressBook } : {}),
  });
  const log = createLogger(config);
  const services = await createServices(config, systemDependencies(log));
  const line = createProgressLine();
  let hasBegun = false;
  try {
    const reports = await services.imports.run(positionals, (progress) => {
      hasBegun = true;
      line.show(progressParts(progress));
    });
    line.close();
    printFacts(values, reports.map(reportFacts), () => reports.map(describeReport).join('\n'));
    const ignoresOlder = values['ignore-older'] === true;
    const isBad = ({ leftBehind, refused }: ImportReport) =>
      refused.length > 0 || (leftBehind !== null && !ignoresOlder);
    return reports.some(isBad) ? 1 : 0;
  } catch (error) {
    throw hasBegun && isStorageError(error) ? brokenOff(error) : error;
  } finally {
    line.close();
    await services.close();
  }
}

/** The error itself speaks of one write, and may say that nothing was stored. */
function brokenOff({ code, reason }: StorageError): LedgerlensError {
  return new LedgerlensError(
    code,
    `The import stopped because of the database: ${reason}. Data stored so far is kept; ` +
      'run the command again to continue.',
  );
}

function progressParts({ unitsDone, unitsTotal, transactions, name }: ImportProgress) {
  return {
    done: unitsDone,
    total: unitsTotal,
    what: 'units',
    detail: `${transactions} transactions, ${name}`,
  };
}

function reportFacts({ leftBehind, ...report }: ImportReport) {
  const times = leftBehind && {
    first: printTimestamp(leftBehind.first),
    last: printTimestamp(leftBehind.last),
  };
  return { ...report, leftBehind: leftBehind && { ...leftBehind, ...times } };
}

function describeReport(report: ImportReport): string {
  const { source, units, transactions, skipped, refused, rejectedSignatures, verification } = report;
  const { lackingLedgerId, leftBehind, missingSidecars } = report;
  const parts = [
    `${counted(units, 'unit')} with ${counted(transactions, 'transaction')} imported`,
    `${skipped} already stored`,
    ...(rejectedSignatures > 0 ? [`${counted(rejectedSignatures, 'signature')} ignored`] : []),
    ...(missingSidecars > 0 ? [`${counted(missingSidecars, 'sidecar')} missing`] : []),
    `verified: ${verification ?? 'nothing'}`,
    ...(lackingLedgerId > 0
      ? [`${counted(lackingLedgerId, 'block')} not "signatures" without MIRROR_LEDGER_ID`]
      : []),
  ];
  const older = leftBehind === null ? [] : [`  ${describeLeftBehind(leftBehind)}`];
  const lines = refused.map(({ name, code, message }) => `  rejected ${name} (${code}): ${message}`);
  return [`${source}: ${parts.join(', ')}`, ...older, ...lines].join('\n');
}

function describeLeftBehind({ first, last, units }: LeftBehind): string {
  return (
    `skipped ${counted(units, 'unit')} from ${printTimestamp(first)} to ${printTimestamp(last)}: before the end of the ` +
    'ledger but not in it; import older files first, or all of them into a new database (--ignore-older if they are not ' +
    'wanted)'
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
