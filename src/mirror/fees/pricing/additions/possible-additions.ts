import { gasLimitOfEthereum } from '../../../evm/ethereum-form.ts';
import type { AccountIdFields, TokenIdFields, TransferFields } from '../../decode/transaction-fields.ts';

/** An account that gets something. */
interface Receipt {
  readonly account: AccountIdFields;
  /** Null for hbar. */
  readonly token: TokenIdFields | null;
}

/** What the handling of a transaction may add to its price, as far as its bytes tell. */
export interface PossibleAdditions {
  /** Gas limit; 0 when the type has none. */
  readonly gas: bigint;
  readonly receipts: readonly Receipt[];
  /** True: a receipt that the account is not ready for becomes a pending airdrop. */
  readonly isAirdrop: boolean;
}

const NO_RECEIPTS: readonly Receipt[] = [];

/** Additions of a contract call or creation. */
export function gasOf(gas: bigint | undefined): PossibleAdditions {
  // A negative limit is refused by the network; it adds nothing.
  return { gas: gas === undefined || gas < 0n ? 0n : gas, receipts: NO_RECEIPTS, isAirdrop: false };
}

/** Additions of an Ethereum transaction; data in a file or in no known form adds nothing that could be told. */
export function gasOfEthereum(data: Uint8Array | undefined): PossibleAdditions {
  return gasOf((data === undefined ? null : gasLimitOfEthereum(data)) ?? 0n);
}

/** Additions of a transfer or airdrop: whoever is credited. Each NFT is a receipt of its own. */
export function receiptsOf(body: TransferFields, isAirdrop: boolean): PossibleAdditions {
  const receipts: Receipt[] = [];
  for (const { accountID, amount = 0n } of body.transfers?.accountAmounts ?? []) {
    if (accountID !== undefined && amount > 0n) receipts.push({ account: accountID, token: null });
  }
  for (const { nftTransfers = [], token = {}, transfers = [] } of body.tokenTransfers ?? []) {
    for (const { accountID, amount = 0n } of transfers) {
      if (accountID !== undefined && amount > 0n) receipts.push({ account: accountID, token });
    }
    for (const { receiverAccountID } of nftTransfers) {
      if (receiverAccountID !== undefined) receipts.push({ account: receiverAccountID, token });
    }
  }
  return { gas: 0n, receipts, isAirdrop };
}
