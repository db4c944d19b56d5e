import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../storage/sql/sql.ts';
import { DEFAULT_PATIENCE_MS, monotonicMs, type Writer } from '../../storage/writer/writer.ts';
import { groupBy } from '../../values/group-by.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Work } from '../../values/work.ts';
import type { Incident, Page, PageState } from '../model/page-state.ts';
import type { Stretch } from '../model/stretches.ts';
import { createAudit } from './audit.sql.ts';
import { createNotices } from './notices.sql.ts';
import type { KeeperToken } from './page-keeping.ts';
import { type PageWrites, STALE } from './page-writes.sql.ts';
import { createRunState } from './run-state.sql.ts';
import { type Decision, LISTED_INCIDENTS, type StatusRepository } from './status-repository.ts';
import type { IncidentRow, SequencedIncident } from './status-rows.sql.ts';
import { preparePageToken, prepareStatusStatements } from './status-statements.sql.ts';

/** Decisions that are made at least, however long the turn was waited for; others may be faster each time. */
const LEAST_DECISIONS = 20;
/** Incidents whose texts are in memory together. */
const SEARCHED_AT_ONCE = 200;
/** Changes that wait for their turn; people make a few a minute. */
const MOST_CHANGES = 200;

/** The longest pause before a decision is made anew: it doubles up to the fifth time. */
const FIRST_PAUSE_MS = 4;
const MOST_DOUBLINGS = 4;

/** Several servers that were too late together would be so again if they came back together. */
const randomPause = (made: number): Promise<void> =>
  sleep(Math.random() * FIRST_PAUSE_MS * 2 ** Math.min(made, MOST_DOUBLINGS));

/**
 * The status page in SQLite.
 *
 * It reads on the connection and writes through the writer. A change is decided on a snapshot, which the writer compares with
 * what is stored: when somebody was faster, it is decided again. The clock is read after the snapshot, so that later
 * commits never carry earlier instants.
 *
 * @param pause waits before a decision is made anew, of which so many were made before. Default: at random.
 */
export function createStatusRepository(
  sql: Sql,
  writer: Writer<PageWrites>,
  pause: (made: number) => Promise<void> = randomPause,
): StatusRepository {
  const statements = prepareStatusStatements(sql);
  const pageToken = preparePageToken(sql);
  const tooBusy = () => new StorageBusyError('others are changing the status page');
  const inTurn = takeTurns(MOST_CHANGES, tooBusy);
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
      for (let made = 0; made < LEAST_DECISIONS || monotonicMs() < deadline; made++) {
        // Those before may have used up the time, and the lock may still be taken.
        const result = await write(Math.max(0, deadline - monotonicMs()));
        if (result !== STALE) return result;
        await pause(made);
      }
      throw tooBusy();
    });
  }

  return {
    openPage: (open) =>
      decide(async (patienceMs) => {
        const { expected, next } = await sql.readTogether(function* () {
          return { expected: yield* pageToken(), next: open(yield* statements.page.find()) };
        });
        if (next === null) return undefined;
        return stale(await writer.write('openPage', { expected, next }, { patienceMs }));
      }),
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
    setUp: (probes, make) =>
      decide(async (patienceMs) => {
        const decided = await sql.readTogether(function* () {
          const known = yield* run.parts();
          const fresh = probes.filter((probe) => !known.has(probe));
          return { expected: yield* pageToken(), probes, fresh, changes: make(yield* load(null), fresh) };
        });
        if (decided.fresh.length === 0 && decided.changes === null) return undefined;
        return stale(await writer.write('setUp', decided, { patienceMs }));
      }),
    beginRun: (now, begin, keeper = null) =>
      decide(async (patienceMs) => {
        const decided = await sql.readTogether(function* () {
          const expected = yield* pageToken();
          const signs = yield* run.lastSigns();
          return { expected, keeper, lastBeat: signs.lastBeat, now, ...begin(yield* load(null), signs) };
        });
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
    readEvents: async (from) => sql.read(() => statements.events.all(from)),
    readLastEvents: sql.reading(function* () {
      return (yield* run.lastSigns()).lastEvents;
    }),
    readRelatedIncidents: sql.reading(function* (componentIds, { from, to }) {
      return (yield* statements.relatedIncidents.all(
        sql.dialect.textList(componentIds),
        to,
        from,
      )) as string[];
    }),
    readDowntimes: async (from, to) => sql.read(() => run.downtimes(from, to)),
    readPage: async () => sql.readTogether(readPage),
    hasComponent: sql.reading(function* (id) {
      return (yield* statements.hasComponent.get(id)) !== undefined;
    }),
    hasIncident: sql.reading(function* (id) {
      return (yield* statements.incident.find(id)) !== null;
    }),
    async read(incidentId) {
      return sql.readTogether(() => load(incidentId));
    },
    async readPublished() {
      return sql.readTogether(loadPublished);
    },
    readHistory: sql.readingTogether(function* (search, stretch) {
      return yield* assemble(yield* historyRows(search, stretch));
    }),
    readPast: sql.readingTogether(function* ({ from, to }, limit) {
      const rows = yield* statements.past.all(from, to, limit);
      return yield* hydrate(rows.map(({ incident }) => incident));
    }),
    readPastEntries: async ({ from, to }) => sql.read(() => statements.pastEntries.all(from, to)),
    readFirstBegan: sql.reading(function* () {
      return (yield* statements.firstBegan.get()) as number | null;
    }),
    readAudit: audit.read,
    readNotices: notices.read,
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
