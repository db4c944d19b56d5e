import type { HealthProbe } from '../status/index.ts';
import type { Clock } from '../values/clock.ts';
import { type ChainSettings, readChainId } from '../verify/index.ts';

const ASK_MS = 60_000;
const TIMEOUT_MS = 5_000;

/**
 * One probe for each chain that has JSON-RPC endpoints: every minute they are asked for their chain number.
 *
 * Some that fail or serve another chain degrade it, all of them are an outage. Addresses are not logged: they
 * may hold keys. The response time is that of the first endpoint that works, which verifications ask too.
 */
export function createChainProbes(
  chains: readonly ChainSettings[],
  ask: typeof fetch,
  clock: Clock,
  stopwatch: () => number,
): readonly HealthProbe[] {
  return chains
    .filter(({ rpc }) => rpc.length > 0)
    .map((chain) => {
      const { chainId, name, title, rpc } = chain;
      let askedAt: number | null = null;
      return {
        name: `chain:${chainId}`,
        part: {
          group: 'Chains',
          component: { name: title ?? name, description: `JSON-RPC of chain ${chainId}` },
        },
        async check() {
          const now = clock.now();
          if (askedAt !== null && Math.abs(now - askedAt) < ASK_MS) return null;
          askedAt = now;
          const took = await Promise.all(
            rpc.map(async ({ url, headers = {} }): Promise<number | null> => {
              const begin = stopwatch();
              try {
                const told = await readChainId(ask, { url, headers, timeoutMs: TIMEOUT_MS, trace: null });
                return told === null || told === chainId ? stopwatch() - begin : null;
              } catch {
                return null;
              }
            }),
          );
          const times = took.filter((each) => each !== null);
          const [durationMs] = times;
          if (durationMs === undefined) {
            return { level: 'major_outage', detail: `0 of ${rpc.length} endpoints respond` };
          }
          if (times.length === rpc.length) return { level: 'operational', detail: null, durationMs };
          const detail = `${times.length} of ${rpc.length} endpoints respond`;
          return { level: 'degraded_performance', detail, durationMs };
        },
      };
    });
}
