import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import type { Nft } from './nft-repository.ts';

/** The object of an NFT. @see contracts/mirror-entities.md section 7.1 */
export function nftObject(nft: Nft): ExactJson {
  return {
    account_id: printIdOrNull(nft.account),
    created_timestamp: nft.created === null ? null : printTimestamp(nft.created),
    delegating_spender: printIdOrNull(nft.delegatingSpender),
    deleted: nft.isDeleted,
    metadata: Buffer.from(nft.metadata ?? []).toString('base64'),
    modified_timestamp: printTimestamp(nft.changed),
    serial_number: nft.serial,
    spender: printIdOrNull(nft.spender),
    token_id: printEntityId(nft.token),
  };
}

/** The all-zero id prints null. */
