import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createAccountNfts } from './account-nfts.sqlite.ts';
import type { NftRepository } from './nft-repository.ts';
import { NFT_COLUMNS, nftOf, type StoredNft } from './nft-rows.sqlite.ts';
import { createNftTransactions } from './nft-transactions.sqlite.ts';
import { createTokenNfts } from './token-nfts.sqlite.ts';

/** Reads NFTs and the times at which they changed. */
export function createSqliteNftRepository(database: SqliteDatabase): NftRepository {
  const one = database
    .prepare<[bigint, bigint], StoredNft>(
      `select ${NFT_COLUMNS} from nft n where n.token_id = ? and n.serial_number = ?`,
    )
    .safeIntegers(true);
  const transactions = createNftTransactions(database);
  return {
    async find(token, serial) {
      const row = one.get(token, serial);
      return row === undefined ? null : nftOf(row);
    },
    ofToken: createTokenNfts(database),
    ofAccount: createAccountNfts(database),
    transactions: async (selection) => transactions(selection),
  };
}
