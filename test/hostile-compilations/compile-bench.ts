import { systemClock } from '../../src/values/clock.ts';
import { assembleCompilers } from '../../src/verify/compile/assemble-compilers.ts';
import type { Compilation, OutputScope } from '../../src/verify/compile/compiler.ts';
import { CompilerPool } from '../../src/verify/compile/pool/compiler-pool.ts';
import { selectOutput } from '../../src/verify/compile/solidity/solidity-compiler.ts';
import type { HostileContract } from './hostile-contracts.ts';

/** The compiler gave no code for a contract. */
export class CompilerRefusal extends Error {}

/** Compilers of the product, driven without a job around them. */
export interface CompileBench {
  /** The full version, null when there is no such compiler. */
  resolve(version: string): Promise<string | null>;
  /** @throws CompilerRefusal */
  compile(contract: HostileContract, version: string, scope?: OutputScope): Promise<Compilation>;
  close(): Promise<void>;
}

/**
 * @param cacheFolder for compilers that were fetched; null for a temporary one.
 * @param usesRegistry whether compilers that are not installed come from the registry that npm is configured for.
 */
export function openCompileBench(usesRegistry: boolean, cacheFolder: string | null = null): CompileBench {
  const pool = new CompilerPool({ workers: 1, memoryLimitMiB: 1024 });
  const { catalog, close } = assembleCompilers({
    pool,
    fetch,
    clock: systemClock,
    environment: process.env,
    options: {
      compilerDir: null,
      compilerCacheDir: cacheFolder,
      compilerListUrl: null,
      compilerRegistry: usesRegistry,
      compilerMemoryMiB: 1024,
    },
    observer: { fetched: () => {}, failed: () => {} },
  });
  const find = async (version: string) => {
    const found = await catalog.find({ language: 'solc', version, kind: 'wasm' }, { patienceMs: 60_000 });
    return found.kind === 'found' ? found.executable : null;
  };
  return {
    resolve: async (version) => (await find(version))?.version ?? null,
    async compile({ input, target }, version, scope = 'target') {
      const executable = await find(version);
      if (executable === null) throw new Error(`There is no solc ${version}`);
      const task = { input: selectOutput(input, target, scope), target };
      const limits = { timeoutMs: 120_000, signal: new AbortController().signal };
      let result = await pool.run(executable, task, limits);
      // On a busy machine a compiler may not be loaded in time.
      for (let again = 0; result.kind === 'crashed' && again < 3; again++)
        result = await pool.run(executable, task, limits);
      if (result.kind !== 'result' || result.output.kind !== 'contract') {
        throw new CompilerRefusal(
          `solc ${version} refused ${target.name}: ${JSON.stringify(result).slice(0, 1000)}`,
        );
      }
      const compiler = { language: input.language, version: executable.version };
      return { ...result.output.contract, compiler, compilerName: 'solc', target, input };
    },
    async close() {
      await pool.close();
      await close();
    },
  };
}
