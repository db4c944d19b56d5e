import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** What is stored and what a unit tells contradict each other: nothing of the unit is stored, and the import stops. */
type IntegrityAlarm = 'duplicate_conflict' | 'balance_mismatch';

const ALARMS: ReadonlySet<string> = new Set<IntegrityAlarm>(['duplicate_conflict', 'balance_mismatch']);

/** @see contracts/streams.md sections 12 and 15 */
export function isIntegrityAlarm(error: unknown): error is LedgerlensError {
  return error instanceof LedgerlensError && ALARMS.has(error.code);
}
