import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printIdOrNull } from '../../values/entity-id.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { printTransactionId } from '../ledger/transaction-json.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { transactionTypeName } from '../vocabulary/transaction-types.ts';
import type { NftListDependencies, NftPage } from './list-token-nfts.ts';
import { nftInPath } from './nft-parameters.ts';
import type { NftTransaction } from './nft-repository.ts';

interface NftTransactionsPage extends NftPage {
  /** False when transactions are shown of an NFT whose beginning is unknown. */
  readonly isWhole: boolean;
}

/**
 * Answers `GET /api/v1/tokens/{tokenId}/nfts/{serialNumber}/transactions`.
 *
 * @throws MirrorApiError 400 for a bad token, serial number or parameter.
 * @see contracts/mirror-entities.md section 7.2
 */
export async function listNftTransactions(
  path: { readonly tokenId: string; readonly serialNumber: string },
  target: string,
  { home, maxRepeated, nfts, page }: NftListDependencies,
): Promise<NftTransactionsPage> {
  const { serial, token } = nftInPath(path, home);
  const checks = { ...pageChecks(page), timestamp: isTimestampCondition };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page);
  const times = andIntegers(timestampConditions(values.get('timestamp') ?? []));
  // One more tells whether a page follows.
  const selection = { token, serial, times, order: request.order, limit: request.limit + 1 };
  const found = times.lower > times.upper ? [] : await nfts.transactions(selection);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'timestamp',
      of: ({ consensusTimestamp }) => consensusTimestamp,
      print: printTimestamp,
      selection: { equal: null, ...times },
    },
    found,
    page,
    request,
    target,
    values,
  });
  const transactions = shown.map((each) => transactionObject(each, token, serial));
  const nft = shown.length === 0 ? null : await nfts.find(token, serial);
  return {
    json: printExactJson({ transactions, links: { next } }),
    next,
    isWhole: shown.length === 0 || (nft !== null && nft.created !== null),
  };
}

/** Accounts are those of the first transfer of the NFT itself. */
function transactionObject(transaction: NftTransaction, token: bigint, serial: bigint): ExactJson {
  const move = transaction.transfers.find((each) => each.token === token && each.serial === serial);
  return {
    consensus_timestamp: printTimestamp(transaction.consensusTimestamp),
    is_approval: move?.isApproval ?? false,
    nonce: transaction.nonce,
    receiver_account_id: printIdOrNull(move?.receiver ?? null),
    sender_account_id: printIdOrNull(move?.sender ?? null),
    transaction_id: printTransactionId(transaction.payer, transaction.validStart),
    type: transactionTypeName(transaction.type),
  };
}
