import type { JobErrorCode } from '../model/job-failure.ts';

/** What a failure means for people, and what they can do. */
interface FailureWords {
  readonly title: string;
  readonly meaning: string;
  readonly remedies: readonly string[];
}

const OWN_SETTINGS = [
  'Use the standard JSON or build-info file of the deployed build, not of a later one.',
  'Compare compiler version, optimizer, runs, viaIR and EVM version with the configuration of the project at that time.',
];

/** By the code of the API. @see contracts/verification-api.md section 8.2 */
export const FAILURE_MESSAGES: Readonly<Record<JobErrorCode, FailureWords>> = {
  cannot_fetch_bytecode: {
    title: 'No response from the chain',
    meaning: 'The code at the address could not be read from any endpoint of the chain.',
    remedies: ['Try again in a few minutes.', 'If it persists, contact the operator of this server.'],
  },
  contract_not_deployed: {
    title: 'No contract at this address',
    meaning: 'The address has no code on the chain.',
    remedies: [
      'Check the address and the chain.',
      'A recent transaction may not be on the chain yet: submit again.',
    ],
  },
  compiler_error: {
    title: 'The sources were not compiled',
    meaning: 'The compiler rejected the input, or this server does not have it.',
    remedies: [
      'A missing file: add it under the name by which it is imported, or submit the standard JSON, which contains all files.',
      'A wrong version: compare the pragma of the sources with the compiler version that you chose.',
      'A version that this server does not have: choose one of its list, or contact the operator.',
    ],
  },
  no_compiler_output: {
    title: 'No compiler output',
    meaning: 'The compiler reported no error but produced no bytecode.',
    remedies: ['Check that the input contains sources and the named contract.'],
  },
  contract_not_found_in_compiler_output: {
    title: 'The contract is not in the input',
    meaning: 'The sources compile, but this file contains no contract of this name.',
    remedies: ['Write path:Name exactly as in the input; names are case-sensitive.'],
  },
  runtime_bytecode_not_found_in_compiler_output: {
    title: 'No runtime code from the compiler',
    meaning: 'This version of solc does not print the runtime code of Yul, so there is nothing to compare.',
    remedies: ['Compile Yul with solc 0.6.9 or later, if the contract was.'],
  },
  compiled_bytecode_is_zero: {
    title: 'The contract has no code',
    meaning: 'Abstract contracts and interfaces compile to nothing, so they cannot be what was deployed.',
    remedies: ['Choose the contract that inherits from it.'],
  },
  bytecode_length_mismatch: {
    title: 'Bytecode length mismatch',
    meaning: 'The sources compile, but the result differs in length from the on-chain bytecode.',
    remedies: OWN_SETTINGS,
  },
  no_match: {
    title: 'Bytecode mismatch',
    meaning: 'The sources compile, but the result is different from the on-chain bytecode.',
    remedies: OWN_SETTINGS,
  },
  extra_file_input_bug: {
    title: 'The input lacks files of the original build',
    meaning:
      'The hash of the sources matches the chain but the bytecode does not: with this compiler, unused files change the bytecode.',
    remedies: ['Submit the complete standard JSON or build-info of the deployment, with all files.'],
  },
  already_verified: {
    title: 'The contract is already verified',
    meaning: 'The stored verification is at least as good as this result and is kept.',
    remedies: ['No action is needed.'],
  },
  no_similar_match_found: {
    title: 'No similar contract is verified here',
    meaning: 'No stored contract has similar code.',
    remedies: ['Submit the sources.'],
  },
  missing_source: {
    title: 'Sources are missing',
    meaning: 'The metadata reference files that were neither submitted nor found elsewhere.',
    remedies: ['Add the files named below; they are identified by their content.'],
  },
  missing_or_invalid_source: {
    title: 'Sources are missing or changed',
    meaning: 'The metadata reference files whose hash differs from that of the submitted files.',
    remedies: ['Use the files as deployed: a formatter or different line endings change the hash.'],
  },
  invalid_compilation_target: {
    title: 'The metadata do not name one contract',
    meaning: 'settings.compilationTarget must name exactly one.',
    remedies: ['Use the metadata.json of the deployed contract.'],
  },
  invalid_compiler_version: {
    title: 'Unknown compiler version',
    meaning: 'This compiler has no such version.',
    remedies: ['Use the full version, such as 0.4.1+commit.8a93dd27.'],
  },
  unsupported_compiler_version: {
    title: 'The compiler version is too old',
    meaning: 'Contracts of this version cannot be verified here.',
    remedies: ['The message below names the lowest version.'],
  },
  compiler_timeout: {
    title: 'Compilation timed out',
    meaning: 'The compiler was stopped at the time limit of this server.',
    remedies: ['Submit again when the server is less busy. If it persists, contact its operator.'],
  },
  compiler_out_of_memory: {
    title: 'Compiler out of memory',
    meaning: 'The compiler was stopped at the memory limit of this server.',
    remedies: ['Remove sources that the contract does not need, or contact the operator of this server.'],
  },
  job_cancelled: {
    title: 'The verification was cancelled',
    meaning: 'A client cancelled it.',
    remedies: ['Submit again if this was unintended.'],
  },
  job_abandoned: {
    title: 'The verification was interrupted three times',
    meaning: 'The server stopped each time while it was running.',
    remedies: ['Submit it again.'],
  },
  internal_error: {
    title: 'Server error',
    meaning: 'This is an internal error of the server, not a problem of your input.',
    remedies: ['Submit again. If it happens again, report the error id below to the operator.'],
  },
};
