import type { UpdateTexts } from '../rules/default-texts.ts';
import type { ZonedTime } from '../rules/zoned-time.ts';

/** What every edit needs besides the state: one instant, ids, texts and the page's clock face. */
export interface EditContext {
  /** The instant of the whole call: everything it writes carries this millisecond. */
  readonly now: number;
  readonly newId: () => string;
  readonly texts: UpdateTexts;
  /** Time zone of the page. */
  readonly time: ZonedTime;
}
