import { invalidRequest } from '../errors.ts';
import type { ParameterValues } from './check-parameters.ts';
import { operand } from './filter-operator.ts';
import { type PageRequest, type PageSettings, pageChecks, pageRequest } from './page-parameters.ts';

/** The checks of `limit` and `order`; {@link strictPageRequest} refuses a limit that is too large. */
export function strictPageChecks(settings: PageSettings) {
  return pageChecks({ ...settings, dialect: 'hiero' });
}

/**
 * Reads checked values of a list whose limit is never capped; the default order is rising.
 *
 * @throws MirrorApiError 400 for a limit above the maximum, in both dialects.
 * @see contracts/mirror-entities.md section 4
 */
export function strictPageRequest(values: ParameterValues, settings: PageSettings): PageRequest {
  const limit = values.get('limit')?.at(-1);
  if (limit !== undefined && BigInt(operand(limit)) > BigInt(settings.maxLimit)) {
    throw invalidRequest([`limit must be less than or equal to ${settings.maxLimit}`]);
  }
  return pageRequest(values, settings, 'asc');
}
