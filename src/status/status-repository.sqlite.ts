import { inTransaction, type SqliteDatabase } from '../storage/sqlite.ts';
import type { StatusChanges } from './edits/settle-change.ts';
import type { Incident, Page, PageState } from './model.ts';
import { createSqliteRunState } from './monitor/run-state.sqlite.ts';
import { createSqliteStatusRecords } from './records/status-records.sqlite.ts';
import {
  type Decision,
  LISTED_INCIDENTS,
  type PastEntry,
  type StatusRepository,
  type StoredPage,
  type Stretch,
} from './status-repository.ts';
import {
  type ComponentRow,
  componentOf,
  componentRow,
  type IncidentRow,
  incidentOf,
  incidentRow,
  type PageRow,
  pageOf,
  pageRow,
  type UpdateRow,
  updateOf,
  updateRow,
} from './status-rows.ts';
import { prepareStatusStatements } from './status-statements.sqlite.ts';
import type { StatusChangeAt } from './uptime/status-history.ts';

type StoredPageRow = PageRow & { readonly configured_url: string };
type SequencedIncidentRow = IncidentRow & { readonly seq: number };

/** The status page in SQLite; the tables are those of `migrations/sqlite/0002-status.sql`. */
export function createSqliteStatusRepository(database: SqliteDatabase): StatusRepository {
  const sql = prepareStatusStatements(database);
  const run = createSqliteRunState(database);
  const records = createSqliteStatusRecords(database);

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

  function write(changes: StatusChanges): void {
    sql.updatePage.run(pageRow(changes.page));
    for (const id of changes.deletedIncidentIds) sql.deleteIncident.run(id);
    for (const id of changes.deletedComponentIds) sql.deleteComponent.run(id);
    for (const component of changes.newComponents) sql.insertComponent.run(componentRow(component));
    for (const component of changes.changedComponents) sql.updateComponent.run(componentRow(component));
    for (const event of changes.events) sql.insertEvent.run(event);
    for (const incident of changes.newIncidents) sql.insertIncident.run(incidentRow(incident));
    for (const incident of changes.changedIncidents) {
      sql.updateIncident.run(incidentRow(incident));
      sql.detachAll.run(incident.id);
    }
    for (const { id, componentIds } of [...changes.newIncidents, ...changes.changedIncidents]) {
      for (const componentId of componentIds) sql.attach.run(id, componentId);
    }
    for (const { incidentId, update } of changes.newUpdates)
      sql.insertUpdate.run(updateRow(incidentId, update));
    for (const update of changes.changedUpdates) sql.editUpdate.run(updateRow('', update));
    for (const id of changes.deletedUpdateIds) sql.deleteUpdate.run(id);
  }

  const readTogether = database.transaction((work: () => PageState) => work());
  const readIncidents = database.transaction((work: () => readonly Incident[]) => work());

  return {
    async openPage(decide) {
      inTransaction(database, () => {
        const stored = storedPage();
        const next = decide(stored);
        if (next === null) return;
        const row = { ...pageRow(next.page), configured_url: next.configuredUrl };
        (stored === null ? sql.insertPage : sql.reconfigurePage).run(row);
      });
    },
    async change<T>(incidentId: string | null, decide: (state: PageState) => Decision<T>) {
      return inTransaction(database, () => {
        const { changes, result, audit, notices } = decide(load(incidentId));
        if (changes !== null) {
          write(changes);
          records.write(audit ?? null, notices ?? []);
        }
        return result;
      });
    },
    async setUp(probes, decide) {
      inTransaction(database, () => {
        const fresh = probes.filter((probe) => run.claimPart(probe));
        const changes = decide(load(null), fresh);
        if (changes !== null) write(changes);
      });
    },
    async beginRun(now, decide) {
      inTransaction(database, () => {
        const { changes, downtime } = decide(load(null), run.lastSigns());
        if (changes !== null) write(changes);
        if (downtime !== null) run.insertDowntime(downtime);
        run.beat(now);
      });
    },
    async beat(now) {
      run.beat(now);
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
    readAudit: records.readAudit,
    readNotices: records.readNotices,
    async revision() {
      return sql.revision.get() as number;
    },
  };
}
