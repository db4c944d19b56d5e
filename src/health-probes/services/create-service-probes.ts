import type { ServiceProbe } from '../../service-probe.ts';
import type { HealthProbe, ProbeSample } from '../../status/index.ts';
import { type CheckServiceParts, checkService } from './check-service.ts';
import { createTurns } from './turns.ts';

interface ServiceProbesParts extends CheckServiceParts {
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Services that are asked at the same time. */
const AT_ONCE = 8;
/** Half the time between two rounds of the page: whatever is due before the next one is asked in this one. */
const EARLY_MS = 7_500;

/**
 * One probe for each configured service.
 *
 * A round does not wait for them, so that a slow service keeps no other part from being measured: it starts what is
 * due and takes what earlier rounds started. None is asked again before it has answered.
 */
export function createServiceProbes(
  services: readonly ServiceProbe[],
  parts: ServiceProbesParts,
): readonly HealthProbe[] {
  const turns = createTurns(AT_ONCE);
  return services.map((service) => {
    let askedAt: number | null = null;
    let isAsking = false;
    let found: ProbeSample | null = null;

    async function ask(): Promise<void> {
      isAsking = true;
      const sample = await turns.run(async () =>
        parts.signal.aborted ? null : checkService(service, parts, parts.signal),
      );
      // What the end of the server cut off says nothing about the service.
      if (!parts.signal.aborted) found = sample;
      isAsking = false;
    }

    return {
      name: `service:${service.name}`,
      part: {
        group: service.group,
        component: { name: service.name, description: service.description },
      },
      async check() {
        const sample = found;
        found = null;
        const now = parts.clock.now();
        const isDue = askedAt === null || Math.abs(now - askedAt) >= service.everySeconds * 1000 - EARLY_MS;
        if (isDue && !isAsking && !parts.signal.aborted) {
          askedAt = now;
          void ask();
        }
        return sample;
      },
    };
  });
}
