import { namesInSource } from '../../names-in-source.ts';
import type { CompilationTarget, StandardJson } from '../../standard-json.ts';

const MAX_CANDIDATES = 5;
/** What is not this close to the target is not named. */
const RANKS = 5;

/** The outcome of a compilation that gave no such contract, with what the submitter may have meant. */
export function contractMissing(input: StandardJson, target: CompilationTarget) {
  return { kind: 'contract_missing', candidates: contractCandidates(input, target) } as const;
}

/**
 * Contracts of the input with the wanted name or in a file of the wanted name, as far as texts tell; the likeliest first.
 *
 * @returns at most five, as `path:Name`.
 * @see contracts/verification-engine.md section 2.3
 */
function contractCandidates(input: StandardJson, target: CompilationTarget): readonly string[] {
  const ranked = Object.entries(input.sources).flatMap(([path, { content }]) =>
    namesInSource(path, content, input.language).map((name) => ({
      path,
      name,
      rank: rankOf({ path, name }, target),
    })),
  );
  const listed = ranked
    .filter(({ path, name, rank }) => rank < RANKS && !(path === target.path && name === target.name))
    .sort((left, right) => left.rank - right.rank)
    .map(({ path, name }) => `${path}:${name}`);
  return [...new Set(listed)].slice(0, MAX_CANDIDATES);
}

function rankOf({ path, name }: CompilationTarget, target: CompilationTarget): number {
  const isSamePath = plain(path) === plain(target.path);
  const isSameFile = fileOf(path) === fileOf(target.path);
  if (name === target.name) return isSamePath ? 0 : isSameFile ? 1 : 2;
  return isSamePath ? 3 : isSameFile ? 4 : RANKS;
}

/** Without what tools write differently. */
function plain(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .toLowerCase();
}

function fileOf(path: string): string {
  return plain(path).split('/').at(-1) ?? '';
}
