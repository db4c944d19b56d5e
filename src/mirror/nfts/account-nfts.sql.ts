import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import { createAccountPairs } from './account-pairs.sql.ts';
import { createAccountSerials } from './account-serials.sql.ts';
import type { AccountNftSelection, Nft } from './nft-repository.ts';
import { nftOf, type StoredNft } from './nft-rows.sql.ts';

/** Finds the NFTs of an account by token and serial number. */
export function createAccountNfts(sql: Sql): (selection: AccountNftSelection) => Promise<readonly Nft[]> {
  const walkPairs = createAccountPairs(sql);
  const walkTokens = createAccountSerials(sql);

  function* page(selection: AccountNftSelection): Work<readonly StoredNft[]> {
    const { limit, scans } = selection;
    const found: StoredNft[] = [];
    for (const scan of scans) {
      if (found.length === limit) break;
      const rest = { ...selection, limit: limit - found.length };
      found.push(...(yield* scan.kind === 'across' ? walkTokens(rest, scan) : walkPairs(rest, scan)));
    }
    return found;
  }

  return async (selection) => (await sql.read(() => page(selection))).map(nftOf);
}
