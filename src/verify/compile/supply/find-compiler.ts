import { shorten } from '../../errors.ts';
import { failure, type JobFailure } from '../../model/job-failure.ts';
import type { CompileRequest } from '../compiler.ts';
import type { CompilerCatalog, CompilerExecutable, WantedCompiler } from '../compiler-catalog.ts';

/** A compiler that may be run, or the failure that a job without it ends with. */
type FoundCompiler =
  | { readonly kind: 'found'; readonly executable: CompilerExecutable }
  | { readonly kind: 'missing'; readonly failure: JobFailure };

/**
 * The compiler that the request was resolved to; otherwise that of the catalog, which may download it and, of languages
 * other than Solidity, take another build of the version. The failure names the places that were looked at.
 *
 * @throws the reason of the signal when that fires first.
 */
export async function findCompiler(
  catalog: CompilerCatalog,
  wanted: WantedCompiler,
  { timeoutMs, signal, resolved }: CompileRequest,
): Promise<FoundCompiler> {
  if (resolved !== undefined) return { kind: 'found', executable: resolved.executable };
  // Released builds of solc have one commit each. Others are what an operator installed.
  const maySubstitute = wanted.language !== 'solc';
  const lookup = await catalog.find(wanted, { patienceMs: timeoutMs, signal, maySubstitute });
  if (lookup.kind === 'found') return lookup;
  const places = lookup.lookedIn.join('; ');
  const { language, version } = wanted;
  const remedy = remedyFor(wanted);
  const compilerErrorMessage = `No compiler ${language} ${shorten(version)} was found${remedy}. Looked in: ${places}.`;
  return { kind: 'missing', failure: failure('compiler_error', { compilerErrorMessage }) };
}

/** Only solc can be downloaded, and only by a version that it may have. */
function remedyFor({ language, version }: WantedCompiler): string {
  if (language !== 'solc')
    return '; the operator of this server must add its executable with "ledgerlens compilers add FILE"';
  return /^\d+\.\d+\.\d+(\+commit\.[0-9a-f]{8})?$/.test(version)
    ? `; the operator of this server can fetch it with "ledgerlens compilers fetch ${version}"`
    : '';
}
