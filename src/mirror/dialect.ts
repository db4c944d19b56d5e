/** Form of the few members in which the specification and public networks differ. @see design/architecture.md section 1 */
export type Dialect = 'spec' | 'hiero';
