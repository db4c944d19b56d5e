import type { Page, PageState } from '../model.ts';
import { BUILT_IN_GROUPS } from '../rules/built-in-components.ts';
import { nextPosition } from '../rules/page-order.ts';
import type { StoredPage } from '../status-repository.ts';
import { blankComponent } from './component-state.ts';
import type { EditContext } from './edit-context.ts';
import { type StatusChanges, settleChange } from './settle-change.ts';

/** The page as configured; the id only counts when the page is made. */
export interface PageSettings {
  readonly id: string | null;
  readonly name: string;
  readonly url: string;
  readonly timeZone: string;
}

/** Before its first set-up a page has revision 0, so that a crash in between cannot skip that. */
const NOT_SET_UP = 0;

/**
 * Makes the page on the first start. Later the stored page counts, except that a changed URL setting
 * is taken over, since it follows the address of the server.
 *
 * @returns the row to write, or null when nothing changes.
 */
export function openPage(
  stored: StoredPage | null,
  settings: PageSettings,
  context: Pick<EditContext, 'now' | 'newId'>,
): StoredPage | null {
  if (stored === null) return { page: newPage(settings, context), configuredUrl: settings.url };
  if (stored.configuredUrl === settings.url) return null;
  const { page } = stored;
  const isShown = page.url !== settings.url;
  return {
    page: {
      ...page,
      url: settings.url,
      updatedAt: isShown ? context.now : page.updatedAt,
      // A page that was never set up must stay recognisable as such.
      revision: page.revision === NOT_SET_UP ? NOT_SET_UP : page.revision + 1,
    },
    configuredUrl: settings.url,
  };
}

/** Whether the first start has run to its end. */
export function isSetUp(page: Page): boolean {
  return page.revision > NOT_SET_UP;
}

/**
 * Adds the components for the server's own parts, each group behind the one before.
 *
 * @see contracts/status.md section 7
 */
export function withBuiltInComponents(state: PageState, context: EditContext): PageState {
  const startDate = context.time.date(context.now);
  const first = nextPosition(state.components, null);
  const added = BUILT_IN_GROUPS.flatMap(({ name, components }, groupIndex) => {
    const blank = blankComponent(context);
    const group = { ...blank, name, group: true, showcase: false, position: first + groupIndex };
    const children = components.map((component, index) => ({
      ...blankComponent(context),
      ...component,
      groupId: group.id,
      position: index + 1,
      startDate,
    }));
    return [group, ...children];
  });
  return { ...state, components: [...state.components, ...added] };
}

/** What the first start writes; the page counts as set up afterwards even without any component. */
export function setUpChanges(before: PageState, after: PageState, now: number): StatusChanges {
  const settled = settleChange(before, after, now, 'first start');
  return settled.changes ?? { ...NO_CHANGES, page: { ...before.page, revision: before.page.revision + 1 } };
}

const NO_CHANGES: Omit<StatusChanges, 'page'> = {
  newComponents: [],
  changedComponents: [],
  deletedComponentIds: [],
  events: [],
  newIncidents: [],
  changedIncidents: [],
  deletedIncidentIds: [],
  newUpdates: [],
  changedUpdates: [],
};

function newPage(settings: PageSettings, { now, newId }: Pick<EditContext, 'now' | 'newId'>): Page {
  return {
    id: settings.id ?? newId(),
    name: settings.name,
    url: settings.url,
    timeZone: settings.timeZone,
    description: null,
    supportUrl: null,
    hiddenFromSearch: false,
    allowFeeds: true,
    createdAt: now,
    updatedAt: now,
    revision: NOT_SET_UP,
  };
}
