import { printableText } from '../../../values/printable-text.ts';
import { COMPONENT_STATUSES } from '../../rules/component-status.ts';
import type { PageFrame } from '../page-site.ts';
import { INCIDENT_WORDS, wordOf } from '../status-marks.ts';
import { type ComponentRow, isGroupRow } from '../views/component-rows.ts';
import type { HomeView } from '../views/home-view.ts';
import type { IncidentView } from '../views/incident-view.ts';

/** With headings, remarks on what is left out, two lines before and one after these are twenty. */
const MOST = { components: 5, current: 2, running: 1, planned: 1 } as const;

/**
 * The status page as plain text of at most twenty lines; components that do not work come first.
 *
 * Whatever could steer a terminal is left out of names.
 *
 * @see contracts/status.md section 10
 */
export function renderText(view: HomeView, { time }: PageFrame): string {
  const { page, banner, operational, leaves } = view;
  const entries = (heading: string, kind: 'current' | 'running' | 'planned') => {
    const { cards, more } = view[kind];
    const described = cards.map((entry) => describeEntry(entry, time.text));
    return list(heading, described, MOST[kind], more.length);
  };
  const lines = [
    `${page.name}: ${banner.text}`,
    `Updated ${time.text(page.updatedAt)}, ${operational} of ${leaves} components operational`,
    ...list('Components', describeComponents(view), MOST.components, 0),
    ...entries('Current incidents', 'current'),
    ...entries('Maintenance in progress', 'running'),
    ...entries('Scheduled maintenance', 'planned'),
    page.url,
  ];
  return `${lines.map(printableText).join('\n')}\n`;
}

function list(
  heading: string,
  entries: readonly string[],
  most: number,
  unlisted: number,
): readonly string[] {
  if (entries.length === 0) return [];
  const hidden = entries.length - most + unlisted;
  // One more line serves an entry as well as it serves the remark.
  if (hidden <= 1 && unlisted === 0) return [`${heading}:`, ...entries.map((entry) => `  ${entry}`)];
  return [`${heading}:`, ...entries.slice(0, most).map((entry) => `  ${entry}`), `  and ${hidden} more`];
}

function describeComponents({ components }: HomeView): readonly string[] {
  const rows = components.flatMap((row): readonly ComponentRow[] =>
    isGroupRow(row)
      ? row.children.map((child) => ({ ...child, name: `${row.name} - ${child.name}` }))
      : [row],
  );
  const worstFirst = [...COMPONENT_STATUSES].reverse();
  return worstFirst.flatMap((status) =>
    rows
      .filter((row) => row.status === status)
      .map(({ name, bar }) => `${name}: ${wordOf(status)}${bar === null ? '' : `, ${bar.uptime} % uptime`}`),
  );
}

function describeEntry(
  { name, status, window, startedAt }: IncidentView,
  print: (instant: number) => string,
) {
  const when = window === null ? `since ${print(startedAt)}` : `${print(window.from)} to ${print(window.to)}`;
  return `${name} (${INCIDENT_WORDS[status]}), ${when}`;
}
