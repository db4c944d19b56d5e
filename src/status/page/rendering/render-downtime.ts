import { type Html, html } from '../../../pages/html.ts';
import type { Downtime } from '../../model/stretches.ts';
import type { PageFrame } from '../page-site.ts';
import { durationText } from '../page-time.ts';
import { labelled } from '../status-marks.ts';

/**
 * A stretch in which nothing ran that could have measured or answered.
 *
 * @see contracts/status.md section 7, honest downtime
 */
export function renderDowntime({ from, to }: Downtime, { time }: PageFrame): Html {
  return html`<div class="past"><p>${labelled('major', 'Service not running')}</p>
<p class="small">${time.window(from, to)} <span class="muted whole">(${durationText(to - from)})</span></p></div>
`;
}
