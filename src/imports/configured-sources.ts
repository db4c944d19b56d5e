import type { Config } from '../config.ts';
import { isFixturePath } from '../mirror/ingest/fixture/fixture-importer.ts';
import { createProofChecker } from '../mirror/ingest/proof-threads/proof-checker.ts';
import { createDirectorySource } from '../mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../mirror/ingest/source/file-tree.ts';
import type { StreamSource } from '../mirror/ingest/units/stream-source.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';
import { openLiveSource } from './live-sources.ts';

/** A place that the configuration names, to be looked at once. */
interface ConfiguredSource {
  readonly name: string;
  readonly isFolder: boolean;
  /** Whether it has nothing but record files. */
  readonly isOfRecords: boolean;
  /** Opens it for a while. */
  use<T>(look: (source: StreamSource) => Promise<T>): Promise<T>;
}

/**
 * The sources of a configuration, in order of trust, as commands look at them; fixtures are none.
 *
 * @param names those to take instead: of configured sources, or folders
 */
export function configuredSources(
  config: Config['mirror'],
  { ledger, registeredNodes }: Pick<MirrorStore, 'ledger' | 'registeredNodes'>,
  names: readonly string[] = [],
): readonly ConfiguredSource[] {
  const { importPaths, live, watchPaths } = config;
  const followed = {
    repository: ledger,
    registered: registeredNodes,
    options: config,
    proofs: async () => createProofChecker(),
  };
  const wanted = live.filter(({ name }) => names.length === 0 || names.includes(name));
  const paths = names.length === 0 ? [...importPaths, ...watchPaths] : names;
  const folders = paths.filter((path) => !isFixturePath(path) && !wanted.some(({ name }) => name === path));
  return [
    ...folders.map(
      (name): ConfiguredSource => ({
        name,
        isFolder: true,
        isOfRecords: false,
        use: (look) => look(createDirectorySource(name, systemFileTree)),
      }),
    ),
    ...wanted.map(
      (settings): ConfiguredSource => ({
        name: settings.name,
        isFolder: false,
        isOfRecords: settings.kind === 'bucket' && settings.content === 'records',
        async use(look) {
          const source = await openLiveSource(settings, followed);
          try {
            return await look(source);
          } finally {
            await source.close?.();
          }
        },
      }),
    ),
  ];
}
