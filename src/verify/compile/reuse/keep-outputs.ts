import type { CompileStep } from '../compile-steps.ts';
import type { Compilation } from '../compiler.ts';
import type { KeptOutput, OutputCache } from './output-cache.ts';

/** What keeping outputs takes. */
export interface KeepOutputsParts {
  /** Null: nothing is kept. */
  readonly cache: OutputCache | null;
  /** Told when an output was answered from the cache. */
  readonly onHit: () => void;
  /** Told when the cache could not be read or written; compiling continues without it. */
  readonly onFault: (error: unknown) => void;
}

/** More code than any network takes would be read and written in one turn. */
const MAX_KEPT_DIGITS = 1_048_576;

function codeDigits({ creation, runtime }: Pick<Compilation, 'creation' | 'runtime'>): number {
  return creation.object.length + runtime.object.length;
}

/**
 * Compiles only what is not kept. Outputs are kept when they are a success; the caller does not wait for it.
 *
 * A kept output has the time of the run that made it and says that it comes from the cache.
 */
export function keepOutputs({ cache, onHit, onFault }: KeepOutputsParts): CompileStep {
  if (cache === null) return (next) => next;
  /** Known already, not on disk yet. */
  const writing = new Map<string, KeptOutput>();

  /** Contracts of one source come one after the other. */
  let latest: { readonly key: string; readonly output: KeptOutput } | null = null;

  const read = async (key: string): Promise<KeptOutput | null> => {
    if (latest?.key === key) return latest.output;
    try {
      const output = writing.get(key) ?? (await cache.read(key));
      if (output !== null) latest = { key, output };
      return output;
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

  return (next) => async (request) => {
    const key = request.resolved?.key ?? null;
    if (key === null) return next(request);
    const kept = await read(key);
    if (kept !== null) {
      onHit();
      const { compilation, milliseconds } = kept;
      const { input } = request;
      return { kind: 'compiled', compilation: { ...compilation, input }, milliseconds, isKept: true };
    }
    const outcome = await next(request);
    if (outcome.kind === 'compiled' && codeDigits(outcome.compilation) <= MAX_KEPT_DIGITS) {
      const { input: _, ...compilation } = outcome.compilation;
      void keep(key, { compilation, milliseconds: outcome.milliseconds });
    }
    return outcome;
  };
}
