import { rebuildLedger } from '../../mirror/ingest/rebuild/rebuild-ledger.ts';
import { systemClock } from '../../values/clock.ts';
import { createProgressLine } from '../progress-line.ts';
import type { LedgerAction } from './ledger.ts';

/**
 * `ledgerlens ledger rebuild`: derives rows, prepared answers and state once more from the stored bytes.
 *
 * For a ledger whose rows an older version wrote, and after MIRROR_TRANSACTION_BYTES was changed.
 */
export const rebuildLedgerRows: LedgerAction = async ({ mirror }) => {
  const { ledger, logChunks, rebuild, retention } = mirror;
  const line = createProgressLine({ clock: systemClock, stream: process.stderr });
  const pruned = await retention.hasPruned();
  const state = pruned ? null : await rebuild.beginState();
  try {
    const report = await rebuildLedger({
      units: rebuild.units,
      lookupBefore: rebuild.lookupBefore,
      fileContents: (num, at) => ledger.fileContents(num, at),
      state,
      progress: ({ name, transactions, unitsDone, unitsTotal }) =>
        line.show({
          done: unitsDone,
          total: unitsTotal,
          what: 'units',
          detail: `${transactions} transactions, ${name}`,
        }),
    });
    await logChunks.build();
    line.close();
    console.log(`${report.transactions} transactions of ${report.units} units rebuilt.`);
    if (report.left > 0)
      console.log(`Units not rebuilt, because their bytes are not stored: ${report.left}.`);
    if (!report.isStateRebuilt) {
      const reason = pruned ? 'older transactions were deleted' : 'it needs the bytes of every unit';
      console.log(`Accounts, balances and settings not rebuilt: ${reason}.`);
    }
    return 0;
  } finally {
    line.close();
    await state?.close();
  }
};
