import type { Sql } from '../../storage/sql/sql.ts';
import { createAccountNfts } from './account-nfts.sql.ts';
import type { NftRepository } from './nft-repository.ts';
import { nftColumns, nftOf, type StoredNft } from './nft-rows.sql.ts';
import { createNftTransactions } from './nft-transactions.sql.ts';
import { createTokenNfts } from './token-nfts.sql.ts';

/** Reads NFTs and the times at which they changed. */
export function createNftRepository(sql: Sql): NftRepository {
  const one = sql.prepareExact<[bigint, bigint], StoredNft>(
    `select ${nftColumns(sql.dialect)} from nft n where n.token_id = ? and n.serial_number = ?`,
  );
  return {
    async find(token, serial) {
      const row = await sql.read(() => one.get(token, serial));
      return row === undefined ? null : nftOf(row);
    },
    ofToken: createTokenNfts(sql),
    ofAccount: createAccountNfts(sql),
    transactions: createNftTransactions(sql),
  };
}
