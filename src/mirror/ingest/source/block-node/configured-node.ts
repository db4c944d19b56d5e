import type { BlockNodeAddress } from '../../units/live-source.ts';
import type { BlockNode } from './block-node-connection.ts';

/** A node of the settings: both services on one host, on one port or two. */
export function configuredNode({ host, isTls, name, statusPort, streamPort }: BlockNodeAddress): BlockNode {
  return {
    name,
    stream: { host, port: streamPort, isTls },
    status: { host, port: statusPort, isTls },
  };
}
