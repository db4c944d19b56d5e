import { JsonText, NumberText } from '../../http/answers/json-pieces.ts';
import { type Hex, toHex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import { largeRunsOf } from '../exact-runs.ts';
import type { JsonObject } from '../json-object.ts';
import { overallMatch } from '../match/compiled-code.ts';
import type { SignatureType } from '../signatures.ts';
import type {
  ContractMatch,
  ContractSummary,
  StoredCode,
  StoredContract,
} from './contract-repository.sql.ts';

/** The minimal record. @see contracts/verification-api.md section 5.2 */
export function viewMatch(match: ContractMatch) {
  return {
    match: overallMatch(match.creation, match.runtime),
    creationMatch: match.creation,
    runtimeMatch: match.runtime,
    chainId: match.chainId,
    address: checksumAddress(match.address),
    verifiedAt: printApiTime(match.verifiedAt),
    matchId: String(match.matchId),
  };
}

/** The 404 body of a lookup: exactly five members, which clients depend on. */
export function viewUnverified(chainId: string, address: Hex) {
  return {
    match: null,
    creationMatch: null,
    runtimeMatch: null,
    chainId,
    address: checksumAddress(address),
  };
}

/**
 * Every field that a lookup can ask for, keyed as in the API; what takes long to make is made when it is read.
 *
 * @see contracts/verification-api.md sections 5.3 and 5.4
 */
export function viewContract(contract: StoredContract, proxyResolution: object | null = null): JsonObject {
  const { creation, runtime, compilation, sources, metadata } = contract;
  const settings = viewSettings(compilation.settings);
  const artifact = (name: string) => viewArtifact(contract, name);
  return {
    ...viewSummary(contract),
    get creationBytecode() {
      return viewCode(creation);
    },
    get runtimeBytecode() {
      return {
        ...viewCode(runtime),
        immutableReferences: viewArtifact(runtime, 'immutableReferences'),
      };
    },
    sources,
    get abi() {
      return artifact('abi');
    },
    metadata: metadata === null ? null : new JsonText(metadata),
    get storageLayout() {
      return artifact('storageLayout');
    },
    get transientStorageLayout() {
      return artifact('transientStorageLayout');
    },
    get userdoc() {
      return artifact('userdoc');
    },
    get devdoc() {
      return artifact('devdoc');
    },
    get sourceIds() {
      return artifact('sources');
    },
    stdJsonInput: {
      language: compilation.language,
      sources,
      settings,
      ...contract.inputMembers,
    },
    get stdJsonOutput() {
      return viewOutput(contract);
    },
    get signatures() {
      return viewSignatures(contract);
    },
    proxyResolution,
  };
}

/** The fields of a lookup that need nothing long. */
export function viewSummary({
  compilation,
  deployment,
}: Pick<ContractSummary, 'compilation' | 'deployment'>) {
  return {
    deployment: {
      transactionHash: deployment.transactionHash,
      blockNumber: printInteger(deployment.blockNumber),
      transactionIndex: printInteger(deployment.transactionIndex),
      deployer: deployment.deployer === null ? null : checksumAddress(deployment.deployer),
    },
    compilation: {
      language: compilation.language,
      compiler: compilation.compiler,
      compilerVersion: compilation.compilerVersion,
      compilerSettings: viewSettings(compilation.settings),
      name: compilation.name,
      fullyQualifiedName: compilation.fullyQualifiedName,
    },
  };
}

/** As it is stored: long ones are neither parsed nor printed again. */
function viewArtifact({ artifacts }: Pick<StoredCode, 'artifacts'>, name: string): JsonText | null {
  const text = artifacts.text(name);
  return text === null ? null : new JsonText(text);
}

function viewCode(code: StoredCode) {
  const { onchain, recompiled, transformations, values } = code;
  return {
    onchainBytecode: onchain === null ? null : toHex(onchain),
    recompiledBytecode: toHex(recompiled),
    sourceMap: viewArtifact(code, 'sourceMap'),
    linkReferences: viewArtifact(code, 'linkReferences'),
    cborAuxdata: viewArtifact(code, 'cborAuxdata'),
    transformations,
    transformationValues: values,
  };
}

/** The compiler's answer for this one contract, rebuilt from what is stored. */
function viewOutput(contract: StoredContract) {
  const { creation, runtime, metadata, compilation } = contract;
  const artifact = (name: string) => viewArtifact(contract, name);
  const { name, fullyQualifiedName } = compilation;
  const path = fullyQualifiedName.slice(0, -(name.length + 1));
  const code = (side: StoredCode) => ({
    object: toHex(side.recompiled).slice(2),
    sourceMap: viewArtifact(side, 'sourceMap'),
    linkReferences: viewArtifact(side, 'linkReferences'),
  });
  const output = {
    abi: artifact('abi'),
    metadata,
    userdoc: artifact('userdoc'),
    devdoc: artifact('devdoc'),
    storageLayout: artifact('storageLayout'),
    transientStorageLayout: artifact('transientStorageLayout'),
    evm: {
      bytecode: code(creation),
      deployedBytecode: {
        ...code(runtime),
        immutableReferences: viewArtifact(runtime, 'immutableReferences'),
      },
    },
  };
  return {
    sources: artifact('sources'),
    contracts: Object.fromEntries([[path, { [name]: output }]]),
  };
}

function viewSignatures({ signatures }: StoredContract) {
  const ofType = (type: SignatureType) =>
    signatures
      .filter((each) => each.type === type)
      .map(({ signature, hash }) => ({
        signature,
        signatureHash32: `0x${hash}`,
        signatureHash4: `0x${hash.slice(0, 8)}`,
      }));
  return { function: ofType('function'), event: ofType('event'), error: ofType('error') };
}

function printInteger(value: bigint | null): string | null {
  return value === null ? null : String(value);
}

/** Settings as answers print them: all `runs` of the optimizer are a number. */
export function viewSettings(settings: JsonObject): JsonObject {
  const runs = largeRunsOf(settings);
  if (runs === null) return settings;
  return { ...settings, optimizer: { ...(settings['optimizer'] as object), runs: new NumberText(runs) } };
}
