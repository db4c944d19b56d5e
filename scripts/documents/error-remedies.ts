import type { IngestErrorCode } from '../../src/mirror/ingest/errors.ts';
import type { RequestErrorCode } from '../../src/verify/errors.ts';
import type { JobErrorCode } from '../../src/verify/model/job-failure.ts';

/** What a client does about a refused request; the type checker misses a code that has no words. */
export const REQUEST_REMEDIES: Readonly<Record<RequestErrorCode, string>> = {
  invalid_json: 'The body is not JSON; the message names the place.',
  invalid_parameter: 'Correct the parameter or member that the message names.',
  unsupported_chain: 'Use a chain of `GET /chains`, or ask the operator to add it to `VERIFY_CHAINS`.',
  job_not_found: 'Check the identifier; it is the one that the submission answered.',
  route_not_found: 'Check path and method; [endpoints.md](endpoints.md) lists them.',
  cannot_fetch_bytecode: 'The address has no code there: check address and chain.',
  body_too_slow: 'The body did not arrive in time: send it again.',
  already_verified: 'Nothing: look the contract up. A better match would have been stored.',
  job_finished: 'Nothing: the job has ended.',
  gone: 'Use version 2 of the API; this server does not serve version 1.',
  payload_too_large: 'Send fewer or smaller sources; the message names the limit.',
  duplicate_verification_request: 'Follow the job that the message names.',
  too_many_requests: 'Wait as long as `Retry-After` says.',
  internal_error: 'Report it with its `errorId`.',
  failed_to_get_bytecode: 'The node of the chain does not answer: try again, or tell the operator.',
  server_busy: 'Wait as long as `Retry-After` says.',
};

/** What a submitter does about a verification without a match. */
export const JOB_REMEDIES: Readonly<Record<JobErrorCode, string>> = {
  cannot_fetch_bytecode:
    'The node of the chain did not answer, or the sidecar of the contract was not imported.',
  contract_not_deployed: 'Check address and chain, and wait until the deployment is in a block.',
  compiler_error: 'Correct what the compiler says; for a missing compiler see [compilers.md](compilers.md).',
  no_compiler_output: 'The compiler gave nothing: check the standard JSON.',
  contract_not_found_in_compiler_output: 'Check `contractIdentifier`: `path/File.sol:Name`.',
  compiled_bytecode_is_zero:
    'An abstract contract or an interface has no code: name the contract that was deployed.',
  bytecode_length_mismatch:
    'Compare compiler version and settings; `errorData.diff` shows where the codes differ.',
  no_match: 'Compare sources, compiler version and settings; `errorData.diff` shows where the codes differ.',
  extra_file_input_bug: 'Submit the original standard JSON with all its files.',
  already_verified: 'Nothing: the contract is verified as well as this submission could.',
  no_similar_match_found: 'No verified contract has such code: submit the sources.',
  missing_source: 'Add the sources that the message names.',
  missing_or_invalid_source:
    'Add or correct the sources that the message names: their hashes must be those of the metadata.',
  invalid_compilation_target: 'The metadata must name exactly one contract.',
  invalid_compiler_version: 'Write the full version, such as `0.8.30+commit.73712a01`.',
  unsupported_compiler_version: 'The message names the lowest version.',
  compiler_timeout: 'Make the input smaller, or raise `VERIFY_JOB_SECONDS`.',
  compiler_out_of_memory: 'Make the input smaller, or raise `VERIFY_COMPILER_MEMORY_MB`.',
  job_cancelled: 'Somebody cancelled it: submit it again.',
  job_abandoned: 'It interrupted the server three times: submit it again, and report it.',
  internal_error: 'Report it with its `errorId`.',
};

/** What an operator does about a unit that was not taken. */
export const INGEST_REMEDIES: Readonly<Record<IngestErrorCode, string>> = {
  unsupported_version:
    'The format is too old or too new: use a newer version of the server, or another source.',
  malformed: 'The file is damaged: get another copy.',
  no_items: 'The file has no transactions: get another copy.',
  file_hash_mismatch: 'The file is not the one that was signed: get another copy.',
  metadata_hash_mismatch: 'The same for the part that describes the file.',
  running_hash_mismatch: 'The content of the file does not lead to its own hash: get another copy.',
  sidecar_hash_mismatch: 'The sidecar is not the one that its record file names: get another copy.',
  chain_mismatch: 'It does not follow the stored ledger: units are missing, or it is another network.',
  consensus_not_reached:
    'Too few nodes signed: fetch the other signature files, or see `MIRROR_CONSENSUS_RATIO`.',
  unknown_node: 'The address book does not have the signer: give a newer one with `MIRROR_ADDRESS_BOOK`.',
  bad_signature: 'A signature is wrong: get another copy, and check the address book.',
  duplicate_conflict:
    'Another transaction is stored at the same consensus time: the copies differ. Report it.',
  block_number_mismatch: 'Name, header and proof disagree on the number: get another copy.',
  nonconsecutive_block: 'Blocks are missing in between: get them, or `ledgerlens ledger accept-gap`.',
  unsupported_item:
    'Part of the block was left out or is unknown: get a full copy, or a newer version of the server.',
  bad_block_proof: 'The proof is false: get the block from another node.',
  unsupported_proof: 'This version cannot check that form of proof.',
  missing_ledger_id: 'Set `MIRROR_LEDGER_ID`, or import from the unit that publishes it.',
  ledger_id_conflict:
    'The stream leads to another ledger than the pinned one: check `MIRROR_LEDGER_ID` and the source.',
  fork: 'The network began anew: use a new database.',
  source_unreachable: 'The source does not answer; the server tries again by itself.',
  source_refused: 'The source refuses the reader: check credentials and who pays.',
  inconsistent_source: 'The mirror contradicts itself; the server asks again by itself.',
  fixture_too_old: 'The fixture lies before the end of the ledger: import it into a new database.',
  empty_file: 'The file is empty: get another copy.',
  record_file_missing: 'Signatures are there but not the record file: get it.',
  sidecar_missing: 'A sidecar is nowhere: contracts of that unit have no runtime code.',
  signature_missing: 'A signature file is not there yet; the server looks again by itself.',
  wrong_file_name: 'The name does not tell the time or number of its content.',
  unreadable_file: 'The file cannot be read: check its permissions.',
  another_import: 'Another process imports into this database: wait until it has ended.',
  nothing_to_import: 'The path has no record files, blocks or fixtures.',
  wrong_network: 'The source is of another network than the ledger: use a database of its own.',
};
