import type { IngestErrorCode } from '../../src/mirror/ingest/errors.ts';
import type { RequestErrorCode } from '../../src/verify/errors.ts';
import type { JobErrorCode } from '../../src/verify/model/job-failure.ts';

/** What a client does about a refused request; the type checker misses a code that has no words. */
export const REQUEST_REMEDIES: Readonly<Record<RequestErrorCode, string>> = {
  invalid_json: 'The body is not JSON; the message shows where.',
  invalid_parameter: 'Correct the parameter or member that the message names.',
  unsupported_chain: 'Use a chain of `GET /chains`, or ask the operator to add it to `VERIFY_CHAINS`.',
  job_not_found: 'Check the identifier; it must be the one returned by the submission.',
  route_not_found: 'Check path and method; [endpoints.md](endpoints.md) lists them.',
  cannot_fetch_bytecode: 'The address has no code there: check address and chain.',
  body_too_slow: 'The body did not arrive in time: retry.',
  already_verified: 'Nothing to do: look up the contract. A better match would have been stored.',
  job_finished: 'Nothing to do: the job is finished.',
  gone: 'Use version 2 of the API; this server does not serve version 1.',
  payload_too_large: 'Send fewer or smaller sources; the message names the limit.',
  duplicate_verification_request: 'Follow the job that the message names.',
  too_many_requests: 'Retry after the time in `Retry-After`.',
  internal_error: 'Report it with its `errorId`.',
  failed_to_get_bytecode: 'The node of the chain does not respond: try again, or contact the operator.',
  server_busy:
    'Retry after the time in `Retry-After`. Clients (an IPv4 address, or a /64 network of IPv6) take turns; from its second waiting verification on, a client may use at most as many places and bytes of the queue as it leaves free. `ledgerlens jobs` lists and purges the queue.',
};

/** What a submitter does about a verification without a match. */
export const JOB_REMEDIES: Readonly<Record<JobErrorCode, string>> = {
  cannot_fetch_bytecode:
    'The node of the chain did not respond, or the sidecar of the contract was not imported.',
  contract_not_deployed: 'Check address and chain, and wait until the deployment is in a block.',
  compiler_error:
    'Fix the errors that the compiler reports; for a missing compiler see [compilers.md](compilers.md).',
  no_compiler_output: 'The compiler produced no output: check the standard JSON.',
  contract_not_found_in_compiler_output: 'Check `contractIdentifier`: `path/File.sol:Name`.',
  runtime_bytecode_not_found_in_compiler_output: 'Compile Yul with solc 0.6.9 or later.',
  compiled_bytecode_is_zero:
    'An abstract contract or an interface has no code: name the contract that was deployed.',
  bytecode_length_mismatch:
    'Compare compiler version and settings; `errorData.diff` shows where the codes differ.',
  no_match: 'Compare sources, compiler version and settings; `errorData.diff` shows where the codes differ.',
  extra_file_input_bug: 'Submit the original standard JSON with all its files.',
  already_verified: 'Nothing to do: the contract already has at least as good a match.',
  no_similar_match_found: 'No verified contract has similar code: submit the sources.',
  missing_source: 'Add the sources that the message names.',
  missing_or_invalid_source:
    'Add or correct the sources that the message names: their hashes must be those of the metadata.',
  invalid_compilation_target: 'The metadata must name exactly one contract.',
  invalid_compiler_version: 'Use the full version, such as `0.8.30+commit.73712a01`.',
  unsupported_compiler_version: 'Use a supported version; the message names the lowest.',
  compiler_timeout: 'Reduce the input, or raise `VERIFY_JOB_SECONDS`.',
  compiler_out_of_memory: 'Reduce the input, or raise `VERIFY_COMPILER_MEMORY_MB`.',
  job_cancelled: 'The job was cancelled: submit it again.',
  job_abandoned: 'The job interrupted the server three times: submit it again, and report it.',
  internal_error: 'Report it with its `errorId`.',
};

/** What an operator does about a unit that was not taken. */
export const INGEST_REMEDIES: Readonly<Record<IngestErrorCode, string>> = {
  unsupported_version:
    'The format is too old or too new: use a newer version of the server, or another source.',
  malformed: 'The file is damaged: get another copy.',
  no_items: 'The file has no transactions: get another copy.',
  file_hash_mismatch: 'The file is not the one that was signed: get another copy.',
  metadata_hash_mismatch: 'The metadata of the file is not what was signed: get another copy.',
  running_hash_mismatch: 'The content of the file does not match its hash: get another copy.',
  sidecar_hash_mismatch: 'The sidecar is not the one that its record file names: get another copy.',
  chain_mismatch:
    'It does not follow the stored ledger: units are missing, or it belongs to another network.',
  consensus_not_reached:
    'Too few nodes signed: fetch the other signature files, or see `MIRROR_CONSENSUS_RATIO`.',
  unknown_node: 'The signer is not in the address book: provide a newer one with `MIRROR_ADDRESS_BOOK`.',
  bad_signature: 'A signature is wrong: get another copy, and check the address book.',
  duplicate_conflict:
    'Another transaction is stored at the same consensus time: the copies differ. Report it.',
  block_number_mismatch: 'Name, header and proof disagree on the number: get another copy.',
  nonconsecutive_block: 'Blocks are missing in between: get them, or run `ledgerlens ledger accept-gap`.',
  unsupported_item:
    'Part of the block is missing or unknown: get a full copy, or a newer version of the server.',
  bad_block_proof: 'The proof is invalid: get the block from another node.',
  unsupported_proof: 'This version cannot check that form of proof.',
  missing_ledger_id: 'Set `MIRROR_LEDGER_ID`, or import from the unit that publishes it.',
  ledger_id_conflict:
    'The stream belongs to a different ledger than the pinned one: check `MIRROR_LEDGER_ID` and the source.',
  fork: 'The network was reset: use a new database.',
  source_unreachable: 'The source does not respond; the server retries automatically.',
  source_refused: 'The source refuses access: check credentials and who pays.',
  inconsistent_source: 'The mirror returned inconsistent data; the server retries automatically.',
  fixture_too_old: 'The fixture lies before the end of the ledger: import it into a new database.',
  empty_file: 'The file is empty: get another copy.',
  record_file_missing: 'Signatures exist but the record file is missing: get it.',
  sidecar_missing: 'A sidecar was not found: contracts of that unit have no runtime code.',
  signature_missing: 'A signature file does not exist yet; the server checks again automatically.',
  wrong_file_name: 'The file name does not match the time or number of its content.',
  unreadable_file: 'The file cannot be read: check its permissions.',
  another_import: 'Another process is importing into this database: wait until it finishes.',
  nothing_to_import: 'The path has no record files, blocks or fixtures.',
  wrong_network: 'The source belongs to a different network than the ledger: use a separate database.',
};
