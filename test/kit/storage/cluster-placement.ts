/**
 * Where a cluster of PostgreSQL keeps the rows of a table: all of them on the node that servers ask, or each in a shard
 * that the hash of a column names.
 *
 * A table is distributed when each statement that reads it names the value of that column and reads no other table.
 *
 * @see docs/adr/0008-postgresql.md
 */
type Placement =
  | { readonly kind: 'local'; readonly reason: string }
  | { readonly kind: 'distributed'; readonly column: string; readonly reason: string };

interface LocalTables {
  readonly reason: string;
  readonly tables: readonly string[];
}

const LOCAL: readonly LocalTables[] = [
  {
    reason: 'the schema and the health of the server, a row each',
    tables: ['schema_version', 'health_row'],
  },
  {
    reason:
      'a contract is found by chain and address, by code and by signatures, and joined to all its parts',
    tables: [
      'code',
      'source',
      'signature',
      'contract',
      'contract_deployment',
      'compiled_contract',
      'compiled_contract_source',
      'compiled_contract_signature',
      'compilation_likeness',
      'runtime_shape',
      'verified_contract',
      'verification_match',
    ],
  },
  {
    reason: 'a queue is taken from its front, whatever the job is about, and jobs are deleted after a while',
    tables: ['verification_job', 'verification_job_input', 'verification_job_bytecode'],
  },
  {
    reason: 'the status page is read as a whole and is small',
    tables: [
      'status_page',
      'status_component',
      'status_component_event',
      'status_incident',
      'status_incident_update',
      'status_incident_component',
      'status_audit',
      'status_notice',
      'status_subscriber',
      'status_delivery',
      'status_part',
      'status_heartbeat',
      'status_downtime',
      'status_response_time',
      'status_keeper',
      'status_replica',
      'status_sample',
    ],
  },
  {
    reason: 'one row, or few, about the ledger as a whole',
    tables: [
      'ledger_state',
      'ledger_edition',
      'ledger_retention',
      'ledger_gap',
      'ledger_publication',
      'proof_state',
      'block_tree',
      'import_lease',
      'import_fence',
      'balance_snapshot_time',
    ],
  },
  {
    reason: 'what nodes, books, rates and prices were: few rows, read by time',
    tables: [
      'address_book',
      'address_book_entry',
      'node',
      'node_stake',
      'network_stake',
      'registered_node',
      'rate_observation',
      'told_gas_price',
      'file_piece',
    ],
  },
  {
    reason: 'a list in the order of time or of numbers, of all accounts and contracts, needs every shard',
    tables: ['tx', 'ledger_unit', 'contract_result', 'contract_log'],
  },
  {
    reason:
      'ranges of accounts (account.id=gt:) and lists without an account read it beside lists of one account',
    tables: ['account_tx'],
  },
  {
    reason: 'read beside tx, ledger_unit or contract_result, which are local',
    tables: [
      'tx_place',
      'tx_source',
      'tx_hash',
      'nft_event',
      'contract_result_hash',
      'contract_log_topic',
      'ethereum_transaction',
    ],
  },
  {
    reason: 'chunks of contract_log, which is local, and read for the times of a search',
    tables: ['contract_log_chunk', 'contract_log_chunk_key'],
  },
  {
    reason: 'read by contract, and by the time of a transaction that changed several contracts',
    tables: ['contract_state_change'],
  },
  {
    reason: 'its key is the time, and messages are read by topic; one is read by its time alone',
    tables: ['topic_message'],
  },
  {
    reason: 'its key is the time, and rewards are read by account',
    tables: ['staking_reward'],
  },
  {
    reason: 'found by several of its columns, in lists over all of it, or beside other tables of state',
    tables: [
      'entity',
      'entity_settings',
      'entity_history',
      'token',
      'token_history',
      'custom_fee',
      'token_balance',
      'nft',
      'topic_state',
      'allowance',
      'airdrop',
      'schedule',
      'schedule_signature',
      'hook',
      'stake_row',
      'stake_history',
      'ledger_contract',
      'ledger_code',
    ],
  },
  {
    reason: 'read by account, by token and over ranges of both',
    tables: ['balance_snapshot', 'token_balance_snapshot'],
  },
  {
    reason: 'read when balances and sidecars are checked, over units',
    tables: ['stated_balance', 'opening_state', 'sidecar'],
  },
];

const DISTRIBUTED: Readonly<Record<string, { readonly column: string; readonly reason: string }>> = {
  transfer: {
    column: 'consensus_ts',
    reason: 'some rows for each transaction, which are kept and copied, and which no list reads',
  },
  assessed_fee: {
    column: 'consensus_ts',
    reason: 'rows of a transaction, which are kept and copied, and which no list reads',
  },
  contract_action: {
    column: 'consensus_ts',
    reason: 'the calls inside a transaction, read for that transaction',
  },
  contract_state: { column: 'contract_id', reason: 'the slots of a contract, read for that contract' },
  hook_slot: { column: 'owner_id', reason: 'the slots of a hook, read for its owner' },
  hook_storage: { column: 'owner_id', reason: 'what its slots were set to, read for its owner' },
};

/** Every table of the schema. */
export const CLUSTER_PLACEMENT: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ...LOCAL.flatMap(({ reason, tables }) =>
    tables.map((table) => [table, { kind: 'local', reason }] as const),
  ),
  ...Object.entries(DISTRIBUTED).map(([table, rest]) => [table, { kind: 'distributed', ...rest }] as const),
]);
