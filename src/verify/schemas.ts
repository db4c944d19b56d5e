import { type Static, Type } from '@sinclair/typebox';
import { VERSION_PATTERN } from './compile/compiler-version.ts';
import { STATUS_OF_CODE } from './errors.ts';
import { JOB_ERROR_CODES } from './model/job-failure.ts';
import type { JobStage } from './model/job-progress.ts';

/**
 * Marks a schema whose members are documented here but checked by `readSubmission`, in the order and with the
 * texts of the contract, and with a superset that the specification does not name.
 */
export const CHECKED_BY_SERVICE = 'x-checked-by-service';

/** @see contracts/seed.txt section 4.1 */
export const ChainId = Type.String({
  minLength: 1,
  maxLength: 20,
  pattern: '^\\d+$',
  description: 'Decimal id of the EVM chain.',
});

/** @see contracts/seed.txt section 4.1 */
export const Address = Type.String({
  minLength: 42,
  maxLength: 42,
  pattern: '(\\b0x[a-fA-F0-9]{40}\\b)',
  description: '20-byte address as 0x-prefixed hex, case insensitive.',
});

/** @see contracts/seed.txt section 4.2 and contracts/verification-api.md section 2.1 */
export const VerificationId = Type.String({
  format: 'uuid',
  minLength: 36,
  maxLength: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
});

/** Path of everything that is about one contract. */
export const ContractParams = Type.Object({ chainId: ChainId, address: Address });

/** Routes without query parameters refuse every one. */
export const NoQuery = Type.Object({}, { additionalProperties: false });

/** @see contracts/verification-api.md section 14 */
export const FollowQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'Maximum number of seconds to hold the response until the job finishes.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** @see contracts/seed.txt section 2.1 */
export const SubmissionRequest = Type.Object(
  {
    stdJsonInput: Type.Object(
      {
        language: Type.Unsafe<string>({ type: 'string', enum: ['Solidity', 'Vyper', 'Fe'] }),
        sources: Type.Record(Type.String(), Type.Object({ content: Type.String() }), {
          description: 'Source files keyed by path, each with content.',
        }),
        settings: Type.Optional(
          Type.Object({}, { additionalProperties: true, description: 'For example an optimizer.' }),
        ),
      },
      {
        additionalProperties: true,
        description: 'Standard JSON input of the compiler. The server sets outputSelection itself.',
        [CHECKED_BY_SERVICE]: true,
      },
    ),
    compilerVersion: Type.String({ pattern: VERSION_PATTERN, [CHECKED_BY_SERVICE]: true }),
    contractIdentifier: Type.String({ description: 'Format path/to/file:ContractName.' }),
    creationTransactionHash: Type.Optional(
      Type.String({
        pattern: '(\\b0x[a-f0-9]{64}\\b)',
        description: 'Hash of the creating transaction, lower-case hex.',
      }),
    ),
  },
  { title: 'SubmissionRequest' },
);

/** @see contracts/verification-api.md section 7.1 */
export const MetadataRequest = Type.Object(
  {
    sources: Type.Record(Type.String(), Type.String(), {
      description: 'Source texts by path. They are matched by their keccak256, so the path does not matter.',
    }),
    metadata: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The metadata of the contract as the compiler printed it.',
      },
    ),
    creationTransactionHash: SubmissionRequest.properties.creationTransactionHash,
  },
  { title: 'MetadataRequest' },
);

/** @see contracts/verification-api.md section 7.2 */
export const SimilarityRequest = Type.Object(
  {
    creationTransactionHash: SubmissionRequest.properties.creationTransactionHash,
  },
  { title: 'SimilarityRequest' },
);

/** @see contracts/verification-api.md section 7.3 */
export const ImportRequest = Type.Object(
  {
    apiKey: Type.Optional(Type.String({ description: 'Key for the explorer.' })),
  },
  { title: 'ImportRequest' },
);

/** @see contracts/seed.txt section 2.1 */
export const SubmissionAccepted = Type.Object(
  { verificationId: Type.String({ format: 'uuid' }) },
  { title: 'SubmissionAccepted' },
);

/** @see contracts/verification-api.md section 2.3 */
export const ErrorBody = Type.Object(
  {
    customCode: Type.Unsafe<string>({
      type: 'string',
      enum: Object.keys(STATUS_OF_CODE),
      description: 'Stable code, for programs.',
    }),
    message: Type.String({ description: 'Human-readable: what is wrong and what is allowed.' }),
    errorId: Type.String({ format: 'uuid', description: 'Also in the log of the server.' }),
  },
  { title: 'VerifyError' },
);

/** A refusal in the form of signature databases. @see docs/adr/0002-reference-apis-first.md */
export const SignatureError = Type.Composite(
  [Type.Object({ ok: Type.Boolean(), error: Type.String() }), ErrorBody],
  { title: 'SignatureError' },
);

const Grade = Type.Unsafe<'exact_match' | 'match' | null>({
  type: ['string', 'null'],
  enum: ['exact_match', 'match', null],
});
const grades = { match: Grade, creationMatch: Grade, runtimeMatch: Grade };
const Time = Type.String({ description: 'UTC, whole seconds: YYYY-MM-DDTHH:MM:SSZ.' });

/** @see contracts/verification-api.md section 5.2 */
export const MinimalContract = Type.Object(
  {
    ...grades,
    chainId: Type.String(),
    address: Type.String(),
    verifiedAt: Time,
    matchId: Type.String({ description: 'Decimal; lists are sorted by it.' }),
  },
  { title: 'ContractMatch' },
);

/** The 404 of a lookup. */
export const UnverifiedContract = Type.Object(
  { ...grades, chainId: Type.String(), address: Type.String() },
  { title: 'UnverifiedContract' },
);

/** @see contracts/verification-api.md section 4 */
export const JobView = Type.Object(
  {
    isJobCompleted: Type.Boolean(),
    verificationId: Type.String({ format: 'uuid' }),
    jobStartTime: Time,
    jobFinishTime: Type.Optional(Time),
    compilationTime: Type.Optional(Type.String({ description: 'Milliseconds, decimal.' })),
    contract: Type.Object({
      ...grades,
      chainId: Type.String(),
      address: Type.String(),
      verifiedAt: Type.Optional(Time),
      matchId: Type.Optional(Type.String()),
    }),
    stage: Type.Optional(
      Type.Unsafe<'queued' | JobStage>({
        type: 'string',
        enum: ['queued', 'fetching', 'compiling', 'matching', 'storing'],
        description: 'Current stage of an unfinished job.',
      }),
    ),
    queuePosition: Type.Optional(Type.Integer({ description: 'While the job waits; 1 is next.' })),
    estimatedWaitSeconds: Type.Optional(
      Type.Integer({ description: 'While the job waits: estimated from the durations of recent jobs.' }),
    ),
    warnings: Type.Optional(
      Type.Unsafe<readonly string[]>(
        Type.Array(Type.String(), { description: 'Warnings for the submitter.' }),
      ),
    ),
    error: Type.Optional(
      Type.Object(
        {
          customCode: Type.Unsafe<string>({
            type: 'string',
            enum: [...JOB_ERROR_CODES],
            description: 'Stable code, for programs.',
          }),
          message: Type.String(),
          errorId: Type.String({ format: 'uuid' }),
          recompiledCreationCode: Type.Optional(Type.String()),
          recompiledRuntimeCode: Type.Optional(Type.String()),
          onchainCreationCode: Type.Optional(Type.String()),
          onchainRuntimeCode: Type.Optional(Type.String()),
          creationTransactionHash: Type.Optional(Type.String()),
          errorData: Type.Optional(Type.Unknown({ description: 'The values in the message.' })),
        },
        { title: 'JobError' },
      ),
    ),
  },
  { title: 'Verification' },
);

/** Sent without a body when the client holds the present answer. */
export const NotModified = Type.Unsafe<undefined>({ type: 'null', description: 'Nothing has changed.' });

/** Lists carry no total and no link: the next page begins after the last `matchId`. */
export const ContractList = Type.Object({ results: Type.Array(MinimalContract) }, { title: 'ContractList' });

/** @see contracts/verification-api.md section 5 */
export const LookupQuery = Type.Object(
  {
    fields: Type.Optional(Type.String({ description: 'Comma-separated fields, or all.' })),
    omit: Type.Optional(Type.String({ description: 'Comma-separated fields to omit from all fields.' })),
  },
  { additionalProperties: false },
);

/** @see contracts/verification-api.md section 6.1 */
export const ListQuery = Type.Object(
  {
    sort: Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 200 }),
    afterMatchId: Type.Optional(Type.String({ pattern: '^\\d{1,20}$' })),
  },
  { additionalProperties: false },
);

/** @see contracts/verification-api.md section 10 */
export const ChainView = Type.Object(
  {
    name: Type.String(),
    title: Type.Optional(Type.String()),
    chainId: Type.Number(),
    rpc: Type.Array(Type.String()),
    traceSupportedRPCs: Type.Array(Type.Object({ type: Type.String(), index: Type.Integer() })),
    supported: Type.Boolean(),
    etherscanAPI: Type.Boolean(),
  },
  { title: 'Chain' },
);

export const CompilerList = Type.Object({
  compilers: Type.Array(
    Type.Object({
      language: Type.Unsafe<'Solidity' | 'Vyper' | 'Fe'>({
        type: 'string',
        enum: ['Solidity', 'Vyper', 'Fe'],
      }),
      compiler: Type.Unsafe<'solc' | 'vyper' | 'fe'>({ type: 'string', enum: ['solc', 'vyper', 'fe'] }),
      version: Type.String({ description: 'With its commit where that is known before it runs.' }),
      kind: Type.Unsafe<'wasm' | 'native'>({
        type: 'string',
        enum: ['wasm', 'native'],
        description: 'WebAssembly or asm.js, or an executable.',
      }),
      availability: Type.Unsafe<'bundled' | 'folder' | 'kept' | 'fetchable'>({
        type: 'string',
        enum: ['bundled', 'folder', 'kept', 'fetchable'],
        description:
          'Part of the installation, in the folder of the operator, kept after it was fetched or added, or fetched ' +
          'when a job needs it.',
      }),
      from: Type.String({ description: 'Where it comes from, as text.' }),
      evmVersions: Type.Unsafe<readonly string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'What `settings.evmVersion` may be, oldest first; null where that is not known.',
      }),
    }),
  ),
});

/** @see contracts/verification-api.md section 11 */
export const VersionView = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    sourcifyServerVersion: Type.String(),
    libSourcifyVersion: Type.String(),
    sourcifyCompilersVersion: Type.String(),
    bytecodeUtilsVersion: Type.String(),
    gitCommitHash: Type.String(),
  },
  { title: 'Version' },
);

export type SubmissionRequest = Static<typeof SubmissionRequest>;
