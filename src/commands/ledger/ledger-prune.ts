import { systemClock } from '../../values/clock.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { createProgressLine } from '../progress-line.ts';
import type { LedgerAction } from './ledger.ts';

const DAYS = /^[1-9]\d{0,5}$/;

/** `ledgerlens ledger prune --days N`: deletes transactions of older units in small batches. */
export const pruneLedgerDays: LedgerAction = async ({ mirror }, _words, values) => {
  const days = values['days'];
  if (typeof days !== 'string' || !DAYS.test(days)) {
    throw new LedgerlensError('usage', 'Specify how many days to keep, 1 or more: ledger prune --days N');
  }
  const line = createProgressLine({ clock: systemClock, stream: process.stderr });
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
