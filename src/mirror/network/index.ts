import type { FastifyPluginAsync } from 'fastify';
import type { PageSettings } from '../parameters/page-parameters.ts';
import { createGasPriceAt, type GasPriceAt, type GasPriceDependencies } from './gas-price-at.ts';
import { createGasPriceReaders } from './gas-price-readers.ts';
import type { ListNodesDependencies } from './list-nodes.ts';
import { createNetworkService, type NetworkDependencies, type NetworkService } from './network-service.ts';
import { networkRoutes } from './routes.ts';

export interface NetworkOptions
  extends Omit<NetworkDependencies, 'gasPriceReaders'>,
    Omit<GasPriceDependencies, 'network'> {
  readonly page: PageSettings & { readonly linkBase: string };
}

/** The network object: its routes, and what answers them. */
export interface Network {
  readonly routes: FastifyPluginAsync;
  readonly service: NetworkService;
  readonly nodes: ListNodesDependencies;
  readonly gasPriceAt: GasPriceAt;
}

/** Puts the network object together. */
export function createNetwork({ page, ...options }: NetworkOptions): Network {
  const { home, maxRepeated, network } = options;
  const service = createNetworkService({ ...options, gasPriceReaders: createGasPriceReaders(options) });
  const nodes = { network, home, maxRepeated, linkBase: page.linkBase };
  return {
    service,
    nodes,
    gasPriceAt: createGasPriceAt(options),
    routes: networkRoutes({ network: service, nodes, registeredNodes: { network, page, maxRepeated } }),
  };
}
