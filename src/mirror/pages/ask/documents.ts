import type { WHOLE_ACCOUNT } from '../../accounts/account-answers.ts';
import type { BLOCK } from '../../blocks/block-answers.ts';
import type { ACTION } from '../../contracts/actions/action-list.ts';
import type { CONTRACT } from '../../contracts/contract-answers.ts';
import type { LOG } from '../../contracts/logs/log-document.ts';
import type { SHORT_RESULT } from '../../contracts/results/result-document.ts';
import type { Key } from '../../list-schemas.ts';
import type { ReadBy, ShownOf } from '../../lists/fields.ts';
import type { EXCHANGE_RATES } from '../../network/exchange-rate.ts';
import type { SUPPLY } from '../../network/network-service.ts';
import type { NODE } from '../../network/node-lists.ts';
import type { GasPriceAnswer } from '../../network/schemas.ts';
import type { NFT } from '../../nfts/nft-answers.ts';
import type { HOLDER, RELATION } from '../../relations/relation-lists.ts';
import type { TOKEN } from '../../tokens/token-answers.ts';
import type { MESSAGE, TOPIC } from '../../topics/topic-answers.ts';
import type { TransactionAnswer } from '../../transactions/schemas.ts';

/*
 * The answers of the API as pages read them: integers are bigint.
 */

export interface Links {
  readonly links: { readonly next: string | null };
}

type List<Name extends string, Shown> = Links & { readonly [Member in Name]: readonly Shown[] };

export type KeyDocument = ReadBy<typeof Key>;

/** What one dialect says in another way. @see contracts/mirror-transactions.md section 2 */
interface OfDialects {
  readonly batch_key?: KeyDocument | null;
  readonly max_fee: bigint | string | null;
  readonly staking_reward_transfers: readonly {
    readonly account: bigint | string;
    readonly amount: bigint;
  }[];
  readonly valid_duration_seconds: bigint | string | null;
}

export type TransactionDocument = Omit<
  ReadBy<typeof TransactionAnswer>['transactions'][number],
  keyof OfDialects
> &
  OfDialects;
export type TransferDocument = TransactionDocument['transfers'][number];
export type NftTransferDocument = TransactionDocument['nft_transfers'][number];

export interface TransactionsDocument {
  readonly transactions: readonly TransactionDocument[];
}

export type AccountDocument = Omit<ShownOf<typeof WHOLE_ACCOUNT>, 'links' | 'transactions'> &
  TransactionsDocument &
  Links;
export type HeldTokensDocument = List<'tokens', ShownOf<typeof RELATION>>;

export interface AllowancesDocument extends Links {
  readonly allowances: readonly {
    readonly spender: string;
    readonly amount?: bigint;
    readonly amount_granted?: bigint;
    readonly token_id?: string;
    readonly approved_for_all?: boolean;
  }[];
}

export type ContractDocument = ShownOf<typeof CONTRACT>;
export type TokenDocument = ShownOf<typeof TOKEN>;
export type HoldersDocument = List<'balances', ShownOf<typeof HOLDER>>;
export type NftsDocument = List<'nfts', ShownOf<typeof NFT>>;
export type TopicDocument = ShownOf<typeof TOPIC>;
export type MessagesDocument = List<'messages', ShownOf<typeof MESSAGE>>;
export type BlockDocument = ShownOf<typeof BLOCK>;
export type BlocksDocument = List<'blocks', BlockDocument>;
export type RatesDocument = ShownOf<typeof EXCHANGE_RATES>;
export type RateDocument = RatesDocument['current_rate'];
export type SupplyDocument = ShownOf<typeof SUPPLY>;
export type GasPricesDocument = ReadBy<typeof GasPriceAnswer>;
export type NodesDocument = List<'nodes', ShownOf<typeof NODE>>;

export interface StakeDocument {
  readonly max_staking_reward_rate_per_hbar: bigint;
  readonly reserved_staking_rewards: bigint;
  readonly stake_total: bigint;
  readonly staking_period: { readonly from: string; readonly to: string } | null;
  readonly staking_reward_rate: bigint;
  readonly unreserved_staking_reward_balance: bigint;
}

/** An integer is a text of digits, an array a list of values, a tuple a list of fields. */
export type DecodedValueDocument =
  | string
  | boolean
  | readonly (DecodedValueDocument | DecodedArgumentDocument)[];

export interface DecodedArgumentDocument {
  readonly name: string | null;
  readonly type: string;
  /** Null where a log holds the hash only. */
  readonly value: DecodedValueDocument | null;
  readonly hash?: string;
}

export interface DecodedDocument {
  readonly signature: string;
  readonly arguments: readonly DecodedArgumentDocument[];
  readonly returned?: readonly DecodedArgumentDocument[];
  readonly source: 'contract' | 'signature' | 'language';
}

type Decoded<Item, Names extends string> = Omit<ShownOf<Item>, Names> & {
  readonly [Name in Names]?: DecodedDocument | null;
};

export type ContractResultDocument = Decoded<typeof SHORT_RESULT, 'decoded' | 'decoded_error'>;
export type ContractResultsDocument = List<'results', ContractResultDocument>;
export type ContractLogsDocument = List<'logs', Decoded<typeof LOG, 'decoded'>>;
export type ContractActionsDocument = List<'actions', ShownOf<typeof ACTION>>;
