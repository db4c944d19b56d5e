import type { Clock } from '../../values/clock.ts';
import type { BuiltInComponent } from '../rules/built-in-components.ts';
import { type ComponentStatus, severity } from '../rules/component-status.ts';

/** What a probe can find; a maintenance is nothing that can be measured. */
export type ProbeLevel = Exclude<ComponentStatus, 'under_maintenance'>;

/** Measures one part of the server. The other areas know nothing of it: whoever puts them together makes it. */
export interface HealthProbe {
  /** Binds it to the component with the same `probe`, for example `database`. */
  readonly name: string;
  /** Component and group that stand for it, where the table of built-in components has none of this name. */
  readonly part?: { readonly group: string; readonly component: Omit<BuiltInComponent, 'probe'> };
  /** What its component is called now, kept up whoever renames it; null, or no such member: as it is. */
  readonly displayName?: () => string | null;
  /**
   * @returns what it found and why, or null when there is nothing new: that is no sample.
   * @throws anything when the probe itself is broken: no sample either.
   */
  check(): Promise<ProbeSample | null>;
}

export interface ProbeSample {
  readonly level: ProbeLevel;
  /** For the log, without secrets; null when all is well. */
  readonly detail: string | null;
  /** How long the part took to answer; absent where nothing was answered, or nothing is waited for. */
  readonly durationMs?: number | undefined;
}

/** The worst of some findings; without any the part works. */
export function worstSample(samples: readonly ProbeSample[]): ProbeSample {
  return samples.reduce((worst, each) => (severity(each.level) > severity(worst.level) ? each : worst), {
    level: 'operational',
    detail: null,
  });
}

/** For what is too much for every round: tells once a minute that it is time. */
export function everyMinute(clock: Clock): () => boolean {
  let toldAt: number | null = null;
  return () => {
    const now = clock.now();
    if (toldAt !== null && Math.abs(now - toldAt) < 60_000) return false;
    toldAt = now;
    return true;
  };
}
