import { createSqliteLookupBefore } from '../../mirror/ingest/ledger-lookup.sqlite.ts';
import { rebuildLedger } from '../../mirror/ingest/rebuild/rebuild-ledger.ts';
import { createSqliteLedgerRepository } from '../../mirror/ledger/ledger-repository.sqlite.ts';
import { wasPruned } from '../../mirror/ledger/retention.sqlite.ts';
import { createStateRebuild } from '../../mirror/ledger/state-rebuild.sqlite.ts';
import { createStoredUnits } from '../../mirror/ledger/stored-units.sqlite.ts';
import { openDatabase } from '../../storage/database-url.ts';
import { systemClock } from '../../values/clock.ts';
import { createProgressLine } from '../progress-line.ts';
import { type LedgerAction, noWords } from './ledger.ts';

/**
 * `ledgerlens ledger rebuild`: derives rows, prepared answers and state once more from the stored bytes.
 *
 * For a ledger whose rows an older version wrote, and after MIRROR_TRANSACTION_BYTES was changed.
 */
export const rebuildLedgerRows: LedgerAction = async ({ config, database }, words) => {
  noWords('rebuild', words);
  const { realm, shard, transactionBytes } = config.mirror;
  const repository = createSqliteLedgerRepository(database, { shard, realm });
  const line = createProgressLine({ clock: systemClock, stream: process.stderr });
  const shadow = openDatabase('sqlite::memory:');
  try {
    const pruned = wasPruned(database);
    const report = await rebuildLedger({
      units: createStoredUnits(database, transactionBytes),
      lookupBefore: createSqliteLookupBefore(database),
      fileContents: (num, at) => repository.fileContents(num, at),
      state: pruned ? null : createStateRebuild(database, shadow),
      progress: ({ name, transactions, unitsDone, unitsTotal }) =>
        line.show({
          done: unitsDone,
          total: unitsTotal,
          what: 'units',
          detail: `${transactions} transactions, ${name}`,
        }),
    });
    line.close();
    console.log(`${report.transactions} transactions of ${report.units} units rebuilt.`);
    if (report.left > 0)
      console.log(`Units left as they were, since their bytes are not stored: ${report.left}.`);
    if (!report.isStateRebuilt) {
      const reason = pruned ? 'older transactions were deleted' : 'it needs the bytes of every unit';
      console.log(`Accounts, balances and settings left as they were: ${reason}.`);
    }
    return 0;
  } finally {
    line.close();
    shadow.close();
  }
};
