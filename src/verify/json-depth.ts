/** Storing and passing JSON on is recursive; the deepest member that a compiler knows has about ten levels. */
export const MAX_NESTING = 100;

/** True when objects and arrays are nested deeper than `MAX_NESTING`. */
export function isNestedTooDeep(root: object): boolean {
  let level: readonly object[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((value) => Object.values(value).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
