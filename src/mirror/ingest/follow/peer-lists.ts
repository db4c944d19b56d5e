import { FixtureFault, type FixtureObject, object, objects, text } from '../../items/fixture-members.ts';
import { inconsistent, type Peer } from './peer.ts';

/** How the rows of a list are found and read. */
interface ListReader<Row> {
  /** Name of the member. */
  readonly list: string;
  /** One of its rows, for people. */
  readonly what: string;
  /** @throws FixtureFault */
  readonly read: (row: FixtureObject) => Row;
}

/**
 * Reads one page of a list.
 *
 * @returns null when the peer says that there is no such list.
 * @throws IngestError `inconsistent_source` for a row that cannot be read, or what the peer throws.
 */
export async function readList<Row>(
  peer: Peer,
  path: string,
  { list, read, what }: ListReader<Row>,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly Row[]; readonly hasNext: boolean } | null> {
  const answer = await peer.get(path, signal);
  if (answer === null) return null;
  try {
    const rows = objects(answer, list).map(read);
    return { rows, hasNext: rows.length > 0 && nextLink(answer) !== null };
  } catch (cause) {
    if (!(cause instanceof FixtureFault)) throw cause;
    throw inconsistent(null, `${path} returned ${what} in which ${cause.message}`, cause);
  }
}

/** Follows `links.next`, which leads to the same list of the same peer. */
export async function* pagesOf(
  peer: Peer,
  path: string,
  maxPages: number,
  signal: AbortSignal,
): AsyncGenerator<FixtureObject> {
  const list = path.slice(0, path.indexOf('?'));
  let next: string | null = path;
  for (let page = 0; next !== null && page < maxPages; page++) {
    const answer: FixtureObject | null = await peer.get(next, signal);
    if (answer === null) return;
    yield answer;
    const link = nextLink(answer);
    // Some mirrors put their own address before it.
    const query = link === null ? -1 : link.indexOf('?');
    next = link === null || query < 0 ? null : list + link.slice(query);
  }
}

function nextLink(answer: FixtureObject): string | null {
  return text(object(answer, 'links') ?? {}, 'next');
}
