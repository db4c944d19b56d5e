import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { ErrorBody, MinimalContract } from './schemas.ts';

/*
 * What compilers and matches make of a contract, for readers: routes send it as it was stored, so nothing here takes
 * part in printing.
 */

const closed = { additionalProperties: false } as const;
const open = (description: string) => Type.Object({}, { additionalProperties: true, description });
const text = (description: string) => Type.String({ description });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const list = (description: string) => Type.Array(Type.Unknown(), { description });

const code: TProperties = {
  onchainBytecode: orNull(text('Code on chain.')),
  recompiledBytecode: text('Recompiled code.'),
  sourceMap: orNull(text('As the compiler printed it.')),
  linkReferences: orNull(open('Positions of library addresses by file and library.')),
  cborAuxdata: orNull(open('Positions and values of the metadata sections.')),
  transformations: orNull(list('Allowed differences between both codes, in order.')),
  transformationValues: orNull(open('Values in the code on chain at these positions.')),
};
const CreationCode = Type.Object(code, { ...closed, title: 'CreationCode' });
const RuntimeCode = Type.Object(
  { ...code, immutableReferences: orNull(open('Positions of immutable values.')) },
  { ...closed, title: 'RuntimeCode' },
);

const Deployment = Type.Object(
  {
    transactionHash: orNull(text('Of the creating transaction.')),
    blockNumber: orNull(text('Decimal.')),
    transactionIndex: orNull(text('Decimal.')),
    deployer: orNull(text('Address of the sender.')),
  },
  { ...closed, title: 'Deployment' },
);

const Compilation = Type.Object(
  {
    language: text('Solidity or Vyper.'),
    compiler: text('solc or vyper.'),
    compilerVersion: text('With its commit.'),
    compilerSettings: open('As submitted, without outputSelection.'),
    name: text('Of the contract.'),
    fullyQualifiedName: text('path/to/file:ContractName.'),
  },
  { ...closed, title: 'Compilation' },
);

const Signatures = Type.Array(
  Type.Object(
    {
      signature: text('For example transfer(address,uint256).'),
      signatureHash32: text('Its keccak256.'),
      signatureHash4: text('The first four bytes of the hash.'),
    },
    { ...closed, title: 'Signature' },
  ),
);

const ProxyResolution = Type.Object(
  {
    isProxy: Type.Boolean(),
    proxyType: orNull(text('Kind of proxy, for example EIP1967Proxy.')),
    implementations: Type.Array(
      Type.Object(
        {
          address: Type.String(),
          name: Type.Optional(text('If the implementation is verified on the same chain.')),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'ProxyResolution' },
);

const ProxyFailure = Type.Object(
  {
    proxyResolutionError: Type.Object(
      {
        customCode: Type.Literal('proxy_resolution_error'),
        message: ErrorBody.properties.message,
        errorId: ErrorBody.properties.errorId,
      },
      closed,
    ),
  },
  { ...closed, title: 'ProxyFailure' },
);

const SourceFiles = Type.Record(Type.String(), Type.Object({ content: Type.String() }), {
  description: 'Sources by path.',
});

/** What `fields` and `omit` can name. @see contracts/verification-api.md section 5.3 */
const BY_FIELD = {
  creationBytecode: CreationCode,
  runtimeBytecode: RuntimeCode,
  deployment: Deployment,
  sources: SourceFiles,
  compilation: Compilation,
  abi: orNull(list('As the compiler printed it.')),
  metadata: orNull(open('As the compiler printed it, parsed.')),
  storageLayout: orNull(open('As the compiler printed it.')),
  transientStorageLayout: orNull(open('As the compiler printed it.')),
  userdoc: orNull(open('As the compiler printed it.')),
  devdoc: orNull(open('As the compiler printed it.')),
  sourceIds: orNull(open('Index of each source in source maps.')),
  stdJsonInput: open('Input that compiles the contract again.'),
  stdJsonOutput: open("The compiler's answer for this contract."),
  signatures: Type.Object({ function: Signatures, event: Signatures, error: Signatures }, closed),
  proxyResolution: Type.Union([ProxyResolution, ProxyFailure]),
} satisfies TProperties;

/** Fields with their sub-fields; an empty list has none. */
export const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<TSchema>(BY_FIELD).map(([field, { properties = {} }]) => [field, Object.keys(properties)]),
);

const optional = (schemaOf: (schema: TSchema) => TSchema): TProperties =>
  Object.fromEntries(
    Object.entries(BY_FIELD).map(([field, schema]) => [field, Type.Optional(schemaOf(schema))]),
  );

/** As routes print it: the content of the fields is the compiler's. */
export const ContractRecord = Type.Composite([MinimalContract, Type.Object(optional(() => Type.Unknown()))]);

/** A verified contract with everything that `fields` can bring, for readers. */
export const ContractWithFields = Type.Object(
  { ...MinimalContract.properties, ...optional((schema) => schema) },
  { ...closed, title: 'Contract' },
);
