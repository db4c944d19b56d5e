import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import { fileId } from '../../items/ledger-ids.ts';
import type { EthereumTransactionRow } from './ethereum-transactions.ts';
import type { DecodedUnit, Told } from './facet.ts';

/**
 * Makes a row of every Ethereum transaction whose bytes are readable, also of those that failed.
 *
 * @see contracts/mirror-contracts.md section 11.2
 */
export function decodeEthereumTransactions({
  items,
  transactions,
}: DecodedUnit): Told<EthereumTransactionRow> {
  const rows: EthereumTransactionRow[] = [];
  for (const [index, { body, consensusTimestamp }] of items.entries()) {
    const { ethereumTransaction: sent } = body;
    const transaction = transactions[index];
    if (sent === null || transaction === undefined) continue;
    const read = decodeEthereumTransaction(sent.ethereumData);
    if (read === null) continue;
    const told = { consensusTimestamp, payer: transaction.payer, callDataFile: fileId(sent.callData) };
    // A spread of so many members takes ten times as long.
    rows.push(Object.assign(told, read));
  }
  return { rows };
}
