import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../test/support/postgres.ts';
import { openFilled, planOf, preparedTexts } from '../../test/support/query-plans.ts';
import type { Sql } from '../storage/sql/sql.ts';
import { createAccountPages } from './accounts/account-pages.sql.ts';
import { createAirdropRepository } from './airdrops/airdrop-repository.sql.ts';
import { createAllowanceRepository } from './allowances/allowance-repository.sql.ts';
import { createBalanceRepository } from './balances/balance-repository.sql.ts';
import { createBlockRepository } from './blocks/block-repository.sql.ts';
import { createContractActionRepository } from './contracts/actions/contract-action-repository.sql.ts';
import { createContractPages } from './contracts/contract-pages.sql.ts';
import {
  createContractLogRepository,
  createLogPlaces,
} from './contracts/logs/contract-log-repository.sql.ts';
import { createResultKeys } from './contracts/results/result-keys.sql.ts';
import { createContractStateRepository } from './contracts/state/contract-state-repository.sql.ts';
import { createHookRepository } from './hooks/hook-repository.sql.ts';
import { createUserFiles } from './ledger/files/file-repository.sql.ts';
import { createStoredUnits } from './ledger/upkeep/stored-units.sql.ts';
import { createNftRepository } from './nfts/nft-repository.sql.ts';
import { createRelationRepository } from './relations/relation-repository.sql.ts';
import { createRewardRepository } from './rewards/reward-repository.sql.ts';
import { createScheduleRepository } from './schedules/schedule-repository.sql.ts';
import { createTokenRepository } from './tokens/token-repository.sql.ts';
import { createTopicMessageRepository } from './topics/topic-message-repository.sql.ts';
import { createTransactionRepository } from './transactions/transaction-repository.sql.ts';

/** Rows of each table: enough that none is walked rather than searched; a third belongs to one account and one token. */
const ROWS = 20_000;
const MANY = 'case when i % 3 = 0 then 1 else i % 5000 end';
const FILL = `
  insert into entity (id, type, balance) select i, case when i % 2 = 0 then 'TOKEN' end, i from rows i;
  insert into entity_settings (id, changed_ts, deleted, public_key)
    select i, i, i % 2, case when i % 3 = 0 then 'key' else sha256(i::text::bytea) end from rows i;
  insert into entity_history (id, lower_ts, upper_ts) select i, 1, 2 from rows i;
  insert into balance_snapshot_time select i, 0, 0 from rows i;
  insert into balance_snapshot select ${MANY}, i, i from rows i;
  insert into token_balance_snapshot select ${MANY}, i % 7, i, i from rows i;
  insert into token_balance_snapshot select i, 1, i, i from rows i on conflict do nothing;
  insert into token (token_id, kind, lower_ts, folded_name)
    select i, case when i % 99 = 0 then 'NON_FUNGIBLE_UNIQUE' else 'FUNGIBLE_COMMON' end, 1, i::text from rows i;
  insert into token_history (token_id, lower_ts, upper_ts) select i, 1, 2 from rows i;
  insert into custom_fee (entity_id, lower_ts, fee_count) select i, 1, 1 from rows i;
  insert into token_balance (account_id, token_id, balance) select ${MANY}, i, i from rows i;
  insert into token_balance (account_id, token_id, balance) select i, 1, i from rows i on conflict do nothing;
  insert into nft (token_id, serial_number, account_id, spender, changed_ts, deleted)
    select ${MANY}, i, i % 50, case when i % 4 = 0 then i % 9 end, i, 0 from rows i;
  create table tx_early partition of tx for values from (minvalue) to (${ROWS / 2});
  create table tx_late partition of tx for values from (${ROWS / 2}) to (maxvalue);
  create table account_tx_all partition of account_tx default;
  insert into account_tx select ${MANY}, i, 1, 1, 1 from rows i;
  insert into tx_hash select i, i from rows i;
  insert into contract_result_hash select i, i from rows i;
  insert into tx (consensus_ts, type, facet, result, payer, valid_start, nonce, scheduled, charged_fee, high_volume,
    body, entity_id) select i, case when i % 3 = 0 then 16 else 1 end, 1, 22, 1, 1, 0, 0, 0, 0, '',
    case when i % 3 = 0 then 1 end from rows i;
  insert into tx_source select i, 'abc', 'def' from rows i;
  insert into file_piece select ${MANY}, i, 17, '', 0, i, 0 from rows i;
  insert into nft_event select ${MANY}, i % 2, i from rows i;
  insert into topic_message (consensus_ts, topic_id, sequence_number, payer, running_hash, message)
    select i, ${MANY}, i, 1, '', '' from rows i;
  insert into schedule select i, ${MANY}, 1, i, null, null, 0, '' from rows i;
  insert into schedule_signature select i, 1, ${MANY}, 0, '', '' from rows i;
  insert into allowance select i % 3, ${MANY}, i, i % 9, 1, 1, 1 from rows i;
  insert into allowance select 2, i, 1, i % 9, 1, 1, 1 from rows i on conflict do nothing;
  insert into airdrop select ${MANY}, i, i % 9, i % 2, 1, i % 2, 1 from rows i;
  insert into airdrop select i, 1, i % 9, i % 2, 1, i % 2, 1 from rows i on conflict do nothing;
  insert into contract_result (consensus_ts, payer_id, nonce, result, listing, contract_id, sender_id, hash, gas_limit,
    has_run) select i, 1, 0, 22, i % 3, ${MANY}, ${MANY}, '', 1, 1 from rows i;
  insert into contract_log (consensus_ts, log_index, contract_id, payer_id, is_synthetic, is_hidden,
    result_contract_id, is_first_result) select i, 0, ${MANY}, 1, i % 2, 0, case when i % 2 = 1 then i % 50 end, i % 2
    from rows i;
  insert into contract_log_topic select 0, ${MANY}, i, 0 from rows i;
  insert into contract_action (consensus_ts, action_index, payer_id, call_depth, call_type, operation,
    is_caller_contract, gas, gas_used, value, result_data_type) select i, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1 from rows i;
  insert into contract_state_change select ${MANY}, sha256((i % 9)::text::bytea), i, '', '', 0 from rows i;
  insert into contract_state select ${MANY}, sha256(i::text::bytea), '', i from rows i;
  insert into ledger_unit (place, consensus_start, consensus_end, source, kind, name, version, block_number, hash,
    previous_hash, file_hash, transaction_count, size, verification)
    select i, i, i, '', '', '', 1, i, sha256(i::text::bytea), '', '', 1, 1, '' from rows i;
  insert into tx_place select i, i, 0 from rows i;
  insert into hook select ${MANY}, i, 1, 1, 0, 1, null from rows i;
  insert into hook_slot select ${MANY}, i % 9, sha256(i::text::bytea), '', i from rows i;
  insert into hook_storage select ${MANY}, i % 9, sha256((i % 99)::text::bytea), i, '' from rows i;
  insert into staking_reward select i, 0, ${MANY}, 1 from rows i;
  insert into contract_log_chunk select i, 1, '' from rows i;
  insert into contract_log_chunk_key select 0, ${MANY}, i, '' from rows i`;

let cluster: PostgresCluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startPostgres();
  pool = await openFilled(cluster, FILL, ROWS);
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});

test.each([
  ['accounts', createAccountPages],
  ['balances', createBalanceRepository],
  ['tokens', createTokenRepository],
  ['relations', createRelationRepository],
  ['NFTs', createNftRepository],
  ['allowances', createAllowanceRepository],
  ['airdrops', createAirdropRepository],
  ['topic messages', createTopicMessageRepository],
  ['schedules', createScheduleRepository],
  ['hooks', createHookRepository],
  ['logs by hash', createContractLogRepository],
  ['contracts', createContractPages],
  ['rewards', createRewardRepository],
  ['results of contracts', createResultKeys],
  ['logs of contracts', createLogPlaces],
  ['traces of contracts', createContractActionRepository],
  ['files of users', createUserFiles],
])('no question about %s walks a table, joins all of one or sorts', async (_what, create) => {
  const texts = preparedTexts(pool, create);
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) {
    expect(`${text}\n${await planOf(pool, text)}`).not.toMatch(
      /^.*(Seq Scan(?! on ledger_state )|Sort|Hash |Merge |Bitmap|Materialize).*$/m,
    );
  }
});

test.each([
  ['accounts', createAccountPages, 'entity_by_balance'],
  ['holders', createRelationRepository, 'token_balance_by_balance'],
] as const)('the few %s of a balance are found by its index', async (_what, create, index) => {
  const texts = preparedTexts(pool, create).filter((text) => /balance >= /.test(text));
  expect(texts).toHaveLength(1);
  expect(await planOf(pool, texts[0] ?? '')).toMatch(new RegExp(`Index Only Scan using ${index} `));
});

test.each([
  ['transactions', (sql: Sql) => createTransactionRepository(sql, 'spec')],
  ['blocks', createBlockRepository],
  ['storage of contracts', createContractStateRepository],
])('no question about %s walks more than what is listed or shown', async (_what, create) => {
  const texts = preparedTexts(pool, create);
  expect(texts.length).toBeGreaterThan(4);
  for (const text of texts) {
    const plan = await planOf(pool, text);
    expect(`${text}\n${plan}`).not.toMatch(/^.*(Seq Scan|(Hash|Merge)( \w+)? Join|Bitmap|Materialize).*$/m);
    // A range of a whole table only where a limit ends it: what is sorted afterwards has been walked.
    if (/ Sort /.test(plan)) expect(`${text}\n${plan}`).not.toMatch(/Index Cond: \(\(consensus_(end|ts) >=/);
  }
});

test('the bytes of a unit are found among all by their times', async () => {
  const texts = preparedTexts(pool, (sql) => createStoredUnits(sql, false));
  const reading = texts.filter((text) => /^SELECT.* join tx_source /s.test(text));
  expect(reading).toHaveLength(1);
  const plan = await planOf(pool, reading[0] ?? '');
  expect(plan).toMatch(
    /Index Scan using tx_source_pkey on tx_source s .*\n +Index Cond: \(\(consensus_ts >= /,
  );
});
