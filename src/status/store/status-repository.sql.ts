import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../storage/sql/sql.ts';
import { DEFAULT_PATIENCE_MS, monotonicMs, type Writer } from '../../storage/writer/writer.ts';
import { groupBy } from '../../values/group-by.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Work } from '../../values/work.ts';
import type { StatusChanges } from '../model/changes.ts';
import type { Incident, Page, PageState, Range, Stretch } from '../model/page-state.ts';
import { createNotices } from './notices.sql.ts';
import type { KeeperToken } from './page-keeping.ts';
import { createAudit, type PageWrites, STALE } from './page-writes.sql.ts';
import { createRunState } from './run-state.sql.ts';
import {
  type Decision,
  type LastSigns,
  LISTED_INCIDENTS,
  type RunStart,
  type StoredPage,
} from './status-repository.ts';
import type { IncidentRow, SequencedIncident } from './status-rows.sql.ts';
import { preparePageToken, prepareStatusStatements } from './status-statements.sql.ts';

/** Decisions that are made at least, however long the turn was waited for; others may be faster each time. */
const MIN_DECISIONS = 20;
/** Incidents whose texts are in memory together. */
const SEARCHED_AT_ONCE = 200;
/** Changes that wait for their turn; people make a few a minute. */
const MAX_CHANGES = 200;

/** The longest pause before a decision is made anew: it doubles up to the fifth time. */
const FIRST_PAUSE_MS = 4;
const MAX_DOUBLINGS = 4;

/** Several servers that were too late together would be so again if they came back together. */
const randomPause = (made: number): Promise<void> =>
  sleep(Math.random() * FIRST_PAUSE_MS * 2 ** Math.min(made, MAX_DOUBLINGS));

/**
 * Keeps the page, its components and incidents: reads on the connection, writes through the writer.
 *
 * A change is decided, synchronously, on a snapshot, which the writer compares with what is stored: when somebody was
 * faster, it is decided again. So two processes never overwrite each other, and a refused change leaves no trace. The clock
 * is read after the snapshot, so that later commits never carry earlier instants.
 *
 * @see contracts/status.md section 8
 * @param pause waits before a decision is made anew, of which so many were made before. Default: at random.
 */
export function createStatusRepository(
  sql: Sql,
  writer: Writer<PageWrites>,
  pause: (made: number) => Promise<void> = randomPause,
) {
  const statements = prepareStatusStatements(sql);
  const pageToken = preparePageToken(sql);
  const tooBusy = () => new StorageBusyError('others are changing the status page');
  const inTurn = takeTurns(MAX_CHANGES, tooBusy);
  const run = createRunState(sql);
  const audit = createAudit(sql);
  const notices = createNotices(sql);

  function* readPage(): Work<Page> {
    const stored = yield* statements.page.find();
    if (stored === null) throw new Error('The status page was not opened');
    return stored.page;
  }

  function* hydrate(rows: readonly IncidentRow[]): Work<readonly Incident[]> {
    const ids = sql.dialect.textList(rows.map(({ id }) => id));
    const attached = groupBy(yield* statements.attached.all(ids), ({ incidentId }) => incidentId);
    const updates = groupBy(yield* statements.updates.all(ids), ({ incidentId }) => incidentId);
    return rows.map((row) => ({
      ...row,
      componentIds: (attached.get(row.id) ?? []).map(({ componentId }) => componentId),
      updates: (updates.get(row.id) ?? []).map(({ update }) => update),
    }));
  }

  /** The parts of the state; lists may name an incident twice and in any order. */
  function* assemble(rows: readonly SequencedIncident[]): Work<PageState> {
    const page = yield* readPage();
    const unique = [...new Map(rows.map((row) => [row.seq, row])).values()].sort((a, b) => a.seq - b.seq);
    return {
      page,
      components: yield* statements.components.all(),
      incidents: yield* hydrate(unique.map(({ incident }) => incident)),
    };
  }

  function* load(incidentId: string | null): Work<PageState> {
    const open = yield* statements.openIncidents.all();
    const named = incidentId === null ? [] : yield* statements.incident.all(incidentId);
    return yield* assemble([...open, ...named]);
  }

  function* loadPublished(): Work<PageState> {
    return yield* assemble([
      ...(yield* statements.openIncidents.all()),
      ...(yield* statements.newestIncidents.all(LISTED_INCIDENTS)),
      ...(yield* statements.latestMaintenances.all(LISTED_INCIDENTS)),
    ]);
  }

  /** SQLite folds the case of ASCII letters only, so the search compares here. */
  function* historyRows(search: string, { offset, limit }: Stretch): Work<readonly SequencedIncident[]> {
    if (search === '') return yield* statements.history.all(limit, offset);
    const sought = search.toLowerCase();
    const found: string[] = [];
    for (let from = 0; found.length < offset + limit; from += SEARCHED_AT_ONCE) {
      const texts = yield* statements.historyTexts.all(SEARCHED_AT_ONCE, from);
      for (const { id, text } of texts) if (text.toLowerCase().includes(sought)) found.push(id);
      if (texts.length < SEARCHED_AT_ONCE) break;
    }
    const rows: SequencedIncident[] = [];
    for (const id of found.slice(offset, offset + limit)) {
      rows.push(...(yield* statements.incident.all(id)));
    }
    return rows;
  }

  /** @param write decides and writes; it says when that came too late. */
  async function decide<T>(write: (patienceMs: number) => Promise<T | typeof STALE>): Promise<T> {
    const deadline = monotonicMs() + DEFAULT_PATIENCE_MS;
    return inTurn(async () => {
      for (let made = 0; made < MIN_DECISIONS || monotonicMs() < deadline; made++) {
        // Those before may have used up the time, and the lock may still be taken.
        const result = await write(Math.max(0, deadline - monotonicMs()));
        if (result !== STALE) return result;
        await pause(made);
      }
      throw tooBusy();
    });
  }

  return {
    /**
     * Reads the stored page, writes what `open` makes of it (null: leave it) and answers the result.
     *
     * Called at start, also by several processes at once.
     */
    openPage: (open: (stored: StoredPage | null) => StoredPage | null) =>
      decide(async (patienceMs) => {
        const { expected, next } = await sql.readTogether(function* () {
          return { expected: yield* pageToken(), next: open(yield* statements.page.find()) };
        });
        if (next === null) return undefined;
        return stale(await writer.write('openPage', { expected, next }, { patienceMs }));
      }),
    /**
     * Changes the page. The state holds all components, all open incidents and, when it exists, the named one.
     *
     * @param incidentId the incident that the change is about, or null.
     * @param keeper of a change that only the keeper of the page makes. Default null: anybody.
     * @throws StorageBusyError when another replica keeps the page.
     */
    change: <T>(
      incidentId: string | null,
      settle: (state: PageState) => Decision<T>,
      keeper: KeeperToken | null = null,
    ) =>
      decide(async (patienceMs) => {
        const { decision, expected } = await sql.readTogether(function* () {
          return { expected: yield* pageToken(), decision: settle(yield* load(incidentId)) };
        });
        const { audit = null, changes, notices = [], result } = decision;
        if (changes === null) return result;
        const outcome = await writer.write(
          'change',
          { expected, keeper, changes, audit, notices },
          { patienceMs },
        );
        return outcome === STALE ? STALE : result;
      }),
    /**
     * Changes the page at a start, like `change`.
     *
     * @param probes the parts that this start knows; from now on none of them is new.
     * @param make gets those that no start knew before.
     */
    setUp: (
      probes: readonly string[],
      make: (state: PageState, newProbes: readonly string[]) => StatusChanges | null,
    ) =>
      decide(async (patienceMs) => {
        const decided = await sql.readTogether(function* () {
          const known = yield* run.parts();
          const fresh = probes.filter((probe) => !known.has(probe));
          return { expected: yield* pageToken(), probes, fresh, changes: make(yield* load(null), fresh) };
        });
        if (decided.fresh.length === 0 && decided.changes === null) return undefined;
        return stale(await writer.write('setUp', decided, { patienceMs }));
      }),
    /**
     * Says that a server keeps the page from now on, and writes what `begin` makes of the time since one last did.
     *
     * @param keeper as of `change`.
     */
    beginRun: (
      now: number,
      begin: (state: PageState, last: LastSigns) => RunStart,
      keeper: KeeperToken | null = null,
    ) =>
      decide(async (patienceMs) => {
        const decided = await sql.readTogether(function* () {
          const expected = yield* pageToken();
          const signs = yield* run.lastSigns();
          return { expected, keeper, lastBeat: signs.lastBeat, now, ...begin(yield* load(null), signs) };
        });
        return stale(await writer.write('beginRun', decided, { patienceMs }));
      }),
    /** Says that a server runs now. */
    async beat(now: number) {
      try {
        await writer.write('beat', now, { patienceMs: 0 });
      } catch (error) {
        // Left out while somebody else writes: the next one comes in seconds.
        if (!(error instanceof StorageBusyError)) throw error;
      }
    },
    /**
     * Changes of public statuses since an instant, by component and time, each component's begun by the one
     * that held then: the source of all uptime.
     */
    readEvents: async (from: number) => sql.read(() => statements.events.all(from)),
    /** When the public status of each component last changed, UTC milliseconds. */
    readLastEvents: sql.reading(function* () {
      return (yield* run.lastSigns()).lastEvents;
    }),
    /** Ids of the incidents and maintenances with one of these components that touch a range, oldest first. */
    readRelatedIncidents: sql.reading(function* (componentIds: readonly string[], { from, to }: Range) {
      return (yield* statements.relatedIncidents.all(
        sql.dialect.textList(componentIds),
        to,
        from,
      )) as string[];
    }),
    /** Stretches without a server that touch a range, oldest first. */
    readDowntimes: async (from: number, to: number) => sql.read(() => run.downtimes(from, to)),
    /** The page alone: one row. */
    readPage: async () => sql.readTogether(readPage),
    /** Whether there is such a component or group: asked before all else is read for one. */
    hasComponent: sql.reading(function* (id: string) {
      return (yield* statements.hasComponent.get(id)) !== undefined;
    }),
    /** The same of an incident or maintenance. */
    hasIncident: sql.reading(function* (id: string) {
      return (yield* statements.incident.find(id)) !== null;
    }),
    /** The state as `change` would see it. */
    read: async (incidentId: string | null) => sql.readTogether(() => load(incidentId)),
    /** All components, all open incidents and the 50 newest of each kind. */
    readPublished: async () => sql.readTogether(loadPublished),
    /**
     * Incidents and maintenances of any status, newest first by creation.
     *
     * @param search keeps those with this text, whatever its case, in name, status, postmortem or an update; empty: all.
     */
    readHistory: sql.readingTogether(function* (search: string, stretch: Stretch) {
      return yield* assemble(yield* historyRows(search, stretch));
    }),
    /**
     * Incidents that began in a range and maintenances that are over and began in it: the newest of them.
     *
     * @see beganAt
     */
    readPast: sql.readingTogether(function* ({ from, to }: Range, limit: number) {
      const rows = yield* statements.past.all(from, to, limit);
      return yield* hydrate(rows.map(({ incident }) => incident));
    }),
    /** All of them without what was said about them, newest first. */
    readPastEntries: async ({ from, to }: Range) => sql.read(() => statements.pastEntries.all(from, to)),
    /** When the first of them began, UTC milliseconds; null when there is none. */
    readFirstBegan: sql.reading(function* () {
      return (yield* statements.firstBegan.get()) as number | null;
    }),
    readAudit: audit.read,
    readNotices: notices.read,
    /** The page's number of commits: one small read that notices what other processes wrote. */
    revision: sql.reading(function* () {
      return (yield* statements.revision.get()) as number;
    }),
  };
}

/** A write that gives nothing. */
function stale(outcome: string): typeof STALE | undefined {
  return outcome === STALE ? STALE : undefined;
}

/**
 * Runs pieces of work one after the other, in the order in which they came.
 *
 * @param most how many may be under way or wait.
 * @param refuse makes the error for one too many.
 */
function takeTurns(most: number, refuse: () => Error) {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (count >= most) throw refuse();
    count++;
    const turn = last.then(work);
    // The next one comes whatever became of this one.
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      count--;
    }
  };
}
