import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../test/support/postgres.ts';
import { openFilled, planOf, preparedTexts } from '../../test/support/query-plans.ts';
import { createContractRepository } from './contracts/contract-repository.sql.ts';
import { createDecodingRepository } from './decoding/decoding-repository.sql.ts';
import { createJobStore } from './jobs/queue/job-repository.sql.ts';
import { createSignatureRepository } from './signature-database/signature-repository.sql.ts';
import { createCandidateRepository } from './similarity/candidate-repository.sql.ts';

/** Rows of each table: enough that none is walked rather than searched. */
const ROWS = 20_000;
const HASH = 'sha256(i::text::bytea)';
const FILL = `
  set session_replication_role = replica;
  insert into code (code_hash, code_hash_keccak) select ${HASH}, ${HASH} from rows i;
  insert into source (source_hash, source_hash_keccak, content) select ${HASH}, ${HASH}, '' from rows i;
  insert into contract (id, creation_code_hash, runtime_code_hash) select i, ${HASH}, ${HASH} from rows i;
  insert into contract_deployment (id, chain_id, address, transaction_hash, contract_id)
    select i, (i % 3)::text, substr(${HASH}, 1, 20), ${HASH}, i from rows i;
  insert into compiled_contract (id, compiler, version, language, name, fully_qualified_name, compiler_settings,
    compilation_artifacts, creation_code_hash, creation_code_artifacts, runtime_code_hash, runtime_code_artifacts, input_hash)
    select i, '', '', '', '', '', '', '', ${HASH}, '', ${HASH}, '', '' from rows i;
  insert into compiled_contract_source (compilation_id, source_hash, path) select i, ${HASH}, '' from rows i;
  insert into verified_contract (id, deployment_id, compilation_id, creation_match, runtime_match, runtime_values,
    runtime_transformations, runtime_metadata_match) select i, i, i, 0, 1, '', '', 1 from rows i;
  insert into verification_match (match_id, chain_id, address, verified_contract_id, runtime_match, verified_at)
    select i, (i % 3)::text, substr(${HASH}, 1, 20), i, 'match', 1 from rows i;
  insert into signature select ${HASH}, i::text from rows i;
  insert into compiled_contract_signature select i, 'function', ${HASH} from rows i;
  insert into compiled_contract_signature select i, 'event', sha256('') from rows i;
  insert into verification_job (id, chain_id, address, started_at, finished_at)
    select i::text, '1', ${HASH}, i, case when i > 50 then i end from rows i;
  insert into verification_job_bytecode (job_id, stored_at) select i::text, i from rows i;
  insert into verification_job_input (job_id, input) select i::text, '' from rows i;
  insert into runtime_shape select i, i % 999, i::text, '' from rows i;
  insert into compilation_likeness select i, i, i % 999, ${HASH}, ${HASH}, substr(${HASH}, 1, 9), i % 2 from rows i`;

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
  ['jobs', createJobStore],
  ['verified contracts', createContractRepository],
  ['similar contracts', createCandidateRepository],
  ['signatures', createSignatureRepository],
  ['what calls mean', createDecodingRepository],
])('no question about %s walks a table', async (_what, create) => {
  const texts = preparedTexts(pool, create);
  expect(texts.length).toBeGreaterThan(2);
  for (const text of texts) {
    expect(`${text}\n${await planOf(pool, text)}`).not.toMatch(/^.*(Seq Scan|Hash Join|Merge Join).*$/m);
  }
});
