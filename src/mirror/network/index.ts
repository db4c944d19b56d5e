import type { FastifyPluginAsync } from 'fastify';
import type { PageSettings } from '../parameters/page-parameters.ts';
import { createNetworkService, type NetworkDependencies } from './network-service.ts';
import { networkRoutes } from './routes.ts';

export interface NetworkOptions extends NetworkDependencies {
  readonly page: PageSettings & { readonly linkBase: string };
}

/** Puts the routes of the network together. */
export function createNetwork({ page, ...options }: NetworkOptions): FastifyPluginAsync {
  const { home, maxRepeated, network } = options;
  return networkRoutes({
    network: createNetworkService(options),
    nodes: { network, home, maxRepeated, linkBase: page.linkBase },
    registeredNodes: { network, page, maxRepeated },
  });
}
