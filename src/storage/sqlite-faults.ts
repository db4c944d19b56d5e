const PASSING = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN)/;

/** The database cannot be written now (busy, disk full, disk fault); the same write may succeed later. */
export function isPassingFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && PASSING.test(String(error.code));
}
