import type { UnitRun } from '../../mirror/ledger/upkeep/ledger-report.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { toHex } from '../../values/hex.ts';
import { renderTable } from '../table.ts';
import { type LedgerAction, noWords } from './ledger.ts';

const HEAD = ['units', 'transactions', 'from', 'to', 'verified', 'kind', 'sidecars', 'source'];
const HEAD_EACH = ['transactions', 'from', 'to', 'verified', 'kind', 'sidecars', 'name'];

/** `ledgerlens ledger units`: what was imported from where, and how far it was verified; `--each`: every unit. */
export const listLedgerUnits: LedgerAction = async ({ mirror }, words, values) => {
  noWords('units', words);
  const each = values['each'] === true;
  const runs = await mirror.report.unitRuns(each);
  if (runs.length === 0) console.log('The ledger is empty.');
  else console.log(renderTable(each ? [HEAD_EACH, ...runs.map(unitRow)] : [HEAD, ...runs.map(runRow)]));
  const ledgerId = await mirror.report.ledgerId();
  if (ledgerId !== null) console.log(`\nThe network calls this ledger ${toHex(ledgerId)}.`);
  return 0;
};

function runRow(run: UnitRun): readonly string[] {
  return [`${run.units}`, ...unitRow(run).slice(0, -1), run.source];
}

function unitRow({
  first,
  firstName,
  kind,
  last,
  missingSidecars,
  transactions,
  verification,
  version,
}: UnitRun) {
  const described = version === 0 ? kind : `${kind} v${version}`;
  const sidecars = missingSidecars === 0 ? '' : `${missingSidecars} missing`;
  const [from, to] = [printTimestamp(first), printTimestamp(last)];
  return [`${transactions}`, from, to, verification, described, sidecars, firstName];
}
