import type { CompileRequest, Compiler } from '../compiler.ts';
import { normaliseVersion } from '../compiler-version.ts';
import { sourceCharacters } from '../pool/text-pieces.ts';
import type { CompilerStore, WantedCompiler } from '../supply/compiler-store.ts';
import { type CachedCompileParts, createCachedCompile } from './cached-compile.ts';
import { compilationKey, digestTexts } from './compilation-key.ts';
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
  const isLarge = sourceCharacters(request.input) > LARGE_CHARACTERS;
  return compilationKey(request, lookup.executable, isLarge ? await digestTexts(request.input) : undefined);
}
