import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { DEFAULT_PATIENCE_MS, monotonicMs, type Writer } from '../../storage/writer/writer.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Incident, Page, PageState } from '../model/page-state.ts';
import type { StatusChangeAt, Stretch } from '../model/stretches.ts';
import { createSqliteAudit } from './audit.sqlite.ts';
import { createSqliteNotices } from './notices.sqlite.ts';
import { type PageWrites, STALE } from './page-writes.sqlite.ts';
import { createSqliteRunState } from './run-state.sqlite.ts';
import {
  type Decision,
  LISTED_INCIDENTS,
  type PastEntry,
  type StatusRepository,
  type StoredPage,
} from './status-repository.ts';
import {
  type ComponentRow,
  componentOf,
  type IncidentRow,
  incidentOf,
  type PageRow,
  pageOf,
  type UpdateRow,
  updateOf,
} from './status-rows.ts';
import { preparePageToken, prepareStatusStatements } from './status-statements.sqlite.ts';
import { takeTurns } from './take-turns.ts';

type StoredPageRow = PageRow & { readonly configured_url: string };
type SequencedIncidentRow = IncidentRow & { readonly seq: number };

/** Another process would have to change the page that often while one decision is made. */
const MOST_DECISIONS = 20;
/** Changes that wait for their turn; people make a few a minute. */
const MOST_CHANGES = 200;

/**
 * The status page in SQLite; the tables are those of `migrations/sqlite/0002-status.sql`.
 *
 * It reads on the connection and writes through the writer. A change is decided on a snapshot, which the writer compares with
 * what is stored: when somebody was faster, it is decided again. The clock is read after the snapshot, so that later
 * commits never carry earlier instants.
 */
export function createSqliteStatusRepository(
  database: SqliteDatabase,
  writer: Writer<PageWrites>,
): StatusRepository {
  const sql = prepareStatusStatements(database);
  const pageToken = preparePageToken(database);
  const tooBusy = () => new StorageBusyError('the status page is being changed by others');
  const inTurn = takeTurns(MOST_CHANGES, tooBusy);
  const run = createSqliteRunState(database);
  const audit = createSqliteAudit(database);
  const notices = createSqliteNotices(database);

  function storedPage(): StoredPage | null {
    const row = sql.page.get() as StoredPageRow | undefined;
    return row === undefined ? null : { page: pageOf(row), configuredUrl: row.configured_url };
  }

  function readPage(): Page {
    const stored = storedPage();
    if (stored === null) throw new Error('The status page was not opened');
    return stored.page;
  }

  function hydrate(row: IncidentRow): Incident {
    const componentIds = sql.attachedIds.all(row.id) as string[];
    const updates = (sql.updates.all(row.id) as UpdateRow[]).map(updateOf);
    return incidentOf(row, componentIds, updates);
  }

  /** The parts of the state; lists may name an incident twice and in any order. */
  function assemble(rows: readonly SequencedIncidentRow[]): PageState {
    const page = readPage();
    const unique = [...new Map(rows.map((row) => [row.seq, row])).values()].sort((a, b) => a.seq - b.seq);
    return {
      page,
      components: (sql.components.all() as ComponentRow[]).map(componentOf),
      incidents: unique.map(hydrate),
    };
  }

  function load(incidentId: string | null): PageState {
    const open = sql.openIncidents.all() as SequencedIncidentRow[];
    const named = incidentId === null ? [] : (sql.incident.all(incidentId) as SequencedIncidentRow[]);
    return assemble([...open, ...named]);
  }

  function loadPublished(): PageState {
    return assemble([
      ...(sql.openIncidents.all() as SequencedIncidentRow[]),
      ...(sql.newestIncidents.all(LISTED_INCIDENTS) as SequencedIncidentRow[]),
      ...(sql.latestMaintenances.all(LISTED_INCIDENTS) as SequencedIncidentRow[]),
    ]);
  }

  /** SQLite folds the case of ASCII letters only, so the search compares here. */
  function historyRows(search: string, { offset, limit }: Stretch): readonly SequencedIncidentRow[] {
    if (search === '') return sql.history.all(limit, offset) as SequencedIncidentRow[];
    const sought = search.toLowerCase();
    const found: string[] = [];
    for (const { id, text } of sql.historyTexts.iterate() as Iterable<{ id: string; text: string }>) {
      if (text.toLowerCase().includes(sought)) found.push(id);
      if (found.length === offset + limit) break;
    }
    return found.slice(offset).flatMap((id) => sql.incident.all(id) as SequencedIncidentRow[]);
  }

  const readTogether = database.transaction((work: () => PageState) => work());
  const readIncidents = database.transaction((work: () => readonly Incident[]) => work());
  /** A decision with the state that it was made on, read at one instant. */
  const snapshot = database.transaction((work: () => unknown) => work()) as <T>(work: () => T) => T;

  /** @param write decides and writes; it says when that came too late. */
  async function decide<T>(write: (patienceMs: number) => Promise<T | typeof STALE>): Promise<T> {
    const deadline = monotonicMs() + DEFAULT_PATIENCE_MS;
    return inTurn(async () => {
      for (let decisions = 0; decisions < MOST_DECISIONS; decisions++) {
        // Those before may have used up the time, and the lock may still be taken.
        const result = await write(Math.max(0, deadline - monotonicMs()));
        if (result !== STALE) return result;
      }
      throw tooBusy();
    });
  }

  return {
    openPage: (open) =>
      decide(async (patienceMs) => {
        const { expected, next } = snapshot(() => ({ expected: pageToken(), next: open(storedPage()) }));
        if (next === null) return undefined;
        return stale(await writer.write('openPage', { expected, next }, { patienceMs }));
      }),
    change: <T>(incidentId: string | null, settle: (state: PageState) => Decision<T>) =>
      decide(async (patienceMs) => {
        const { decision, expected } = snapshot(() => ({
          expected: pageToken(),
          decision: settle(load(incidentId)),
        }));
        const { audit = null, changes, notices = [], result } = decision;
        if (changes === null) return result;
        const outcome = await writer.write('change', { expected, changes, audit, notices }, { patienceMs });
        return outcome === STALE ? STALE : result;
      }),
    setUp: (probes, make) =>
      decide(async (patienceMs) => {
        const decided = snapshot(() => {
          const known = run.parts();
          const fresh = probes.filter((probe) => !known.has(probe));
          return { expected: pageToken(), probes, fresh, changes: make(load(null), fresh) };
        });
        if (decided.fresh.length === 0 && decided.changes === null) return undefined;
        return stale(await writer.write('setUp', decided, { patienceMs }));
      }),
    beginRun: (now, begin) =>
      decide(async (patienceMs) => {
        const decided = snapshot(() => ({
          expected: pageToken(),
          now,
          ...begin(load(null), run.lastSigns()),
        }));
        return stale(await writer.write('beginRun', decided, { patienceMs }));
      }),
    async beat(now) {
      try {
        await writer.write('beat', now, { patienceMs: 0 });
      } catch (error) {
        // Left out while somebody else writes: the next one comes in seconds.
        if (!(error instanceof StorageBusyError)) throw error;
      }
    },
    async readEvents(from) {
      return sql.events.all(from) as StatusChangeAt[];
    },
    async readLastEvents() {
      return run.lastSigns().lastEvents;
    },
    async readRelatedIncidents(componentIds, { from, to }) {
      return sql.relatedIncidents.all(JSON.stringify(componentIds), to, from) as string[];
    },
    async readDowntimes(from, to) {
      return run.downtimes(from, to);
    },
    readPage: async () => readPage(),
    async hasComponent(id) {
      return sql.hasComponent.get(id) !== undefined;
    },
    async hasIncident(id) {
      return sql.incident.get(id) !== undefined;
    },
    async read(incidentId) {
      return readTogether(() => load(incidentId));
    },
    async readPublished() {
      return readTogether(loadPublished);
    },
    async readHistory(search, stretch) {
      return readTogether(() => assemble(historyRows(search, stretch)));
    },
    async readPast({ from, to }, limit) {
      return readIncidents(() => (sql.past.all(from, to, limit) as IncidentRow[]).map(hydrate));
    },
    async readPastEntries({ from, to }) {
      return sql.pastEntries.all(from, to) as PastEntry[];
    },
    async readFirstBegan() {
      return sql.firstBegan.get() as number | null;
    },
    readAudit: audit.read,
    readNotices: notices.read,
    async revision() {
      return sql.revision.get() as number;
    },
  };
}

/** A write that gives nothing. */
function stale(outcome: string): typeof STALE | undefined {
  return outcome === STALE ? STALE : undefined;
}
