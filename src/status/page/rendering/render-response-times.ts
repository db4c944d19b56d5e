import { type Html, html, trusted } from '../../../pages/html.ts';
import type { ResponseChart, ResponseDay } from '../views/response-charts.ts';

/** Of the drawing, whose unit across is a day. */
const HEIGHT = 60;
/** Keeps a line at the very top from being cut in half. */
const MARGIN = 2;

/**
 * Response times as small line charts: median and 95th percentile by day, with their scale; days without data are gaps.
 */
export function renderResponseTimes(charts: readonly ResponseChart[]): Html {
  return html`<p class="small muted legend"><span class="key"></span> median, <span class="key most"></span> 95th percentile, by day, as measured by this server</p>
<div class="charts">
${charts.map(renderChart)}</div>`;
}

function renderChart(chart: ResponseChart): Html {
  const { days, name } = chart;
  const top = scaleTop(Math.max(...days.map((day) => day?.most ?? 0)));
  const line = (of: (day: ResponseDay) => number) => trusted(pathOf(days, (day) => of(day) / top));
  const newest = days.at(-1) ?? null;
  return html`<figure class="chart"><figcaption class="line"><bdi class="name">${name}</bdi> <span class="muted small">${newest === null ? 'No data today' : `today ${durationWords(newest.median)}`}</span></figcaption>
<div class="plot"><span class="small muted">${durationWords(top)}</span><span class="small muted">0</span><svg viewBox="-.5 0 ${days.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${describeChart(chart)}"><path class="most" d="${line(({ most }) => most)}"/><path d="${line(({ median }) => median)}"/></svg></div>
<p class="caption"><span>${days.length} days ago</span> <span>Today</span></p></figure>
`;
}

/** The chart in words. */
export function describeChart({ days, name }: ResponseChart): string {
  const known = days.filter((day) => day !== null);
  const range = (of: (day: ResponseDay) => number) => {
    const [least, most] = [Math.min(...known.map(of)), Math.max(...known.map(of))].map(durationWords);
    return least === most ? least : `${least} to ${most}`;
  };
  const gaps = days.length - known.length;
  return [
    `Response times of ${name} in the last ${days.length} days:`,
    `median of a day ${range(({ median }) => median)},`,
    `95th percentile ${range(({ most }) => most)}.`,
    ...(gaps === 0 ? [] : [`No data for ${gaps} ${gaps === 1 ? 'day' : 'days'}.`]),
  ].join(' ');
}

/** `12 ms`, `1.4 s`: two digits, which is what is known. */
export function durationWords(milliseconds: number): string {
  if (milliseconds >= 9_950) return `${Math.round(milliseconds / 1000)} s`;
  if (milliseconds >= 995) return `${(milliseconds / 1000).toFixed(1).replace(/\.0$/, '')} s`;
  if (milliseconds >= 100) return `${Math.round(milliseconds / 10) * 10} ms`;
  return `${Math.max(1, Math.round(milliseconds))} ms`;
}

/** The next of 1, 2, 5, 10, 20… that is not below. */
function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most;
}

/** A line through the days; a day alone is a dot, which the round end of a line of no length makes. */
function pathOf(days: readonly (ResponseDay | null)[], height: (day: ResponseDay) => number): string {
  let isOpen = false;
  let path = '';
  for (const [index, day] of days.entries()) {
    if (day !== null) {
      const y = (HEIGHT - MARGIN - height(day) * (HEIGHT - 2 * MARGIN)).toFixed(1).replace(/\.0$/, '');
      path += isOpen ? `L${index} ${y}` : `M${index} ${y}h0`;
    }
    isOpen = day !== null;
  }
  return path;
}
