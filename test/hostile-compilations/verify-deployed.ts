import type { Hex } from '../../src/values/hex.ts';
import type { ContractCodeSource, ContractCreation } from '../../src/verify/chain/contract-code-source.ts';
import type { Compilation, Compiler } from '../../src/verify/compile/compiler.ts';
import { runVerification } from '../../src/verify/jobs/run-verification.ts';
import type { CodeSide } from '../../src/verify/match/auxdata/auxdata-positions.ts';
import type { MatchGrade } from '../../src/verify/match/compiled-code.ts';
import type { StandardJson } from '../../src/verify/standard-json.ts';
import type { HostileContract } from './hostile-contracts.ts';

/** What the chain holds; creation is null when nobody knows it. */
export interface Deployed {
  readonly creation: Uint8Array | null;
  readonly runtime: Uint8Array;
  readonly life: ContractCreation['life'];
}

const fault = (error: unknown) => {
  throw error;
};
const nothing = async () => null;

/** Runs a whole job with a chain and compilations that are at hand, and gives its grades. */
export async function verifyDeployed(
  { creation, runtime, life }: Deployed,
  address: Hex,
  { input, target }: HostileContract,
  compilerVersion: string,
  compilationOf: (input: StandardJson) => Compilation,
): Promise<Readonly<Record<CodeSide, MatchGrade | null>>> {
  const transaction = { transactionHash: null, blockNumber: null, transactionIndex: null, deployer: null };
  const chain: ContractCodeSource = {
    runtimeCode: async () => runtime,
    creation: async () => (creation === null ? null : { creationCode: creation, life, ...transaction }),
  };
  const compiler: Compiler = {
    compile: async (request) => ({
      kind: 'compiled',
      compilation: compilationOf(request.input),
      milliseconds: 0,
    }),
  };
  const result = await runVerification(
    chain,
    address,
    { kind: 'standard_json', input, target, compilerVersion, creationTransactionHash: null },
    {
      compilers: { Solidity: compiler, Yul: compiler, Vyper: compiler, Fe: compiler },
      search: { findOriginal: nothing, findFiles: nothing },
      gateway: null,
      candidates: { find: async () => [], read: fault },
      compileTimeoutMs: 60_000,
      creationReadMs: 60_000,
      creationSearchMs: 60_000,
      onCodeUnavailable: fault,
      onCreationUnavailable: fault,
    },
    { signal: new AbortController().signal, enter: () => {}, warn: () => {} },
  );
  const matches = result.kind === 'matched' ? result.matches : { creation: null, runtime: null };
  return { creation: matches.creation?.grade ?? null, runtime: matches.runtime?.grade ?? null };
}
