import { Type } from '@sinclair/typebox';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { invalidRequest, messages } from '../errors.ts';
import { printTransactionId } from '../ledger/transaction-json.ts';
import { base64, flag, id, integer, itemOf, text, time } from '../lists/fields.ts';
import { integerPart, tokenPart, twoPartKeys } from '../lists/keys.ts';
import { account, type InPath, type ListContext, listOn, token } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { ALL_OF, ANY_OF, accounts, integers, isInteger, orAny, times } from '../lists/parameters.ts';
import type { Filter } from '../parameters/filter-operator.ts';
import type { TwoPartConditions } from '../parameters/ordered-keys.ts';
import { pairScans } from '../parameters/two-part-scans.ts';
import { transactionTypeName } from '../vocabulary/transaction-types.ts';
import type { NftRepository } from './nft-repository.sql.ts';
import type { Nft, NftMove, NftTransaction } from './nft-rows.sql.ts';

export interface NftContext extends ListContext {
  readonly nfts: NftRepository;
}

const NO_BYTES = new Uint8Array();
const isSerial = (text: string) => isInteger(text, 1n);

/** @see contracts/mirror-entities.md section 7.1 */
export const NFT = itemOf<Nft>()(
  {
    account_id: id.orNull(({ account }) => account, 'Null once burned or wiped.'),
    created_timestamp: time.orNull(
      ({ created }) => created,
      'Null when it was minted before the imported part.',
    ),
    delegating_spender: id.orNull(({ delegatingSpender }) => delegatingSpender),
    deleted: flag(({ isDeleted }) => isDeleted, 'Whether it or its token was deleted.'),
    metadata: base64(({ metadata }) => metadata ?? NO_BYTES),
    modified_timestamp: time(({ changed }) => changed, 'Time of the last change.'),
    serial_number: integer(({ serial }) => serial),
    spender: id.orNull(({ spender }) => spender),
    token_id: id(({ token }) => token),
  },
  'Nft',
);

/** NFTs of an account, which need not exist. @see contracts/mirror-entities.md sections 1.4 and 4 */
export const accountNftList = listOn<NftContext, TwoPartConditions>()({
  path: '/api/v1/accounts/:idOrAliasOrEvmAddress/nfts',
  summary: 'NFTs of an account',
  name: 'nfts',
  title: 'NftList',
  order: ['desc', 'Order by token, then serial number.'],
  subject: account('Id, alias or EVM address.'),
  keys: twoPartKeys(
    tokenPart(
      'token.id',
      Type.Optional(
        Type.Array(Type.String({ description: 'Id with one `eq`, or one lower and one upper bound.' })),
      ),
    ),
    integerPart(
      'serialnumber',
      Type.Optional(
        Type.Array(Type.String({ pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,19}$' }), {
          description: 'Only with `token.id`. A bound applies to the token at the bound of `token.id`.',
        }),
      ),
      isSerial,
    ),
    ({ serial, token }: Nft) => [token, serial],
    { 'spender.id': refuseSpenders },
  ),
  parameters: {
    'spender.id': orAny(accounts(ANY_OF, { each: 'Id or EVM address, with optional operator.' })),
  },
  rows: ({ keys, limit, order, 'spender.id': spenders, subject }, { nfts }) =>
    nfts.ofAccount({ account: subject, scans: pairScans(keys, order), spenders, order, limit }),
  item: NFT,
});

/** Any number of `eq`, at most one bound of each direction. */
function refuseSpenders(filters: readonly Filter[]): string | null {
  const seen = new Set<string>();
  for (const { operator } of filters) {
    if (operator === 'ne') return 'Not equals (ne) comparison operator is not supported';
    if (operator === 'eq') continue;
    const direction = operator.slice(0, 1);
    if (seen.has(direction)) return 'Multiple range params not allowed for spender.id';
    seen.add(direction);
  }
  return null;
}

const tokenInPath = token(Type.String({ description: 'Id, or the long-zero address of its number.' }));

/** NFTs of a token; none of an unknown one. @see contracts/mirror-entities.md section 7.2 */
export const tokenNftList = listOn<NftContext>()({
  path: '/api/v1/tokens/:tokenId/nfts',
  summary: 'NFTs of a token',
  name: 'nfts',
  title: 'NftList',
  order: ['desc', 'Order by serial number.'],
  subject: tokenInPath,
  parameters: {
    'account.id': orAny(
      accounts(ALL_OF, { each: 'Id or EVM address of the owner, with optional operator.' }),
    ),
    serialnumber: integers(ALL_OF, { least: 1n }),
  },
  rows: ({ 'account.id': owners, limit, order, serialnumber: serials, subject }, { nfts }) =>
    nfts.ofToken({ token: subject, serials, accounts: owners, order, limit }),
  cursor: { parameter: 'serialnumber', of: ({ serial }) => serial, print: String },
  item: NFT,
});

interface NftId {
  readonly token: bigint;
  readonly serial: bigint;
}

/** It need not exist. */
const nftInPath: InPath<NftId, NftContext> = {
  params: Type.Object({
    ...tokenInPath.params.properties,
    serialNumber: Type.String({ pattern: '^\\d{1,19}$', description: 'From 1 on.' }),
  }),
  async read(params, context) {
    const token = await tokenInPath.read(params, context);
    const { serialNumber = '' } = params;
    if (!isSerial(serialNumber)) throw invalidRequest([messages.invalidParameter('serialnumber')]);
    return { token, serial: BigInt(serialNumber) };
  },
};

/** @see contracts/mirror-entities.md section 7.2 */
export const oneNft = oneOn<NftContext>()({
  path: '/api/v1/tokens/:tokenId/nfts/:serialNumber',
  summary: 'One NFT',
  query: 'first',
  subject: nftInPath,
  find: ({ subject: { serial, token } }, { nfts }) => nfts.find(token, serial),
  item: NFT,
});

/** A transaction with the first transfer of the NFT itself. */
type OwnTransaction = NftTransaction & { readonly move: NftMove | undefined };

const TRANSACTION = itemOf<OwnTransaction>()(
  {
    consensus_timestamp: time(({ consensusTimestamp }) => consensusTimestamp),
    is_approval: flag(({ move }) => move?.isApproval ?? false),
    nonce: integer(({ nonce }) => nonce),
    receiver_account_id: id.orNull(({ move }) => move?.receiver ?? null),
    sender_account_id: id.orNull(({ move }) => move?.sender ?? null),
    transaction_id: text(({ payer, validStart }) => printTransactionId(payer, validStart)),
    type: text(({ type }) => transactionTypeName(type)),
  },
  'NftTransaction',
);

/** @see contracts/mirror-entities.md section 7.2 */
export const nftTransactionList = listOn<NftContext>()({
  path: '/api/v1/tokens/:tokenId/nfts/:serialNumber/transactions',
  summary: 'Transactions of an NFT',
  name: 'transactions',
  title: 'NftTransactionList',
  order: ['desc', 'Order by consensus time.'],
  subject: nftInPath,
  parameters: { timestamp: times(ALL_OF) },
  rows: ({ limit, order, subject, timestamp: times }, { nfts }) =>
    nfts.transactions({ ...subject, times, order, limit }),
  cursor: {
    parameter: 'timestamp',
    of: ({ consensusTimestamp }) => consensusTimestamp,
    print: printTimestamp,
  },
  async shown(transactions, { subject: { serial, token } }) {
    const isOwn = (move: NftMove) => move.token === token && move.serial === serial;
    return transactions.map((each) => ({ ...each, move: each.transfers.find(isOwn) }));
  },
  /** The NFT was minted before the imported part of the ledger. */
  async isPartial(shown, { subject: { serial, token } }, { nfts }) {
    const nft = shown.length === 0 ? undefined : await nfts.find(token, serial);
    return nft !== undefined && (nft === null || nft.created === null);
  },
  item: TRANSACTION,
});
