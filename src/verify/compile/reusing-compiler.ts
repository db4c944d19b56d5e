import { setImmediate } from 'node:timers/promises';
import { type CachedCompileParts, createCachedCompile } from './cached-compile.ts';
import { compilationKey } from './compilation-key.ts';
import type { CompileRequest, Compiler } from './compiler.ts';
import type { CompilerStore, WantedCompiler } from './compiler-store.ts';
import { normaliseVersion } from './compiler-version.ts';
import { createSharedCompile, type SharedCompileParts } from './shared-compile.ts';

const LARGE_CHARACTERS = 1_048_576;

/** What the reuse of compilations takes. */
export interface ReusingCompilerParts
  extends Omit<SharedCompileParts, 'compile'>,
    Omit<CachedCompileParts, 'cache'> {
  readonly language: WantedCompiler['language'];
  readonly store: CompilerStore;
  /** Null: outputs are not kept, requests in flight are shared all the same. */
  readonly cache: CachedCompileParts['cache'] | null;
}

/**
 * Compiles equal requests once: those in flight share one run, later ones get the output that was kept.
 *
 * A request whose compiler is not present goes to the compiler itself, which downloads it or says so.
 */
export function createReusingCompiler(parts: ReusingCompilerParts): Compiler {
  const { cache, compiler } = parts;
  const compile = createSharedCompile({
    ...parts,
    compile:
      cache === null ? (request) => compiler.compile(request) : createCachedCompile({ ...parts, cache }),
  });
  return {
    async compile(request) {
      const key = await keyOf(request, parts);
      return key === null ? compiler.compile(request) : compile(request, key);
    },
  };
}

async function keyOf(
  request: CompileRequest,
  { language, store }: ReusingCompilerParts,
): Promise<string | null> {
  const wanted = { language, version: normaliseVersion(request.version) };
  // A download is waited for once, by the compiler.
  const lookup = await store.find(request.kind === undefined ? wanted : { ...wanted, kind: request.kind }, {
    mayDownload: false,
  });
  if (lookup.kind !== 'found') return null;
  // Naming a large input takes as long as many requests: they have their turn before it.
  if (isLarge(request)) await setImmediate();
  return compilationKey(request, lookup.executable);
}

function isLarge({ input }: CompileRequest): boolean {
  const lengths = Object.values(input.sources).map(({ content }) => content.length);
  return lengths.reduce((sum, length) => sum + length, 0) > LARGE_CHARACTERS;
}
