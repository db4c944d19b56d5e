import type { CompileStep } from '../compile-steps.ts';
import type { CompileRequest, ResolvedCompiler } from '../compiler.ts';
import type { CompilerCatalog, CompilerLanguage } from '../compiler-catalog.ts';
import { normaliseVersion } from '../compiler-version.ts';
import { sourceCharacters } from '../pool/text-pieces.ts';
import { compilationKey, digestTexts } from './compilation-key.ts';

const LARGE_CHARACTERS = 1_048_576;

/**
 * Finds the compiler that a request means, and names the compilation.
 *
 * A request whose compiler is not present passes as it is: the compiler itself downloads it, once, or says so.
 */
export function resolveCompiler(catalog: CompilerCatalog, language: CompilerLanguage): CompileStep {
  return (next) => async (request) => {
    const resolved = await resolve(request, language, catalog);
    return next(resolved === null ? request : { ...request, resolved });
  };
}

async function resolve(
  request: CompileRequest,
  language: CompilerLanguage,
  catalog: CompilerCatalog,
): Promise<ResolvedCompiler | null> {
  const wanted = { language, version: normaliseVersion(request.version) };
  const lookup = await catalog.find(request.kind === undefined ? wanted : { ...wanted, kind: request.kind }, {
    mayDownload: false,
  });
  if (lookup.kind !== 'found') return null;
  const { executable } = lookup;
  const isLarge = sourceCharacters(request.input) > LARGE_CHARACTERS;
  const digests = isLarge ? await digestTexts(request.input) : undefined;
  return { executable, key: compilationKey(request, executable, digests) };
}
