import type { PublishedId, UnitRun } from '../../mirror/ledger/upkeep/ledger-report.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { toHex } from '../../values/hex.ts';
import { printFacts } from '../print-facts.ts';
import { renderTable } from '../table.ts';
import type { LedgerAction } from './ledger.ts';

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
    ...others.map(({ ledgerId }) => `ledger_id_conflict: published later as ${toHex(ledgerId)}.`),
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
