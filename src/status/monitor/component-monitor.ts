import type { Clock } from '../../values/clock.ts';
import { type ComponentStatus, severity, worstStatus } from '../rules/component-status.ts';
import type { Findings } from '../store/page-keeping.ts';
import type { HealthProbe, ProbeSample } from './health-probe.ts';

/** How often every probe is asked. @see contracts/status.md section 7, Hysteresis */
export const SAMPLE_MS = 15_000;
/** A longer gap between two rounds means that the clock jumped or the process stood still. */
const JUMP_MS = 60_000;

interface ComponentMonitorParts {
  readonly probes: readonly HealthProbe[];
  readonly clock: Clock;
  /** Hands in samples and gives those of all replicas, by name of the probe. */
  readonly exchange: (samples: ReadonlyMap<string, ComponentStatus>) => Promise<Findings>;
  /** Sets monitor states by name of the probe. */
  readonly setStatuses: (byProbe: ReadonlyMap<string, ComponentStatus>) => Promise<void>;
  /** Told which of them are not stored, by name of the probe; empty when all are. */
  readonly setUnstored: (byProbe: ReadonlyMap<string, ComponentStatus>) => Promise<void>;
  readonly observer: MonitorObserver;
}

/** Told about measurements, for the log. */
interface MonitorObserver {
  /** The smoothed state that this process finds is another one now; `detail` is that of the newest sample. */
  changed(probe: string, status: ComponentStatus, detail: string | null): void;
  /** A part answered after so long. */
  measured(probe: string, milliseconds: number): void;
  /** A probe is broken, or states could not be stored; it is tried again in the next round. */
  faulted(probe: string | null, error: unknown): void;
}

/**
 * Asks the probes in rounds and keeps the monitor layer of their components.
 *
 * What counts is what all replicas found, smoothed. While they cannot be asked it is what this process finds.
 * A probe that has not answered when the next round comes gives no sample in it.
 */
export class ComponentMonitor {
  readonly #parts: ComponentMonitorParts;
  /** What this process finds. */
  readonly #own = new Map<string, SmoothedStatus>();
  /** What all replicas find. */
  readonly #merged = new Map<string, SmoothedStatus>();
  readonly #stored = new Map<string, ComponentStatus>();
  readonly #asked = new Set<string>();
  #lastRound: number | null = null;

  /** @param stored monitor states at the start, by name of the probe; absent counts as operational. */
  constructor(parts: ComponentMonitorParts, stored: ReadonlyMap<string, ComponentStatus>) {
    this.#parts = parts;
    for (const { name } of parts.probes) {
      const status = stored.get(name) ?? 'operational';
      this.#stored.set(name, status);
      this.#own.set(name, startSmoothing(status));
      this.#merged.set(name, startSmoothing(status));
    }
  }

  /** What is stored is not known: another replica stored. */
  forgetStored(): void {
    this.#stored.clear();
  }

  /** Takes one sample of every probe. Never rejects. */
  async round(): Promise<void> {
    const { clock, observer, probes } = this.#parts;
    const now = clock.now();
    const sinceLast = this.#lastRound === null ? SAMPLE_MS : now - this.#lastRound;
    this.#lastRound = now;
    if (sinceLast < 0 || sinceLast > SAMPLE_MS + JUMP_MS) return;
    const levels = new Map<string, ComponentStatus>();
    await Promise.all(
      probes.map(async (probe) => {
        const sample = await this.#sample(probe);
        if (sample === null) return;
        levels.set(probe.name, sample.level);
        this.#take(probe.name, sample, now);
      }),
    );
    try {
      await this.#merge(levels, now);
      await this.#store();
    } catch (error) {
      observer.faulted(null, error);
    }
  }

  /** Null: there is none in this round. */
  async #sample(probe: HealthProbe): Promise<ProbeSample | null> {
    if (this.#asked.has(probe.name)) return null;
    this.#asked.add(probe.name);
    try {
      return await probe.check();
    } catch (error) {
      this.#parts.observer.faulted(probe.name, error);
      return null;
    } finally {
      this.#asked.delete(probe.name);
    }
  }

  #take(name: string, { level, detail, durationMs }: ProbeSample, now: number): void {
    if (durationMs !== undefined) this.#parts.observer.measured(name, durationMs);
    const before = this.#own.get(name) ?? startSmoothing('operational');
    const after = smoothStatus(before, level, now);
    this.#own.set(name, after);
    if (after.status !== before.status) this.#parts.observer.changed(name, after.status, detail);
  }

  /**
   * What others found of a part counts when this process looked at it, too: so often, however many they are.
   *
   * @param levels what this process found in this round.
   */
  async #merge(levels: ReadonlyMap<string, ComponentStatus>, now: number): Promise<void> {
    try {
      const found = await this.#parts.exchange(levels);
      for (const [name, level] of levels) {
        const before = this.#merged.get(name) ?? startSmoothing('operational');
        this.#merged.set(name, smoothStatus(before, mergeLevels(found.get(name) ?? [level]), now));
      }
    } catch (error) {
      await this.#parts.setUnstored(this.#changed(this.#own));
      throw error;
    }
  }

  #changed(smoothed: ReadonlyMap<string, SmoothedStatus>): ReadonlyMap<string, ComponentStatus> {
    const changed = new Map<string, ComponentStatus>();
    for (const [name, { status }] of smoothed) {
      if (this.#stored.get(name) !== status) changed.set(name, status);
    }
    return changed;
  }

  /** Writes only what changed: a healthy server leaves the database alone. */
  async #store(): Promise<void> {
    const changed = this.#changed(this.#merged);
    const { setStatuses, setUnstored } = this.#parts;
    try {
      if (changed.size > 0) await setStatuses(changed);
    } catch (error) {
      await setUnstored(changed);
      throw error;
    }
    await setUnstored(new Map());
    for (const [name, status] of changed) this.#stored.set(name, status);
  }
}

/**
 * What several replicas found of a part, as one level: the worst that more than half of them found at least. Where just
 * half found worse, that counts as well, though as no more than a partial outage: every second request meets it.
 *
 * @param found one level of each replica, at least one; their order does not matter.
 * @see docs/adr/0023-status-page.md
 */
export function mergeLevels(found: readonly ComponentStatus[]): ComponentStatus {
  const sorted = [...found].sort((a, b) => severity(a) - severity(b));
  const ofMost = sorted[Math.floor((sorted.length - 1) / 2)] ?? 'operational';
  const ofHalf = sorted[Math.floor(sorted.length / 2)] ?? ofMost;
  if (severity(ofHalf) <= severity('partial_outage')) return ofHalf;
  return severity(ofMost) > severity('partial_outage') ? ofMost : 'partial_outage';
}

/** What a probe's samples have made of a component's monitor layer so far. */
interface SmoothedStatus {
  readonly status: ComponentStatus;
  /** UTC milliseconds of the last change that was seen here; null when there was none since the start. */
  readonly changedAt: number | null;
  /** The newest samples, the newest last; no more than a rule looks at. */
  readonly samples: readonly ComponentStatus[];
}

const WORSEN_SAMPLES = 3;
const IMPROVE_SAMPLES = 8;
const MIN_DWELL_MS = 60_000;

/** The beginning of a window: the status as it was stored, no samples. */
export function startSmoothing(status: ComponentStatus): SmoothedStatus {
  return { status, changedAt: null, samples: [] };
}

/**
 * Takes one more sample into account.
 *
 * Worse after three samples in a row that all are, at the mildest of them; better after eight, at the worst of
 * them, and not within a minute of the last change. So one bad or good sample never shows.
 *
 * @param at instant of the sample, UTC milliseconds.
 * @see contracts/status.md section 7, Hysteresis
 */
export function smoothStatus(before: SmoothedStatus, sample: ComponentStatus, at: number): SmoothedStatus {
  const samples = [...before.samples, sample].slice(-IMPROVE_SAMPLES);
  const { status, changedAt } = before;
  const current = severity(status);

  const recent = samples.slice(-WORSEN_SAMPLES);
  if (recent.length === WORSEN_SAMPLES && recent.every((each) => severity(each) > current)) {
    return { status: mildest(recent), changedAt: at, samples };
  }
  const isSettled = changedAt === null || at - changedAt >= MIN_DWELL_MS;
  if (isSettled && samples.length === IMPROVE_SAMPLES && samples.every((each) => severity(each) < current)) {
    return { status: worstStatus(samples), changedAt: at, samples };
  }
  return { status, changedAt, samples };
}

function mildest(samples: readonly ComponentStatus[]): ComponentStatus {
  return samples.reduce((mild, each) => (severity(each) < severity(mild) ? each : mild));
}
