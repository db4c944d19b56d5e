/*
 * The answers of the API as pages read them: integers are bigint. Only the members that pages show are listed.
 */

export interface Links {
  readonly links: { readonly next: string | null };
}

export interface KeyDocument {
  readonly _type: string;
  readonly key: string;
}

export interface TransferDocument {
  readonly account: string;
  readonly amount: bigint;
  readonly is_approval: boolean;
}

export interface TokenTransferDocument extends TransferDocument {
  readonly token_id: string;
}

export interface NftTransferDocument {
  readonly is_approval: boolean;
  readonly receiver_account_id: string | null;
  readonly sender_account_id: string | null;
  readonly serial_number: bigint;
  readonly token_id: string;
}

export interface AssessedFeeDocument {
  readonly amount: bigint;
  readonly collector_account_id: string;
  readonly effective_payer_account_ids: readonly string[];
  readonly token_id: string | null;
}

export interface FeeLimitDocument {
  readonly account_id: string | null;
  readonly amount: bigint;
  readonly denominating_token_id: string | null;
}

/** @see contracts/mirror-transactions.md section 2; the dialects differ in three members */
export interface TransactionDocument {
  readonly assessed_custom_fees?: readonly AssessedFeeDocument[];
  readonly batch_key?: KeyDocument | null;
  readonly charged_tx_fee: bigint;
  readonly consensus_timestamp: string;
  readonly entity_id: string | null;
  readonly high_volume: boolean;
  readonly max_custom_fees: readonly FeeLimitDocument[];
  readonly max_fee: bigint | string | null;
  readonly memo_base64: string | null;
  readonly name: string;
  readonly nft_transfers: readonly NftTransferDocument[];
  readonly node: string | null;
  readonly nonce: bigint;
  readonly parent_consensus_timestamp: string | null;
  readonly result: string;
  readonly scheduled: boolean;
  readonly staking_reward_transfers: readonly {
    readonly account: bigint | string;
    readonly amount: bigint;
  }[];
  readonly token_transfers: readonly TokenTransferDocument[];
  readonly transaction_hash: string | null;
  readonly transaction_id: string;
  readonly transfers: readonly TransferDocument[];
  readonly valid_duration_seconds: bigint | string | null;
  readonly valid_start_timestamp: string;
}

export interface TransactionsDocument {
  readonly transactions: readonly TransactionDocument[];
}

export interface AccountDocument extends TransactionsDocument, Links {
  readonly account: string;
  readonly alias: string | null;
  readonly auto_renew_period: bigint | null;
  readonly balance: { readonly balance: bigint | null; readonly timestamp: string | null } | null;
  readonly created_timestamp: string | null;
  readonly decline_reward: boolean | null;
  readonly deleted: boolean | null;
  readonly ethereum_nonce: bigint | null;
  readonly evm_address: string | null;
  readonly expiry_timestamp: string | null;
  readonly key: KeyDocument | null;
  readonly max_automatic_token_associations: bigint | null;
  readonly memo: string | null;
  readonly pending_reward: bigint | null;
  readonly receiver_sig_required: boolean | null;
  readonly staked_account_id: string | null;
  readonly staked_node_id: bigint | null;
  readonly stake_period_start: string | null;
}

export interface HeldTokensDocument extends Links {
  readonly tokens: readonly {
    readonly token_id: string;
    readonly balance: bigint;
    readonly decimals: bigint | null;
    readonly freeze_status: string | null;
    readonly kyc_status: string | null;
  }[];
}

export interface AllowancesDocument extends Links {
  readonly allowances: readonly {
    readonly spender: string;
    readonly amount?: bigint;
    readonly amount_granted?: bigint;
    readonly token_id?: string;
    readonly approved_for_all?: boolean;
  }[];
}

export interface ContractDocument {
  readonly contract_id: string;
  readonly admin_key: KeyDocument | null;
  readonly evm_address: string;
  readonly file_id: string | null;
  readonly runtime_bytecode: string | null;
  readonly nonce: bigint | null;
  readonly auto_renew_account: string | null;
  readonly obtainer_id: string | null;
}

export interface TokenDocument {
  readonly token_id: string;
  readonly name: string;
  readonly symbol: string;
  readonly type: string;
  readonly decimals: string;
  readonly initial_supply: string;
  readonly total_supply: string;
  readonly max_supply: string;
  readonly supply_type: string;
  readonly treasury_account_id: string | null;
  readonly created_timestamp: string | null;
  readonly modified_timestamp: string;
  readonly deleted: boolean | null;
  readonly memo: string | null;
  readonly pause_status: string;
  readonly freeze_default: boolean | null;
  readonly metadata: string;
  readonly custom_fees: {
    readonly fixed_fees: readonly unknown[];
    readonly fractional_fees?: readonly unknown[];
    readonly royalty_fees?: readonly unknown[];
  } | null;
  readonly [key: `${string}_key`]: KeyDocument | null;
}

export interface HoldersDocument extends Links {
  readonly balances: readonly {
    readonly account: string;
    readonly balance: bigint;
    readonly decimals: bigint | null;
  }[];
}

export interface NftsDocument extends Links {
  readonly nfts: readonly {
    readonly account_id: string | null;
    readonly deleted: boolean;
    readonly metadata: string;
    readonly serial_number: bigint;
  }[];
}

export interface TopicDocument {
  readonly topic_id: string;
  readonly admin_key: KeyDocument | null;
  readonly submit_key: KeyDocument | null;
  readonly fee_schedule_key: KeyDocument | null;
  readonly auto_renew_account: string | null;
  readonly created_timestamp: string | null;
  readonly deleted: boolean | null;
  readonly memo: string;
  readonly custom_fees: { readonly fixed_fees: readonly unknown[] };
}

export interface MessagesDocument extends Links {
  readonly messages: readonly {
    readonly chunk_info: { readonly number: bigint; readonly total: bigint } | null;
    readonly consensus_timestamp: string;
    readonly message: string;
    readonly payer_account_id: string;
    readonly sequence_number: bigint;
  }[];
}

export interface BlockDocument {
  readonly count: bigint;
  readonly gas_used: bigint | null;
  readonly hapi_version: string | null;
  readonly hash: string;
  readonly name: string;
  readonly number: bigint;
  readonly previous_hash: string;
  readonly size: bigint;
  readonly timestamp: { readonly from: string; readonly to: string };
}

export interface BlocksDocument extends Links {
  readonly blocks: readonly BlockDocument[];
}

export interface RateDocument {
  readonly cent_equivalent: bigint;
  readonly expiration_time: bigint;
  readonly hbar_equivalent: bigint;
}

export interface RatesDocument {
  readonly current_rate: RateDocument;
  readonly next_rate: RateDocument;
  readonly timestamp: string;
}

export interface SupplyDocument {
  readonly released_supply: string | null;
  readonly timestamp: string;
  readonly total_supply: string;
}

export interface GasPricesDocument {
  readonly fees: readonly { readonly gas: bigint; readonly transaction_type: string }[];
  readonly timestamp: string;
}

export interface NodesDocument extends Links {
  readonly nodes: readonly {
    readonly description: string | null;
    readonly node_account_id: string | null;
    readonly node_id: bigint;
    readonly stake: bigint | null;
    readonly stake_rewarded: bigint | null;
    readonly min_stake: bigint | null;
    readonly max_stake: bigint | null;
    readonly decline_reward: boolean | null;
    readonly service_endpoints: readonly {
      readonly domain_name: string;
      readonly ip_address_v4: string;
      readonly port: bigint;
    }[];
  }[];
}

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

export interface ContractResultDocument {
  readonly address: string | null;
  readonly amount: bigint | null;
  readonly call_result: string;
  readonly contract_id: string | null;
  readonly created_contract_ids: readonly string[];
  readonly error_message: string | null;
  readonly from: string | null;
  readonly function_parameters: string;
  readonly gas_consumed: bigint | null;
  readonly gas_limit: bigint;
  /** Null where a synthetic log stands for a result. */
  readonly gas_used: bigint | null;
  readonly timestamp: string;
  readonly decoded?: DecodedDocument | null;
  readonly decoded_error?: DecodedDocument | null;
}

export interface ContractResultsDocument extends Links {
  readonly results: readonly ContractResultDocument[];
}

export interface ContractLogsDocument extends Links {
  readonly logs: readonly {
    readonly address: string | null;
    readonly contract_id: string | null;
    readonly data: string;
    readonly decoded: DecodedDocument | null;
    readonly index: bigint;
    readonly topics: readonly string[];
  }[];
}

export interface ContractActionsDocument extends Links {
  readonly actions: readonly {
    readonly call_depth: bigint;
    readonly call_operation_type: string;
    readonly call_type: string;
    readonly caller: string | null;
    readonly gas_used: bigint;
    readonly index: bigint;
    readonly input: string;
    readonly recipient: string | null;
    readonly result_data: string;
    readonly result_data_type: string;
    readonly timestamp: string;
    readonly to: string | null;
    readonly value: bigint;
  }[];
}
