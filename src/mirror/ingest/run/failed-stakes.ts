import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { isSuccess, resultName } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { IngestLog } from '../report/ingest-log.ts';

/** The stakes of the period before stay in force, and with them the weights of the nodes. */
export function warnOfFailedStakes(
  transactions: LedgerUnit['transactions'],
  name: string,
  log: Pick<IngestLog, 'warn'>,
): void {
  for (const { consensusTimestamp, result, type } of transactions) {
    if (type !== TYPE.NODESTAKEUPDATE || isSuccess(result)) continue;
    const at = printTimestamp(consensusTimestamp);
    log.warn(
      { name, result: resultName(result) },
      `the stake update at ${at} failed: the stakes are unchanged`,
    );
  }
}
