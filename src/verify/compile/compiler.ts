import type { AssemblyAuxdata } from '../match/auxdata/assembly-auxdata.ts';
import type {
  CodeTraits,
  CompilerIdentity,
  ImmutableReferences,
  LinkReferences,
} from '../match/compiled-code.ts';
import type { JobFailure } from '../model/job-failure.ts';
import type { CompilationTarget, StandardJson } from '../standard-json.ts';
import type { CompilerExecutable, CompilerKind } from './compiler-catalog.ts';

/** Whether only the target contract is asked for, or everything (engine document section 2.1). */
export type OutputScope = 'target' | 'all';

/** One run of a compiler. */
export interface CompileRequest {
  readonly input: StandardJson;
  /** As submitted, without `v`; a short version such as `0.8.30` means the released build. */
  readonly version: string;
  readonly target: CompilationTarget;
  readonly scope: OutputScope;
  /** Which build of the compiler to use; absent: what the catalog prefers. */
  readonly kind?: CompilerKind;
  /** The run is ended after this many milliseconds. */
  readonly timeoutMs: number;
  /** Ends the run before its time; it then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** Set on the way when the compiler is present; absent: it is still to be looked for, and perhaps downloaded. */
  readonly resolved?: ResolvedCompiler;
}

/** The compiler that a request means, and the name of its compilation. */
export interface ResolvedCompiler {
  readonly executable: CompilerExecutable;
  /** Equal for equal compilations; null when equal requests may have different outcomes. */
  readonly key: string | null;
}

/** One code of a contract as the compiler gave it. */
export interface CompiledObject {
  /** Hex, with or without 0x, with library placeholders; empty when the compiler gave none. */
  readonly object: string;
  /** Null when the compiler gave none; an object for Vyper from 0.4. */
  readonly sourceMap: unknown;
  /** Null for languages without libraries. */
  readonly linkReferences: LinkReferences | null;
}

/** The target contract with everything that is stored about it. Members are null where the compiler gave none. */
export interface Compilation {
  readonly compiler: CompilerIdentity;
  readonly compilerName: 'solc' | 'vyper' | 'fe';
  /** Which build of the compiler was used; absent when nobody ran one. */
  readonly compilerKind?: CompilerKind;
  /** What the compiler was asked for; absent when nobody ran one. */
  readonly scope?: OutputScope;
  readonly target: CompilationTarget;
  readonly input: StandardJson;
  readonly creation: CompiledObject;
  readonly runtime: CompiledObject & { readonly immutableReferences: ImmutableReferences | null };
  /** Bytes of immutables appended to the runtime code, as the IR of old Vyper or an EOF header tells; absent elsewhere. */
  readonly immutableTailBytes?: number;
  /** Absent for other languages than Solidity. */
  readonly traits?: CodeTraits;
  readonly abi: unknown;
  readonly userdoc: unknown;
  readonly devdoc: unknown;
  readonly storageLayout: unknown;
  readonly transientStorageLayout: unknown;
  /** Metadata text exactly as printed by the compiler. */
  readonly metadata: string | null;
  readonly sourceIds: Readonly<Record<string, { readonly id: number }>> | null;
  /** Empty when the compiler gave no assembly. */
  readonly assembly: readonly AssemblyAuxdata[];
  /** Names of what the compiler gave and nobody keeps, because it is too large for these sources; absent: nothing. */
  readonly leftOut?: readonly string[];
  /** keccak256 of each source, hex without 0x. */
  readonly sourceHashes: Readonly<Record<string, string>>;
}

/** The end of one run; both kinds say how long the compiler worked. */
export type CompileOutcome =
  | {
      readonly kind: 'compiled';
      readonly compilation: Compilation;
      readonly milliseconds: number;
      /** The output of an earlier run; `milliseconds` is what that one took. Absent when the compiler ran. */
      readonly isKept?: true;
    }
  | { readonly kind: 'failed'; readonly failure: JobFailure; readonly milliseconds: number };

/** Compiles one language. Expected faults are outcomes; anything thrown is a fault of the server. */
export interface Compiler {
  compile(request: CompileRequest): Promise<CompileOutcome>;
}
