/** End of a path segment, also for those who undo the escapes of reserved characters or know path parameters. */
const END = '(?:[/;?#]|%2f|%3b|%3f|%23|$)';

/** The paths of an area, by what they begin with; a target is in its canonical form. */
export interface AreaPaths {
  /** Whether the clients of this area read the answer to a request, known path or not. */
  owns(target: string): boolean;
  /** Whether only those who manage this installation may read it: no page of another origin. */
  isManaged(target: string): boolean;
}

/**
 * Paths below some prefixes.
 *
 * @param prefixes without a slash at the end, such as `/api/v1`; `*` stands for an area that takes what no other owns.
 * @param managed those of them that are for management.
 */
export function pathsBelow(prefixes: readonly string[] | '*', managed: readonly string[] = []): AreaPaths {
  const matcher = (list: readonly string[]) => {
    if (list.length === 0) return () => false;
    const pattern = new RegExp(
      `^(?:${list.map((each) => each.replaceAll('.', '\\.')).join('|')})${END}`,
      'i',
    );
    return (target: string) => pattern.test(target);
  };
  return { owns: prefixes === '*' ? () => true : matcher(prefixes), isManaged: matcher(managed) };
}

/** Tells the areas of one listener apart. */
export interface AreasByPath<T> {
  /** Whose clients read the answer to a request, known path or not. @see design/architecture.md section 1, row "Unknown routes" */
  of(target: string): T;
  isManaged(target: string): boolean;
}

/** @param areas in the order of asking; the last one takes what no other owns. */
export function areasByPath<T extends { readonly paths: AreaPaths }>(areas: readonly T[]): AreasByPath<T> {
  const last = areas[areas.length - 1] as T;
  return {
    of: (target) => areas.find(({ paths }) => paths.owns(target)) ?? last,
    isManaged: (target) => areas.some(({ paths }) => paths.isManaged(target)),
  };
}
