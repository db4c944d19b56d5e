import type { MirrorStore } from '../../../src/mirror/mirror-store.ts';
import type { EntityNames } from '../../../src/mirror/parameters/entity-in-path.ts';

/** The names of a store for lists that are read without a server, of a network 0.0. */
export function listNames({ entities, reader }: MirrorStore): EntityNames {
  return {
    home: { shard: 0n, realm: 0n },
    resolveAddress: (hex) => reader.entityByEvmAddress(hex),
    resolveAlias: (alias) => entities.byAlias(alias),
    isKnown: async (id) => (await entities.find(id)) !== null,
  };
}
