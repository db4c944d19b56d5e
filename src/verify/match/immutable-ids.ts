import type { ImmutableReferences } from './compiled-code.ts';
import type { SideMatch } from './match-runtime.ts';

/**
 * Names the immutables of a match as another compilation of the same code does.
 *
 * The ids are numbers of the syntax tree, which depend on all files of an input, also on unrelated ones.
 *
 * @param references of the compilation that counts.
 * @returns the match as it is when the references do not tell each of its immutables.
 * @see contracts/verification-engine.md section 8
 */
export function withImmutableIdsOf(match: SideMatch, references: ImmutableReferences): SideMatch {
  const idAt = new Map(
    Object.entries(references).flatMap(([id, ranges]) => ranges.map(({ start }) => [start, id] as const)),
  );
  const renamed = new Map<string, string>();
  for (const { reason, type, offset, id } of match.transformations) {
    if (reason !== 'immutable' || type !== 'replace' || id === undefined) continue;
    const other = idAt.get(offset);
    if (other === undefined || (renamed.get(id) ?? other) !== other) return match;
    renamed.set(id, other);
  }
  // Two immutables may hold different values, which one id could not.
  if (new Set(renamed.values()).size < renamed.size) return match;
  if ([...renamed].every(([id, other]) => id === other)) return match;
  const { immutables = {} } = match.values;
  return {
    ...match,
    transformations: match.transformations.map((each) =>
      each.reason === 'immutable' && each.id !== undefined
        ? { ...each, id: renamed.get(each.id) ?? each.id }
        : each,
    ),
    values: {
      ...match.values,
      immutables: Object.fromEntries(
        Object.entries(immutables).map(([id, value]) => [renamed.get(id) ?? id, value]),
      ),
    },
  };
}
