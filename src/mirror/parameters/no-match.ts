/** What conditions are read to when nothing can meet them: no value that data could hold as well. */
export const NO_MATCH: unique symbol = Symbol('no match');
export type NoMatch = typeof NO_MATCH;
