import type { PageState } from '../model.ts';
import { type Input, isGiven, readFlag, readName, readText } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import { isTimeZone } from '../rules/zoned-time.ts';

/**
 * Changes the members of the page that are given; others that Statuspage documents are ignored.
 *
 * @throws StatusValidationError naming everything that is wrong.
 * @see contracts/status.md section 4, Endpoints served
 */
export function updatePage(state: PageState, input: Input): PageState {
  const { page } = state;
  const problems = new ProblemList();
  const text = (member: string, current: string | null) =>
    isGiven(input, member) ? readText(input, member, problems) : current;
  const changed = {
    ...page,
    name: isGiven(input, 'name') ? readName(input, problems) : page.name,
    url: readUrl(input, 'url', page.url, problems) ?? page.url,
    timeZone: readTimeZone(input, page.timeZone, problems),
    description: text('page_description', page.description),
    supportUrl: readUrl(input, 'support_url', page.supportUrl, problems),
    hiddenFromSearch: readFlag(input, 'hidden_from_search', page.hiddenFromSearch, problems),
    allowFeeds: readFlag(input, 'allow_rss_atom_feeds', page.allowFeeds, problems),
  };
  problems.throwIfAny();
  return { ...state, page: changed };
}

/** Only web addresses: these become links of a page that everybody reads. Empty and null give null. */
function readUrl(input: Input, member: string, current: string | null, problems: ProblemList): string | null {
  if (!isGiven(input, member)) return current;
  const url = readText(input, member, problems);
  if (url === null) return null;
  if (!/^https?:\/\/[^\s?#"<>]+$/.test(url) || !URL.canParse(url)) problems.addUnreadable(member);
  return url.replace(/\/+$/, '');
}

function readTimeZone(input: Input, current: string, problems: ProblemList): string {
  const zone = input['time_zone'] ?? '';
  if (zone === '') return current;
  if (typeof zone === 'string' && isTimeZone(zone)) return zone;
  problems.addUnreadable('time_zone');
  return current;
}
