import { pageStatus, summaryEntries } from '../../documents/public-documents.ts';
import type { PageState } from '../../model/page-state.ts';
import { impactBeyond, shownImpact } from '../../rules/indicator.ts';
import { IMPACT_MARKS, IMPACT_WORDS, type Mark } from '../status-marks.ts';

/** How the whole page is, for people. */
export interface Banner {
  readonly mark: Mark;
  readonly text: string;
}

/**
 * The overall state as banner, text form, badge and frame tell it: that of the API, unless it would be green
 * beside an open incident.
 *
 * @see docs/adr/0002-reference-apis-first.md
 */
export function bannerOf(state: PageState): Banner {
  const overall = pageStatus(state);
  const impact = impactBeyond(overall.indicator, summaryEntries(state).unresolved.map(shownImpact));
  if (impact === null) return { mark: IMPACT_MARKS[overall.indicator], text: overall.description };
  if (impact === 'none') return { mark: 'degraded', text: 'Open Incident' };
  return { mark: IMPACT_MARKS[impact], text: `Open Incident: ${IMPACT_WORDS[impact]}` };
}
