import type { ProxyResolution, ProxyResolver } from '../proxy/proxy-resolver.ts';
import type { VerifyService } from '../verify-service.ts';
import type { CompiledContract } from './contract-repository.ts';

/** Tells whether a verified contract is a proxy, and for what; a chain that fails is a value, too. */
export async function resolveStoredProxy(
  { service, proxies }: { readonly service: VerifyService; readonly proxies: ProxyResolver },
  { match: { chainId, address }, creation, runtime }: CompiledContract,
): Promise<ProxyResolution> {
  const { state } = service.requireChain(chainId);
  const code = runtime.onchain ?? runtime.recompiled;
  return proxies.resolve({ chainId, address, state, runtime: code, creation: creation.onchain });
}
