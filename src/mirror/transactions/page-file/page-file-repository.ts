import { isPlain } from '../transaction-filter.ts';
import type { LocalTransactionRepository } from '../transaction-repository.sqlite.ts';
import type { TransactionRepository } from '../transaction-repository.ts';
import type { PageFile } from './page-file.ts';

/** Takes pages without filters from a page file where it has them, and everything else from `transactions`. */
export function withPageFile(
  transactions: LocalTransactionRepository,
  pageFile: Pick<PageFile, 'page'>,
): TransactionRepository {
  return {
    ...transactions,
    page(filter) {
      const page = isPlain(filter) ? pageFile.page(filter, () => transactions.page(filter).rows) : null;
      return page ?? transactions.page(filter);
    },
  };
}
