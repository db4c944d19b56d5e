import type { JobErrorCode } from '../model/job-failure.ts';

/** What a failure means for people, and what they can do. */
export interface FailureWords {
  readonly title: string;
  readonly meaning: string;
  readonly remedies: readonly string[];
}

const OWN_SETTINGS = [
  'Take the standard JSON or build-info file of the very build that was deployed, not of a later one.',
  'Compare compiler version, optimizer, runs, viaIR and EVM version with the configuration of the project at that time.',
];

/** By the code of the API. @see contracts/verification-api.md section 8.2 */
export const WORDS_OF_FAILURE: Readonly<Record<JobErrorCode, FailureWords>> = {
  cannot_fetch_bytecode: {
    title: 'The chain did not answer',
    meaning: 'The code at the address could not be read from any endpoint of the chain.',
    remedies: ['Submit again in some minutes.', 'If it lasts, tell the operator of this server.'],
  },
  contract_not_deployed: {
    title: 'There is no contract at this address',
    meaning: 'The chain says that the address has no code.',
    remedies: [
      'Check the address and the chain.',
      'A transaction that was sent a moment ago may not be part of the chain yet: submit again.',
    ],
  },
  compiler_error: {
    title: 'The sources do not compile',
    meaning: 'The compiler refused the input, or there is no such compiler here. Below is what it said.',
    remedies: [
      'A missing file: add it under the name by which it is imported, or submit the standard JSON, which has all of them.',
      'A wrong version: compare the pragma of the sources with the compiler version that you chose.',
    ],
  },
  no_compiler_output: {
    title: 'The compiler gave no output',
    meaning: 'It ended without an error and without any code.',
    remedies: ['Check that the input has sources and the contract that you named.'],
  },
  contract_not_found_in_compiler_output: {
    title: 'The contract is not in the input',
    meaning: 'The sources compile, but no contract of this name is in this file.',
    remedies: ['Write path:Name exactly as the input has them; the name counts with upper and lower case.'],
  },
  compiled_bytecode_is_zero: {
    title: 'The contract has no code',
    meaning: 'Abstract contracts and interfaces compile to nothing, so they cannot be what was deployed.',
    remedies: ['Choose the contract that inherits from it.'],
  },
  bytecode_length_mismatch: {
    title: 'The codes differ in length',
    meaning: 'The sources compile, but the result is longer or shorter than the code on chain.',
    remedies: OWN_SETTINGS,
  },
  no_match: {
    title: 'The codes do not match',
    meaning: 'The sources compile, but to another code than the one on chain.',
    remedies: OWN_SETTINGS,
  },
  extra_file_input_bug: {
    title: 'The input lacks files of the original build',
    meaning:
      'The sources agree with the chain by their hash and the code does not: with this compiler, files that the contract does not use change its code.',
    remedies: ['Submit the complete standard JSON or build-info of the deployment, with all files.'],
  },
  already_verified: {
    title: 'The contract is verified already',
    meaning: 'What is stored is at least as good as the result of this verification, so it stays.',
    remedies: ['Nothing needs to be done.'],
  },
  no_similar_match_found: {
    title: 'No similar contract is verified here',
    meaning: 'None of the stored contracts has code like this one.',
    remedies: ['Submit the sources themselves.'],
  },
  missing_source: {
    title: 'Sources are missing',
    meaning: 'The metadata name files that were neither sent nor found elsewhere.',
    remedies: ['Add the files named below; they are recognised by their content.'],
  },
  missing_or_invalid_source: {
    title: 'Sources are missing or changed',
    meaning: 'The metadata name files whose content has another hash than what was sent.',
    remedies: [
      'Take the files as they were at the deployment: a formatter or other line ends change the hash.',
    ],
  },
  invalid_compilation_target: {
    title: 'The metadata do not name one contract',
    meaning: 'settings.compilationTarget has to name exactly one.',
    remedies: ['Take the metadata.json of the contract that was deployed.'],
  },
  invalid_compiler_version: {
    title: 'The compiler version is not understood',
    meaning: 'It is not a version that this compiler ever had.',
    remedies: ['Write it as the compiler prints it, such as 0.4.1+commit.8a93dd27.'],
  },
  unsupported_compiler_version: {
    title: 'The compiler version is too old',
    meaning: 'Contracts of this version cannot be verified here.',
    remedies: ['The message below names the lowest version.'],
  },
  compiler_timeout: {
    title: 'The compilation took too long',
    meaning: 'The compiler was stopped at the limit of this server.',
    remedies: [
      'Submit again when the server is less busy; if it lasts, tell its operator (VERIFY_JOB_SECONDS).',
    ],
  },
  compiler_out_of_memory: {
    title: 'The compiler needed too much memory',
    meaning: 'It was stopped at the limit of this server.',
    remedies: [
      'Leave out sources that the contract does not need, or tell the operator (VERIFY_COMPILER_MEMORY_MB).',
    ],
  },
  job_cancelled: {
    title: 'The verification was cancelled',
    meaning: 'Somebody asked for its end.',
    remedies: ['Submit it again if it was not you.'],
  },
  job_abandoned: {
    title: 'The verification was interrupted three times',
    meaning: 'The server stopped each time while it ran.',
    remedies: ['Submit it again.'],
  },
  internal_error: {
    title: 'The server failed',
    meaning: 'This is a fault of the server, not of your input.',
    remedies: ['Submit again. If it happens once more, tell the operator the error id below.'],
  },
};
