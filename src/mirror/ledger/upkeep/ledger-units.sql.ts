import { prepareSelect, type Sql } from '../../../storage/sql/sql.ts';
import { MIN_INT64 } from '../../../values/int64.ts';
import { int64, rowTable } from '../../../values/row-table.ts';
import type { Work } from '../../../values/work.ts';
import { byPlace, joinPlace } from '../last-in-chain.sql.ts';
import { noteOfKind } from '../proof-note.ts';
import { PUBLISHED_ID, type PublishedId, REPORTED_UNIT, type UnitRun } from './ledger-report.ts';

const PLACED_UNIT = rowTable({
  place: int64('place'),
  unit: { members: REPORTED_UNIT.members },
});

/** Units that are in memory together. */
const BATCH = 5000;

/** What is stored, in the order of time; with `each` every unit by itself. */
export function* readUnitRuns(sql: Sql, each = false): Work<readonly UnitRun[]> {
  const next = prepareSelect(sql, PLACED_UNIT, 'from ledger_unit u where place > ? order by place limit ?');
  const runs: UnitRun[] = [];
  let run = null as UnitRun | null;
  for (let after = MIN_INT64; ; ) {
    const rows = yield* next.all(after, BATCH);
    for (const { place, unit: stored } of rows) {
      const proof = stored.proof === null || each ? stored.proof : noteOfKind(stored.proof);
      const unit: UnitRun = { ...stored, proof, lastName: stored.firstName };
      after = place;
      if (run !== null && !each && isAlike(run, unit)) run = joined(run, unit);
      else {
        if (run !== null) runs.push(run);
        run = unit;
      }
    }
    if (rows.length < BATCH) break;
  }
  if (run !== null) runs.push(run);
  return runs;
}

function joined(run: UnitRun, next: UnitRun): UnitRun {
  return {
    ...run,
    units: run.units + next.units,
    transactions: run.transactions + next.transactions,
    missingSidecars: run.missingSidecars + next.missingSidecars,
    first: next.first < run.first ? next.first : run.first,
    last: next.last > run.last ? next.last : run.last,
    lastName: next.lastName,
  };
}

function isAlike(left: UnitRun, right: UnitRun): boolean {
  return (
    left.source === right.source &&
    left.kind === right.kind &&
    left.version === right.version &&
    left.verification === right.verification &&
    left.proof === right.proof
  );
}

/** The ids that the network published for its ledger, each once: the signed ones first, in the order of the chain. */
export function* readLedgerIds(sql: Sql): Work<readonly PublishedId[]> {
  const time = 'p.consensus_ts';
  const published = `from ledger_publication p ${joinPlace(time)} order by p.is_signed desc, ${byPlace(time, 'asc')}`;
  const ids = yield* prepareSelect(sql, PUBLISHED_ID, published).all();
  return ids.filter(
    (each, index) => ids.findIndex(({ ledgerId }) => Buffer.compare(ledgerId, each.ledgerId) === 0) === index,
  );
}

/** Reads the version of the network's API that the newest unit names; null without units and where it names none. */
export function createNetworkVersion(sql: Sql): () => Work<string | null> {
  const newest = 'select hapi_version from ledger_unit order by place desc limit 1';
  const read = sql.prepareValue<[], string | null>(newest);
  return function* () {
    return (yield* read.get()) ?? null;
  };
}
