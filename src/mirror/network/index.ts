import type { FastifyPluginAsync } from 'fastify';
import type { ListContext } from '../lists/list.ts';
import { createGasPriceAt, type GasPriceAt, type GasPriceDependencies } from './gas-price-at.ts';
import { createGasPriceReaders } from './gas-price-readers.ts';
import { createNetworkService, type NetworkDependencies, type NetworkService } from './network-service.ts';
import { networkRoutes } from './routes.ts';

interface NetworkOptions
  extends Omit<NetworkDependencies, 'gasPriceReaders'>,
    Omit<GasPriceDependencies, 'network'> {
  readonly shared: ListContext;
}

/** The network object: its routes, and what answers them. */
interface Network {
  readonly routes: FastifyPluginAsync;
  readonly service: NetworkService;
  readonly gasPriceAt: GasPriceAt;
}

/** Puts the network object together. */
export function createNetwork({ shared, ...options }: NetworkOptions): Network {
  const { network } = options;
  const service = createNetworkService({ ...options, gasPriceReaders: createGasPriceReaders(options) });
  return {
    service,
    gasPriceAt: createGasPriceAt(options),
    routes: networkRoutes({ network: service, lists: { ...shared, network } }),
  };
}
