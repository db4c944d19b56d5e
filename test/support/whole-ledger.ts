import { ledgerDigests } from './postgres-rows.ts';
import { ledgerDump } from './sqlite-file.ts';

/** All rows of the ledger of a database, in a form that is equal for equal ledgers in databases of one kind. */
export async function wholeLedger(url: string): Promise<string | Readonly<Record<string, string>>> {
  return url.startsWith('sqlite:') ? ledgerDump(url) : ledgerDigests(url);
}
