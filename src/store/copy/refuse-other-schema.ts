import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { SchemaState } from '../store.ts';

/** @throws LedgerlensError `copy_refused` for a source that another version of the product has written. */
export function refuseOtherSchema(url: string, { from, to }: SchemaState): void {
  if (from === to) return;
  const remedy = from > to ? 'Use the newer Ledgerlens.' : 'Run "ledgerlens migrate" on it first.';
  throw new LedgerlensError(
    'copy_refused',
    `${url} has schema version ${from}, this build supports ${to}. ${remedy}`,
  );
}
