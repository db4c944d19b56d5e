import type { StatusRepository } from '../status-repository.ts';
import { lastDays } from '../uptime/status-history.ts';
import { BAR_DAYS, homeView, MOST_PAST, PAST_DAYS } from './home-view.ts';
import { type PageSite, pageFrame } from './page-site.ts';
import { renderHome } from './render-home.ts';
import { renderProblem } from './render-problem.ts';

/** Renders the pages from what is stored; `now` is UTC milliseconds. */
export interface PageContents {
  home(site: PageSite, now: number): Promise<string>;
  /** A page that says why there is none. */
  problem(site: PageSite, now: number, title: string, text: string): Promise<string>;
}

/** Reads for each page what it needs, then leaves the rest to pure functions. */
export function createPageContents(repository: StatusRepository): PageContents {
  return {
    async home(site, now) {
      const state = await repository.read(null);
      const frame = pageFrame(site, state.page, now);
      const { zoned } = frame.time;
      const barStart = lastDays(zoned, now, BAR_DAYS)[0]?.start ?? now;
      const days = lastDays(zoned, now, PAST_DAYS);
      const range = { from: days[0]?.start ?? now, to: days.at(-1)?.end ?? now };
      const { incidents: past } = await repository.readPast(range, MOST_PAST + 1);
      const events = await repository.readEvents(barStart);
      const downtimes = await repository.readDowntimes(range.from, range.to);
      return renderHome(homeView({ state, past, events, downtimes }, zoned, now), frame);
    },
    async problem(site, now, title, text) {
      const { page } = await repository.read(null);
      return renderProblem(title, text, pageFrame(site, page, now));
    },
  };
}
