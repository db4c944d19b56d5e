import { type TProperties, Type } from '@sinclair/typebox';

/* Bodies and answers in the forms of other verifiers, for readers; routes read and print them by hand. */

const closed = { additionalProperties: false } as const;
const text = (description: string) => Type.String({ description });
const optional = (description: string) => Type.Optional(text(description));
const Match = Type.Unsafe<string>({ type: 'string', enum: ['perfect', 'partial'] });
const Kind = Type.Unsafe<string>({ type: 'string', enum: ['full', 'partial'] });

export const ExactCheck = Type.Array(
  Type.Object(
    {
      address: Type.String(),
      status: Type.Unsafe<string>({ type: 'string', enum: ['perfect', 'false'] }),
      chainIds: Type.Optional(Type.Array(Type.String(), { description: 'Where it is verified.' })),
    },
    { ...closed, title: 'ExactCheck' },
  ),
);

export const FullCheck = Type.Array(
  Type.Object(
    {
      address: Type.String(),
      status: Type.Optional(Type.Literal('false', { description: 'It is verified on none of the chains.' })),
      chainIds: Type.Optional(
        Type.Array(
          Type.Object(
            {
              chainId: Type.String(),
              status: Match,
              isProxy: Type.Optional(
                Type.Boolean({ description: 'With `resolveProxies`, like the members below.' }),
              ),
              proxyType: Type.Optional(Type.Union([Type.String(), Type.Null()])),
              implementations: Type.Optional(
                Type.Array(
                  Type.Object({ address: Type.String(), name: optional('If it is verified.') }, closed),
                ),
              ),
              proxyResolutionError: optional('Why the proxy could not be resolved.'),
            },
            closed,
          ),
        ),
      ),
    },
    { ...closed, title: 'AddressCheck' },
  ),
);

const File = Type.Object(
  { name: text('Last part of the path.'), path: Type.String(), content: Type.String() },
  { ...closed, title: 'RepositoryFile' },
);
export const Files = Type.Array(File);
export const FileTree = Type.Array(text('Path on this server.'));
export const RatedFiles = Type.Object({ status: Kind, files: Files }, { ...closed, title: 'RatedFiles' });
export const RatedTree = Type.Object(
  { status: Kind, files: FileTree },
  { ...closed, title: 'RatedFileTree' },
);

const Addresses = Type.Array(Type.String());
export const BothKinds = Type.Object(
  { full: Addresses, partial: Addresses },
  { ...closed, title: 'VerifiedAddresses' },
);
export const ContractPage = Type.Object(
  {
    results: Addresses,
    pagination: Type.Object(
      {
        currentPage: Type.Integer(),
        totalPages: Type.Integer(),
        resultsPerPage: Type.Integer(),
        resultsCurrentPage: Type.Integer(),
        totalResults: Type.Integer(),
        hasNextPage: Type.Boolean(),
        hasPreviousPage: Type.Boolean(),
      },
      closed,
    ),
  },
  { ...closed, title: 'VerifiedAddressPage' },
);

export const VerifyResult = Type.Object(
  {
    result: Type.Array(
      Type.Object(
        { address: Type.String(), chainId: Type.String(), status: Match, storageTimestamp: Type.String() },
        closed,
      ),
    ),
  },
  { ...closed, title: 'VerifyResult' },
);

export const EtherscanAnswer = Type.Object(
  {
    status: Type.Unsafe<string>({ type: 'string', enum: ['0', '1'], description: '1: done or found.' }),
    message: Type.Unsafe<string>({ type: 'string', enum: ['OK', 'NOTOK', 'No records found'] }),
    result: Type.Unknown({ description: 'The requested data, or the reason for the refusal.' }),
    customCode: Type.Optional(text('Code of a refusal or a failure, as in version 2.')),
    reason: Type.Optional(text('Why a verification failed; `result` has the text that clients compare.')),
    errorId: Type.Optional(text('Of a refusal; also in the log.')),
  },
  { ...closed, title: 'EtherscanAnswer' },
);

const target: TProperties = {
  address: text('Of the contract.'),
  chain: text('Decimal chain id.'),
  creatorTxHash: optional('Hash of the creating transaction.'),
};
const files = Type.Record(Type.String(), Type.String(), {
  description: 'Source texts by path. In a form: parts with a file name.',
});
const compilerVersion = text('For example v0.8.30+commit.73712a01.');

export const FilesForm = Type.Object(
  {
    ...target,
    files,
    chosenContract: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], {
        description: 'Index of the metadata if there are several, starting at 0.',
      }),
    ),
  },
  { title: 'FilesForm' },
);
export const SolcJsonForm = Type.Object(
  { ...target, files, compilerVersion, contractName: text('ContractName, or path/to/file:ContractName.') },
  { title: 'SolcJsonForm' },
);
export const VyperForm = Type.Object(
  {
    ...target,
    files,
    compilerVersion,
    contractPath: text('File of the contract.'),
    contractName: Type.String(),
    compilerSettings: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { title: 'VyperForm' },
);

export const EtherscanForm = Type.Object(
  {
    module: text('contract'),
    action: text('For example verifysourcecode.'),
    chainid: optional('Decimal; may be left out where there is one chain.'),
    contractaddress: optional('Of the contract to verify.'),
    sourceCode: optional('Standard JSON input or source text.'),
    codeformat: optional('solidity-standard-json-input, solidity-single-file or vyper-json.'),
    contractname: optional('path/to/file:ContractName.'),
    compilerversion: optional('For example v0.8.30+commit.73712a01.'),
    constructorArguements: optional('Hex; spelled as in the original.'),
    guid: optional('Receipt of a submission.'),
    address: optional('Of the requested contract.'),
  },
  { additionalProperties: true, title: 'EtherscanForm' },
);
