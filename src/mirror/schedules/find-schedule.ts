import type { Clock } from '../../values/clock.ts';
import { notFoundError } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { readQuery } from '../parameters/query-text.ts';
import { numberInPath } from '../parameters/token-in-path.ts';
import { isFinal } from './is-final.ts';
import { scheduleDocument } from './schedule-document.ts';
import type { ScheduleRepository } from './schedule-repository.ts';

export interface FindScheduleDependencies {
  readonly schedules: ScheduleRepository;
  readonly home: EntityHome;
  readonly clock: Clock;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * Answers `GET /api/v1/schedules/{scheduleId}`, and tells whether the answer can still change.
 *
 * @throws MirrorApiError 400 for any parameter, then for another form of the id; 404
 * @see contracts/mirror-entities.md sections 9.2 and 9.3
 */
export async function findSchedule(
  scheduleId: string,
  target: string,
  { clock, home, maxRepeated, schedules }: FindScheduleDependencies,
): Promise<{ readonly json: string; readonly isFinal: boolean }> {
  checkParameters(readQuery(target), {}, maxRepeated);
  const schedule = await schedules.find(numberInPath(scheduleId, 'scheduleid', home));
  if (schedule === null) throw notFoundError();
  const now = BigInt(clock.now()) * NANOS_PER_MILLISECOND;
  return { json: printExactJson(scheduleDocument(schedule)), isFinal: isFinal(schedule, now) };
}
