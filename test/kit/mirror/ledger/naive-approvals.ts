import type { NaiveTokens } from './naive-tokens.ts';
import { id, int, ints, list, type PlainItem, part } from './plain-item.ts';

export interface NaiveAllowance {
  granted: bigint;
  left: bigint;
  /** What spenders took of it. */
  spent: bigint;
  readonly lower: bigint;
}

export interface NaiveAirdrop {
  readonly state: 'pending' | 'cancelled' | 'claimed';
  /** Null for an NFT. */
  readonly amount: bigint | null;
  readonly lower: bigint;
}

/** Allowances and airdrops, by section 11.6 and 11.7. */
export class NaiveApprovals {
  /** By owner and spender, and token for units. */
  readonly allowances = new Map<string, NaiveAllowance>();
  /** By owner, spender and token: approvals for all NFTs. */
  readonly forAll = new Map<string, { readonly isInForce: boolean; readonly lower: bigint }>();
  /** By sender, receiver, token and serial number. */
  readonly airdrops = new Map<string, NaiveAirdrop>();

  handle(item: PlainItem, tokens: NaiveTokens): void {
    const { at, data, payer, record, type } = item;
    if (type === 48) {
      for (const each of [...list(data, 'cryptoAllowances'), ...list(data, 'tokenAllowances')]) {
        const [owner, spender, token] = [
          id(each['owner']) ?? payer,
          id(each['spender']),
          id(each['tokenId']),
        ];
        const amount = int(each, 'amount');
        this.allowances.set(keyOf(owner, spender, token), {
          granted: amount,
          left: amount,
          spent: 0n,
          lower: at,
        });
      }
      for (const each of list(data, 'nftAllowances')) {
        const owner = id(each['owner']) ?? payer;
        const [spender, token] = [id(each['spender']), id(each['tokenId'])];
        if (each['approvedForAll'] != null) {
          const isInForce = part(each, 'approvedForAll')['value'] === true;
          this.forAll.set(keyOf(owner, spender, token), { isInForce, lower: at });
        }
        const delegating = id(each['delegatingSpender']);
        for (const serial of ints(each, 'serialNumbers')) {
          tokens.changeNft(`${token}/${serial}`, at, { account: owner, spender, delegating });
        }
      }
    }
    if (type === 49) {
      for (const each of list(data, 'nftAllowances')) {
        for (const serial of ints(each, 'serialNumbers')) {
          tokens.changeNft(`${id(each['tokenId'])}/${serial}`, at, { spender: null, delegating: null });
        }
      }
    }
    if (type === 58) {
      for (const each of list(record, 'newPendingAirdrops')) {
        const value =
          each['pendingAirdropValue'] == null ? null : int(part(each, 'pendingAirdropValue'), 'amount');
        this.airdrops.set(airdropKey(part(each, 'pendingAirdropId')), {
          state: 'pending',
          amount: value,
          lower: at,
        });
      }
    }
    if (type === 59 || type === 60) {
      for (const each of list(data, 'pendingAirdrops')) {
        const amount = this.airdrops.get(airdropKey(each))?.amount ?? null;
        const state = type === 59 ? 'cancelled' : 'claimed';
        this.airdrops.set(airdropKey(each), { state, amount, lower: at });
      }
    }
  }

  /** Steps 7 and 8: what a spender took, as the body asks for it. */
  spend({ data, payer, record, type }: PlainItem): void {
    if (type !== 14) return;
    const spend = (entry: ReturnType<typeof list>[number], spender: bigint, token: bigint | null) => {
      if (entry['isApproval'] !== true || int(entry, 'amount') >= 0n) return;
      const allowance = this.allowances.get(keyOf(id(entry['accountID']), spender, token));
      if (allowance === undefined) return;
      allowance.left += int(entry, 'amount');
      allowance.spent -= int(entry, 'amount');
    };
    for (const entry of list(part(data, 'transfers'), 'accountAmounts')) spend(entry, payer, null);
    const spender = id(part(record, 'contractCallResult')['senderId']) ?? payer;
    for (const each of list(data, 'tokenTransfers')) {
      for (const entry of list(each, 'transfers')) spend(entry, spender, id(each['token']));
    }
  }
}

function keyOf(owner: bigint | null, spender: bigint | null, token: bigint | null): string {
  return `${owner}/${spender}/${token ?? 0n}`;
}

function airdropKey(airdrop: ReturnType<typeof part>): string {
  const nft = part(airdrop, 'nonFungibleToken');
  const token = id(airdrop['fungibleTokenType']) ?? id(nft['token_ID']);
  return `${id(airdrop['senderId'])}/${id(airdrop['receiverId'])}/${token}/${int(nft, 'serialNumber')}`;
}
