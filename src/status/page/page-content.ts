import { findComponent, findIncident } from '../edits/edited-state.ts';
import { StatusNotFoundError } from '../errors.ts';
import { childrenOf } from '../model/page-order.ts';
import { publicStatus, worstStatus } from '../rules/component-status.ts';
import type { ResponseTimes } from '../store/response-times.sql.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { lastDays } from '../uptime/status-history.ts';
import { renderBadge } from './elsewhere/render-badge.ts';
import { type FrameTheme, renderFrame } from './elsewhere/render-frame.ts';
import { type PageFrame, type PageSite, pageFrame } from './page-site.ts';
import { renderHistory } from './rendering/render-history.ts';
import { renderHome } from './rendering/render-home.ts';
import { renderIncidentPage } from './rendering/render-incident.ts';
import { renderProblem } from './rendering/render-layout.ts';
import { renderText } from './rendering/render-text.ts';
import { renderUptime } from './rendering/render-uptime.ts';
import { markOf, wordOf } from './status-marks.ts';
import { bannerOf } from './views/banner.ts';
import { historyMonths, historyPage } from './views/history-view.ts';
import { BAR_DAYS, type HomeView, homeView, MAX_PAST, PAST_DAYS } from './views/home-view.ts';
import { incidentView } from './views/incident-view.ts';
import { calendarStart, componentUptimes, uptimePage } from './views/uptime-view.ts';

/** Renders the pages from what is stored; `now` is UTC milliseconds. */
export type PageContents = ReturnType<typeof createPageContents>;

/** Reads for each page what it needs, then leaves the rest to pure functions. */
export function createPageContents(
  repository: StatusRepository,
  responseTimes: Pick<ResponseTimes, 'read'> = { read: async () => [] },
) {
  async function home(site: PageSite, now: number, render: (view: HomeView, frame: PageFrame) => string) {
    const state = await repository.read(null);
    const frame = pageFrame(site, state.page, now);
    const { zoned } = frame.time;
    const barStart = lastDays(zoned, now, BAR_DAYS)[0]?.start ?? now;
    const days = lastDays(zoned, now, PAST_DAYS);
    const range = { from: days[0]?.start ?? now, to: days.at(-1)?.end ?? now };
    const past = await repository.readPast(range, MAX_PAST + 1);
    const events = await repository.readEvents(barStart);
    const downtimes = await repository.readDowntimes(range.from, range.to);
    const times = await responseTimes.read(zoned.date(barStart));
    return render(homeView({ state, past, events, downtimes, times }, zoned, now), frame);
  }

  return {
    home: (site: PageSite, now: number) => home(site, now, renderHome),
    /** The same for terminals. */
    text: (site: PageSite, now: number) => home(site, now, renderText),
    /** @throws StatusNotFoundError for a page before all that is known. */
    async history(site: PageSite, now: number, number: number) {
      const page = await repository.readPage();
      const frame = pageFrame(site, page, now);
      const { zoned } = frame.time;
      const begin = Math.min(page.createdAt, (await repository.readFirstBegan()) ?? page.createdAt);
      const shown = historyPage(number, begin, zoned, now);
      const entries = await repository.readPastEntries(shown.range);
      const downtimes = await repository.readDowntimes(shown.range.from, shown.range.to);
      return renderHistory(shown, historyMonths(shown, entries, downtimes, zoned), frame);
    },
    /** @throws StatusNotFoundError */
    async incident(site: PageSite, now: number, id: string) {
      if (!(await repository.hasIncident(id))) throw new StatusNotFoundError('incident', id);
      const state = await repository.read(id);
      const view = incidentView(findIncident(state, id), state, now);
      return renderIncidentPage(view, pageFrame(site, state.page, now));
    },
    /** @param componentId the only component to show; null for the list. @throws StatusNotFoundError for none such. */
    async uptime(site: PageSite, now: number, componentId: string | null, number: number) {
      if (componentId !== null && !(await repository.hasComponent(componentId)))
        throw new StatusNotFoundError('component', componentId);
      const state = await repository.read(null);
      const frame = pageFrame(site, state.page, now);
      const { zoned } = frame.time;
      const shown = uptimePage(state, componentId, number);
      const events = await repository.readEvents(calendarStart(zoned, now));
      return renderUptime(shown, componentUptimes(shown.components, state, events, zoned, now), frame);
    },
    /** @param id of the component; null for the page. @throws StatusNotFoundError */
    async badge(id: string | null) {
      const state = await repository.read(null);
      if (id === null) {
        const { mark, text } = bannerOf(state);
        return renderBadge({ label: state.page.name, mark, text });
      }
      const component = findComponent(state, id);
      const status = component.group
        ? worstStatus(childrenOf(state.components, id).map(publicStatus))
        : publicStatus(component);
      return renderBadge({ label: component.name, mark: markOf(status), text: wordOf(status) });
    },
    /** One line for frames. */
    async frame(site: PageSite, now: number, theme: FrameTheme) {
      const state = await repository.read(null);
      return renderFrame(bannerOf(state), theme, pageFrame(site, state.page, now));
    },
    /** A page that says why there is none. */
    async problem(site: PageSite, now: number, title: string, text: string) {
      const page = await repository.readPage();
      return renderProblem(title, text, pageFrame(site, page, now));
    },
  };
}
