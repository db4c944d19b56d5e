import type { Compiler } from '../compiler.ts';
import type { KeyedCompile } from './keyed-compile.ts';
import type { KeptOutput, OutputCache } from './output-cache.ts';

/** What keeping outputs takes. */
export interface CachedCompileParts {
  readonly cache: OutputCache;
  readonly compiler: Compiler;
  /** Told when an output was answered from the cache. */
  readonly onHit: () => void;
  /** Told when the cache could not be read or written; compiling goes on without it. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Compiles only what is not kept. Outputs are kept when they are a success; the caller does not wait for it.
 *
 * A kept output has the time of the run that made it and says that it comes from the cache.
 */
export function createCachedCompile({ cache, compiler, onHit, onFault }: CachedCompileParts): KeyedCompile {
  /** Known already, not on disk yet. */
  const writing = new Map<string, KeptOutput>();

  const read = async (key: string): Promise<KeptOutput | null> => {
    try {
      return writing.get(key) ?? (await cache.read(key));
    } catch (error) {
      onFault(error);
      return null;
    }
  };
  const keep = async (key: string, output: KeptOutput): Promise<void> => {
    writing.set(key, output);
    try {
      await cache.write(key, output);
    } catch (error) {
      onFault(error);
    } finally {
      writing.delete(key);
    }
  };

  return async (request, key) => {
    const kept = await read(key);
    if (kept !== null) {
      onHit();
      const { compilation, milliseconds } = kept;
      const { input } = request;
      return { kind: 'compiled', compilation: { ...compilation, input }, milliseconds, isKept: true };
    }
    const outcome = await compiler.compile(request);
    if (outcome.kind === 'compiled') {
      const { input: _, ...compilation } = outcome.compilation;
      void keep(key, { compilation, milliseconds: outcome.milliseconds });
    }
    return outcome;
  };
}
