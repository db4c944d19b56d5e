import { printEntityId } from '../../values/entity-id.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { accountConditions } from '../parameters/account-conditions.ts';
import { isAccountCondition, type ResolveAddress } from '../parameters/account-filter.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { numberOfText } from '../parameters/token-in-path.ts';
import { scheduleDocument } from './schedule-document.ts';
import type { ScheduleRepository } from './schedule-repository.ts';

export interface ListSchedulesDependencies {
  readonly schedules: ScheduleRepository;
  readonly page: PageSettings;
  readonly home: EntityHome;
  readonly resolveAddress: ResolveAddress;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

/**
 * Answers `GET /api/v1/schedules`; `account.id` is the creator.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-entities.md section 9.2
 */
export async function listSchedules(
  target: string,
  { home, maxRepeated, page, resolveAddress, schedules }: ListSchedulesDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const numberOf = (text: string) => numberOfText(parseFilter(text)?.value ?? '', home);
  const checks = {
    ...pageChecks(page),
    'account.id': isAccountCondition,
    'schedule.id': (text: string) => numberOf(text) !== null,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page, 'asc');
  const ids = andIntegers(
    (values.get('schedule.id') ?? []).map((text) => ({
      operator: parseFilter(text)?.operator ?? 'eq',
      value: numberOf(text) ?? 0n,
    })),
  );
  const creators = andIntegers(await accountConditions(values.get('account.id') ?? [], home, resolveAddress));
  const isImpossible = ids.lower > ids.upper || creators.lower > creators.upper;
  // One more tells whether a page follows.
  const selection = { ids, creators, order: request.order, limit: request.limit + 1 };
  const found = isImpossible ? [] : await schedules.page(selection);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'schedule.id',
      of: ({ schedule }) => schedule,
      print: printEntityId,
      selection: { ...ids, equal: null },
    },
    found,
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ schedules: shown.map(scheduleDocument), links: { next } }), next };
}
