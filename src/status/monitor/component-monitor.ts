import type { Clock } from '../../values/clock.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { HealthProbe, ProbeSample } from './health-probe.ts';
import { type SmoothedStatus, smoothStatus, startSmoothing } from './smooth-status.ts';

/** How often every probe is asked. @see contracts/status.md section 7, Hysteresis */
export const SAMPLE_MS = 15_000;
/** A longer gap between two rounds means that the clock jumped or the process stood still. */
const JUMP_MS = 60_000;

export interface ComponentMonitorParts {
  readonly probes: readonly HealthProbe[];
  readonly clock: Clock;
  /** Sets monitor states by name of the probe. */
  readonly setStatuses: (byProbe: ReadonlyMap<string, ComponentStatus>) => Promise<void>;
  /** Told which of them are not stored, by name of the probe; empty when all are. */
  readonly setUnstored: (byProbe: ReadonlyMap<string, ComponentStatus>) => Promise<void>;
  readonly observer: MonitorObserver;
}

/** Told about measurements, for the log. */
export interface MonitorObserver {
  /** A smoothed state is another one now; `detail` is that of the newest sample. */
  changed(probe: string, status: ComponentStatus, detail: string | null): void;
  /** A part answered after so long. */
  measured(probe: string, milliseconds: number): void;
  /** A probe is broken, or states could not be stored; it is tried again in the next round. */
  faulted(probe: string | null, error: unknown): void;
}

/**
 * Asks the probes in rounds and keeps the monitor layer of their components.
 *
 * A probe that has not answered when the next round comes gives no sample in it.
 */
export class ComponentMonitor {
  readonly #parts: ComponentMonitorParts;
  readonly #smoothed = new Map<string, SmoothedStatus>();
  readonly #stored = new Map<string, ComponentStatus>();
  readonly #asked = new Set<string>();
  #lastRound: number | null = null;

  /** @param stored monitor states at the start, by name of the probe; absent counts as operational. */
  constructor(parts: ComponentMonitorParts, stored: ReadonlyMap<string, ComponentStatus>) {
    this.#parts = parts;
    for (const { name } of parts.probes) {
      const status = stored.get(name) ?? 'operational';
      this.#stored.set(name, status);
      this.#smoothed.set(name, startSmoothing(status));
    }
  }

  /** Takes one sample of every probe. Never rejects. */
  async round(): Promise<void> {
    const { clock, observer, probes } = this.#parts;
    const now = clock.now();
    const sinceLast = this.#lastRound === null ? SAMPLE_MS : now - this.#lastRound;
    this.#lastRound = now;
    if (sinceLast < 0 || sinceLast > SAMPLE_MS + JUMP_MS) return;
    await Promise.all(probes.map((probe) => this.#sample(probe, now)));
    try {
      await this.#store();
    } catch (error) {
      observer.faulted(null, error);
    }
  }

  async #sample(probe: HealthProbe, now: number): Promise<void> {
    if (this.#asked.has(probe.name)) return;
    this.#asked.add(probe.name);
    try {
      const sample = await probe.check();
      if (sample !== null) this.#take(probe.name, sample, now);
    } catch (error) {
      this.#parts.observer.faulted(probe.name, error);
    } finally {
      this.#asked.delete(probe.name);
    }
  }

  #take(name: string, { level, detail, durationMs }: ProbeSample, now: number): void {
    if (durationMs !== undefined) this.#parts.observer.measured(name, durationMs);
    const before = this.#smoothed.get(name) ?? startSmoothing('operational');
    const after = smoothStatus(before, level, now);
    this.#smoothed.set(name, after);
    if (after.status !== before.status) this.#parts.observer.changed(name, after.status, detail);
  }

  /** Writes only what changed: a healthy server leaves the database alone. */
  async #store(): Promise<void> {
    const changed = new Map<string, ComponentStatus>();
    for (const [name, { status }] of this.#smoothed) {
      if (this.#stored.get(name) !== status) changed.set(name, status);
    }
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
