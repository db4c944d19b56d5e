import { isPlain } from '../transaction-filter.ts';
import type { LocalTransactionRepository } from '../transaction-repository.sqlite.ts';
import type { TransactionRepository } from '../transaction-repository.ts';
import type { PageFile } from './page-file.ts';

/**
 * Takes pages without filters from a page file where it has them, and everything else from `transactions`.
 *
 * @param edition that of the ledger as the tags of lists name it: a file that has not noticed a rewriting yet must not
 * answer under a tag that has.
 */
export function withPageFile(
  transactions: LocalTransactionRepository,
  pageFile: Pick<PageFile, 'page' | 'edition'>,
  edition: () => string,
): TransactionRepository {
  return {
    ...transactions,
    page(filter) {
      const mayAnswer = isPlain(filter) && pageFile.edition === edition();
      const page = mayAnswer ? pageFile.page(filter, () => transactions.page(filter).rows) : null;
      return page ?? transactions.page(filter);
    },
  };
}
