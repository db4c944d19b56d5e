import type { StatusChanges } from '../model/changes.ts';
import { nextPosition } from '../model/page-order.ts';
import type { Component, Page, PageState } from '../model/page-state.ts';
import { BUILT_IN_PARTS, type ServerPart } from '../rules/built-in-components.ts';
import type { StoredPage } from '../store/status-repository.ts';
import type { EditContext } from './edit-context.ts';
import { blankComponent } from './edited-state.ts';
import { settleChange } from './settle-change.ts';

/** The page as configured; the id only counts when the page is made. */
interface PageSettings {
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
 * Adds components for parts of the server, each at the end of the group of its kind; a missing group is made
 * behind the others.
 *
 * @see contracts/status.md section 7
 */
export function withServerParts(
  state: PageState,
  parts: readonly ServerPart[],
  context: EditContext,
): PageState {
  return parts.reduce((before, part) => withServerPart(before, part, context), state);
}

function withServerPart(state: PageState, { group, component }: ServerPart, context: EditContext): PageState {
  const known = groupFor(state, group);
  const parent: Component = known ?? {
    ...blankComponent(context),
    name: group,
    group: true,
    showcase: false,
    position: nextPosition(state.components, null),
  };
  const components = known === undefined ? [...state.components, parent] : state.components;
  const added: Component = {
    ...blankComponent(context),
    ...component,
    groupId: parent.id,
    position: nextPosition(components, parent.id),
    startDate: context.time.date(context.now),
  };
  return { ...state, components: [...components, added] };
}

/** Groups may be renamed: one that holds a sibling is meant as well. */
function groupFor({ components }: PageState, name: string): Component | undefined {
  const siblings = BUILT_IN_PARTS.filter(({ group }) => group === name).map(
    ({ component }) => component.probe,
  );
  const sibling = components.find(({ probe, groupId }) => groupId !== null && siblings.includes(probe ?? ''));
  return components.find((each) => each.group && (each.id === sibling?.groupId || each.name === name));
}

/** What a start writes; the page counts as set up after the first one even without any component. */
export function setUpChanges(before: PageState, after: PageState, now: number): StatusChanges | null {
  const settled = settleChange(before, after, now, 'start');
  if (settled.changes === null && isSetUp(before.page)) return null;
  return settled.changes ?? { ...NO_CHANGES, page: { ...before.page, revision: before.page.revision + 1 } };
}

/** Changes of nothing but the page. */
export const NO_CHANGES: Omit<StatusChanges, 'page'> = {
  newComponents: [],
  changedComponents: [],
  deletedComponentIds: [],
  events: [],
  newIncidents: [],
  changedIncidents: [],
  deletedIncidentIds: [],
  newUpdates: [],
  changedUpdates: [],
  deletedUpdateIds: [],
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
