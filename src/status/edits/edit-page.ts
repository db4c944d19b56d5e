import { withoutEnding } from '../../values/without-ending.ts';
import type { PageState } from '../model/page-state.ts';
import { type Input, isGiven, readFlag, readName, readText } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import { isTimeZone } from '../rules/zoned-time.ts';

/** In UTF-16 units; servers refuse much longer ones. */
const ADDRESS_LIMIT = 2048;

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
    url: readPageUrl(input, page.url, problems),
    timeZone: readTimeZone(input, page.timeZone, problems),
    description: text('page_description', page.description),
    supportUrl: readSupportUrl(input, page.supportUrl, problems),
    hiddenFromSearch: readFlag(input, 'hidden_from_search', page.hiddenFromSearch, problems),
    allowFeeds: readFlag(input, 'allow_rss_atom_feeds', page.allowFeeds, problems),
  };
  problems.throwIfAny();
  return { ...state, page: changed };
}

/** Kept without a slash at the end, since paths are appended. Empty and null change nothing. */
function readPageUrl(input: Input, current: string, problems: ProblemList): string {
  const url = readAddress(input, 'url', current, /^https?:\/\/[^\s?#"<>]+$/, problems);
  return url === null || url === undefined ? current : withoutEnding(url, '/');
}

/** Kept as given, with its query: a form to write to or a mailbox. Empty and null take it away. */
function readSupportUrl(input: Input, current: string | null, problems: ProblemList): string | null {
  return readAddress(input, 'support_url', current, /^(https?:\/\/|mailto:)[^\s"<>]+$/, problems);
}

/** Nothing that runs or opens a file: these become links of a page that everybody reads. */
function readAddress(
  input: Input,
  member: string,
  current: string | null,
  allowed: RegExp,
  problems: ProblemList,
): string | null {
  if (!isGiven(input, member)) return current;
  const address = readText(input, member, problems);
  if (address === null) return null;
  if (address.length <= ADDRESS_LIMIT && allowed.test(address) && URL.canParse(address)) return address;
  problems.addUnreadable(member);
  return current;
}

function readTimeZone(input: Input, current: string, problems: ProblemList): string {
  const zone = input['time_zone'] ?? '';
  if (zone === '') return current;
  if (typeof zone === 'string' && isTimeZone(zone)) return zone;
  problems.addUnreadable('time_zone');
  return current;
}
