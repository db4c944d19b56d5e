import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../values/clock.ts';
import type { Repeat } from '../../values/repetition.ts';
import { NO_CHANGES } from '../edits/open-page.ts';
import { forgetUnbound } from '../edits/probed-components.ts';
import { settleChange } from '../edits/settle-change.ts';
import type { ComponentEvent, Downtime, PageState } from '../model/page-state.ts';
import { type ComponentStatus, publicStatus } from '../rules/component-status.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusService } from '../service/create-status-service.ts';
import type { KeeperToken, PageKeeping } from '../store/page-keeping.ts';
import type { ResponseTimes } from '../store/response-times.sql.ts';
import type { LastSigns, RunStart, StatusRepository } from '../store/status-repository.ts';
import { bucketOf } from '../uptime/response-buckets.ts';
import { lastDays } from '../uptime/status-history.ts';
import { autoIncidentCalls } from './auto-incidents.ts';
import { ComponentMonitor, SAMPLE_MS } from './component-monitor.ts';
import type { HealthProbe } from './health-probe.ts';
import type { UnstoredStatuses } from './unstored-statuses.ts';

/** @see contracts/status.md section 5 */
const SCHEDULE_MS = 5_000;
/** @see contracts/status.md section 7, honest downtime */
const BEAT_MS = 10_000;

interface PageUpkeepParts {
  readonly repository: StatusRepository;
  readonly keeping: PageKeeping;
  readonly responseTimes: ResponseTimes;
  readonly service: StatusService;
  readonly probes: readonly HealthProbe[];
  readonly clock: Clock;
  readonly repeat: Repeat;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Whether the time without a server counts as an outage. */
  readonly recordsDowntime: boolean;
  /** Whether long outages get incidents by themselves. */
  readonly opensIncidents: boolean;
  /** What is found and cannot be stored. */
  readonly unstored: UnstoredStatuses;
  /** Whether a fault has a line in the log already, since it is one of the whole database. */
  readonly isToldElsewhere: (error: unknown) => boolean;
  /** Called when this process begins to keep the page. */
  readonly onKept: () => void;
  /** Awaited after what changes the page without a call of the service. */
  readonly onChanged: () => Promise<void>;
}

/** How often the times that parts took are written; what a crash loses is no more. */
const WRITE_TIMES_MS = 300_000;
/** Days that are kept: those of the charts. */
const KEEP_DAYS = 90;

/**
 * What a running server does for its page by itself: maintenances, probes, signs of life. Of several replicas all measure,
 * and the one that keeps the page does the rest.
 */
export class PageUpkeep {
  readonly #parts: PageUpkeepParts;
  readonly #responses = new ResponseCounter();
  #monitor: ComponentMonitor | null = null;
  #startedAt = 0;
  #kept: KeeperToken | null = null;
  #stops: readonly (() => Promise<void>)[] = [];

  constructor(parts: PageUpkeepParts) {
    this.#parts = parts;
  }

  /** Records the time without a server, does what became due meanwhile, then continues by the clock. */
  async start(): Promise<void> {
    const { keeping, service, probes, clock, repeat, log, unstored, onChanged, isToldElsewhere } =
      this.#parts;
    this.#startedAt = clock.now();
    await this.#keep();
    const monitor = new ComponentMonitor(
      {
        probes,
        clock,
        exchange: (samples) => keeping.exchange(samples),
        setStatuses: async (statuses) => {
          if (keeping.isKeeper()) await service.setProbeStatuses(statuses);
        },
        setUnstored: async (statuses) => {
          if (unstored.set(statuses, clock.now())) await onChanged();
        },
        observer: {
          changed: (probe, status, detail) =>
            log.warn({ probe, status, detail }, 'the status of a part of the server changed'),
          measured: (probe, milliseconds) => this.#responses.add(probe, milliseconds),
          faulted: (probe, err) => {
            if (!isToldElsewhere(err))
              log.error({ err, probe }, 'a part of the server could not be measured');
          },
        },
      },
      await this.#storedStatuses(),
    );
    this.#monitor = monitor;
    this.#stops = [
      repeat(() => this.#keep(), SCHEDULE_MS),
      repeat(() => this.#beat(), BEAT_MS),
      ...(probes.length === 0
        ? []
        : [repeat(() => this.#round(monitor), SAMPLE_MS), repeat(() => this.#writeTimes(), WRITE_TIMES_MS)]),
    ];
  }

  /** Ends after what is under way, with a last sign of life. */
  async close(): Promise<void> {
    const stops = this.#stops;
    this.#stops = [];
    await Promise.all(stops.map((stop) => stop()));
    if (stops.length === 0) return;
    await this.#writeTimes();
    await this.#beat();
  }

  /** Keeps the page on, or takes it over: then what is due is done at once. */
  async #keep(): Promise<void> {
    const { keeping, onKept, service } = this.#parts;
    const before = this.#kept;
    await this.#guarded('the lease of the status page could not be renewed', async () => {
      this.#kept = await keeping.hold();
    });
    if (this.#kept === null) return;
    const isNew = this.#kept !== before;
    if (isNew) {
      await this.#guarded('the downtime could not be recorded', () => this.#recordDowntime());
      this.#monitor?.forgetStored();
      onKept();
    }
    await this.#guarded('maintenances could not be updated', () => service.runMaintenanceSchedule());
    if (isNew) await this.#nameComponents();
  }

  async #beat(): Promise<void> {
    const { clock, keeping, repository } = this.#parts;
    if (!keeping.isKeeper()) return;
    await this.#guarded('the heartbeat could not be written', () => repository.beat(clock.now()));
  }

  /** All of a few minutes go to the day on which they are written. */
  #writeTimes(): Promise<void> {
    const { repository, responseTimes, clock } = this.#parts;
    return this.#guarded('response times could not be written', () =>
      this.#responses.flush(async (counts) => {
        if (counts.length === 0) return;
        const zoned = createZonedTime((await repository.readPage()).timeZone);
        const days = lastDays(zoned, clock.now(), KEEP_DAYS);
        const date = days.at(-1)?.date ?? '';
        await responseTimes.add(
          counts.map((count) => ({ ...count, date })),
          days[0]?.date ?? date,
        );
      }),
    );
  }

  async #round(monitor: ComponentMonitor): Promise<void> {
    await monitor.round();
    if (!this.#parts.keeping.isKeeper()) return;
    await this.#nameComponents();
    if (!this.#parts.opensIncidents) return;
    await this.#guarded('incidents could not be opened or resolved', () => this.#followOutages());
  }

  #nameComponents(): Promise<void> {
    return this.#guarded('components could not be named', async () => {
      const names = this.#parts.probes.flatMap(({ displayName, name }) => {
        const wanted = displayName?.() ?? null;
        return wanted === null ? [] : [[name, wanted] as const];
      });
      if (names.length > 0) await this.#parts.service.nameProbed(new Map(names));
    });
  }

  async #followOutages(): Promise<void> {
    const { repository, clock, service } = this.#parts;
    const state = await repository.read(null);
    const calls = autoIncidentCalls(state, await repository.readLastEvents(), clock.now());
    const monitor = service.by({ name: 'monitor' });
    for (const members of calls.open) await monitor.createIncident(members);
    for (const id of calls.resolve) await monitor.updateIncident(id, { status: 'resolved' });
  }

  async #recordDowntime(): Promise<void> {
    const { repository, probes, clock, log, onChanged, recordsDowntime } = this.#parts;
    const bound = new Set(probes.map(({ name }) => name));
    const now = clock.now();
    const decide = (before: PageState, { lastBeat, lastEvents }: LastSigns): RunStart => {
      // As long as this process runs there is a server, whoever kept the page.
      const downtime = recordsDowntime ? findDowntime(lastBeat, this.#startedAt) : null;
      const settled = settleChange(before, forgetUnbound(before, bound), now, 'monitor');
      const events = downtime === null ? [] : downtimeEvents(before, downtime, lastEvents);
      if (downtime !== null) log.warn({ ...downtime }, 'no server was running for a while');
      if (events.length === 0) return { changes: settled.changes, downtime };
      const page = { ...before.page, revision: before.page.revision + 1 };
      const changes = settled.changes ?? { ...NO_CHANGES, page };
      return { changes: { ...changes, events: [...events, ...changes.events] }, downtime };
    };
    await repository.beginRun(now, decide);
    await onChanged();
  }

  async #storedStatuses(): Promise<ReadonlyMap<string, ComponentStatus>> {
    const { components } = await this.#parts.repository.read(null);
    return new Map(
      components.flatMap(({ probe, monitorStatus }) => (probe === null ? [] : [[probe, monitorStatus]])),
    );
  }

  /** Nobody waits for this work; the next turn tries again. */
  async #guarded(text: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      // The database may be busy or gone for a while.
      if (!this.#parts.isToldElsewhere(err)) this.#parts.log.error({ err }, text);
    }
  }
}

/** A shorter gap is a restart. */
const UNNOTICED_MS = 60_000;
const CAUSE = 'service not running';

/** The time from the last sign of life to a start, or null when it was short or no server ever ran. */
function findDowntime(lastBeat: number | null, now: number): Downtime | null {
  return lastBeat !== null && now - lastBeat > UNNOTICED_MS ? { from: lastBeat, to: now } : null;
}

/**
 * The downtime as two events of every monitored component: out, and back to what it shows now.
 *
 * What was under maintenance stays so: nobody was promised that it runs. A component that a command changed
 * meanwhile was out only afterwards, so that events never cross.
 *
 * @param lastEvents instant of the newest event by component, UTC milliseconds.
 * @see contracts/status.md section 7, honest downtime
 */
function downtimeEvents(
  state: PageState,
  { from, to }: Downtime,
  lastEvents: ReadonlyMap<string, number>,
): readonly ComponentEvent[] {
  const monitored = state.components.filter(({ group, probe }) => !group && probe !== null);
  return monitored.flatMap((component): ComponentEvent[] => {
    const shown = publicStatus(component);
    if (shown === 'under_maintenance' || shown === 'major_outage') return [];
    const event = { componentId: component.id, layer: 'monitor', cause: CAUSE } as const;
    const start = Math.max(from, lastEvents.get(component.id) ?? component.createdAt);
    return [
      { ...event, from: shown, to: 'major_outage', at: start },
      { ...event, from: 'major_outage', to: shown, at: to },
    ];
  });
}

/** Counts in memory how long probes took, until it is written. */
export class ResponseCounter {
  #counts = new Map<string, Map<number, number>>();

  add(probe: string, milliseconds: number): void {
    const counts = this.#counts.get(probe) ?? new Map<number, number>();
    this.#counts.set(probe, counts);
    const bucket = bucketOf(milliseconds);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }

  /** What was counted since the last call; when `write` fails it is kept. */
  async flush(
    write: (counts: readonly { probe: string; bucket: number; count: number }[]) => Promise<void>,
  ): Promise<void> {
    const taken = this.#counts;
    this.#counts = new Map();
    try {
      await write(
        [...taken].flatMap(([probe, counts]) =>
          [...counts].map(([bucket, count]) => ({ probe, bucket, count })),
        ),
      );
    } catch (error) {
      for (const [probe, counts] of this.#counts) {
        const before = taken.get(probe) ?? new Map<number, number>();
        for (const [bucket, count] of counts) before.set(bucket, (before.get(bucket) ?? 0) + count);
        taken.set(probe, before);
      }
      this.#counts = taken;
      throw error;
    }
  }
}
