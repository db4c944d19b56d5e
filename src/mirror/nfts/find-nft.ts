import { notFoundError } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import type { NftListDependencies } from './list-token-nfts.ts';
import { nftObject } from './nft-object.ts';
import { nftInPath } from './nft-parameters.ts';

/**
 * Answers `GET /api/v1/tokens/{tokenId}/nfts/{serialNumber}`.
 *
 * @throws MirrorApiError 400 for a parameter, a bad token or serial number; 404 when it was never seen.
 * @see contracts/mirror-entities.md section 7.2
 */
export async function findNft(
  path: { readonly tokenId: string; readonly serialNumber: string },
  target: string,
  { home, maxRepeated, nfts }: NftListDependencies,
): Promise<string> {
  checkParameters(readQuery(target), {}, maxRepeated);
  const { serial, token } = nftInPath(path, home);
  const nft = await nfts.find(token, serial);
  if (nft === null) throw notFoundError();
  return printExactJson(nftObject(nft));
}
