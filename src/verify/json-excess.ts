/** Storing and passing JSON on is recursive; the deepest member that a compiler knows has about ten levels. */
const MAX_NESTING = 100;
/**
 * Compiler input is text in few containers: a thousand sources have some thousand members. What is within this bound can
 * also be read, and copied from one thread to another, in a few milliseconds.
 */
export const MAX_MEMBERS = 50_000;

/** What of a value is too much, as the end of "… must NOT"; null when nothing is. */
export function findExcess(root: object): string | null {
  let level: readonly object[] = [root];
  let members = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return `be nested deeper than ${MAX_NESTING} levels`;
    const next: object[] = [];
    for (const container of level) {
      const values: unknown[] = Object.values(container);
      members += values.length;
      if (members > MAX_MEMBERS) return `have more than ${MAX_MEMBERS} members and elements altogether`;
      for (const value of values) if (typeof value === 'object' && value !== null) next.push(value);
    }
    level = next;
  }
  return null;
}
