import type { HealthProbe } from '../status/index.ts';
import type { Clock } from '../values/clock.ts';
import { type ChainSettings, readChainId } from '../verify/index.ts';

const ASK_MS = 60_000;
const TIMEOUT_MS = 5_000;

/**
 * One probe for each chain that has JSON-RPC endpoints: every minute they are asked for their chain number.
 *
 * Some that fail or serve another chain degrade it, all of them are an outage. Addresses are not logged: they
 * may hold keys.
 */
export function createChainProbes(
  chains: readonly ChainSettings[],
  ask: typeof fetch,
  clock: Clock,
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
          const answers = await Promise.allSettled(
            rpc.map(({ url, headers = {} }) =>
              readChainId(ask, { url, headers, timeoutMs: TIMEOUT_MS, trace: null }),
            ),
          );
          const working = answers.filter(
            (answer) => answer.status === 'fulfilled' && (answer.value === null || answer.value === chainId),
          ).length;
          const detail = `${working} of ${rpc.length} endpoints answer for it`;
          if (working === rpc.length) return { level: 'operational', detail: null };
          return { level: working === 0 ? 'major_outage' : 'degraded_performance', detail };
        },
      };
    });
}
