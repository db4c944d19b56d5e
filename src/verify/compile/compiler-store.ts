import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** A compiler that is present cannot be started. */
export class CompilerStartError extends LedgerlensError {
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('compiler_start', `The compiler ${path} cannot be started: ${reason}`, {
      details: { path },
      cause,
    });
  }
}

/** `wasm`: a soljson file, WebAssembly or asm.js. `native`: an executable of this platform. */
export type CompilerKind = 'wasm' | 'native';

/** A compiler that is present and may be run. */
export interface CompilerExecutable {
  /** `wasm` runs in a worker thread, `native` as a child process. */
  readonly kind: CompilerKind;
  readonly path: string;
  /** SHA-256 that the bytes must have when they are loaded, hex; null for packages checked at installation. */
  readonly sha256: string | null;
  /** Full version such as `0.8.30+commit.73712a01`. */
  readonly version: string;
}

/** One place where compilers may come from. */
export interface CompilerSource {
  /** For messages: where this source looks. */
  readonly description: string;
  /** @returns null when this source has no such compiler. */
  find(wanted: WantedCompiler): Promise<CompilerExecutable | null>;
  /** Full or short versions that are present, for the operator's list. */
  list(): Promise<readonly ListedCompiler[]>;
}

export interface WantedCompiler {
  readonly language: 'solc' | 'vyper' | 'fe';
  /** Full version, or three numbers for the released build. */
  readonly version: string;
}

export interface ListedCompiler extends WantedCompiler {
  readonly kind: CompilerKind;
  readonly path: string;
  readonly source: string;
}

export type CompilerLookup =
  | { readonly kind: 'found'; readonly executable: CompilerExecutable }
  | { readonly kind: 'missing'; readonly lookedIn: readonly string[] };

/** All compilers that the server may run. */
export interface CompilerStore {
  /** @throws CompilerStartError when a compiler must be asked for its version and does not start. */
  find(wanted: WantedCompiler): Promise<CompilerLookup>;
  list(): Promise<readonly ListedCompiler[]>;
}

/**
 * Asks sources in order and remembers what was found; what is missing is asked again each time, so that a
 * compiler put into place later is seen.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createCompilerStore(sources: readonly CompilerSource[]): CompilerStore {
  const found = new Map<string, CompilerExecutable>();
  return {
    async find(wanted) {
      const key = `${wanted.language}/${wanted.version}`;
      const known = found.get(key);
      if (known !== undefined) return { kind: 'found', executable: known };
      for (const source of sources) {
        const executable = await source.find(wanted);
        if (executable === null) continue;
        found.set(key, executable);
        return { kind: 'found', executable };
      }
      return { kind: 'missing', lookedIn: sources.map(({ description }) => description) };
    },
    async list() {
      const lists = await Promise.all(sources.map((source) => source.list()));
      return lists.flat();
    },
  };
}
