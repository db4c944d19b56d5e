import type { Config } from '../config.ts';
import { configuredSources } from '../imports/configured-sources.ts';
import { type SourceTrial, trySource } from '../imports/try-source.ts';
import { systemPause } from '../mirror/ingest/pause.ts';
import { readAddressBookFile } from '../mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../mirror/ingest/source/file-tree.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';
import { IN_MEMORY } from '../store/database-url.ts';
import { openStore } from '../store/open-store.ts';
import { systemClock } from '../values/clock.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { createLogger } from './logger.ts';

/** A source of the configuration, and what became of trying it. */
interface TriedSource extends SourceTrial {
  readonly name: string;
}

/**
 * Tries every source that the configuration names: lists it, reads one unit, verifies it.
 *
 * @param stored the operator's ledger; null while there is none
 */
export async function examineSources(
  config: Config,
  stored: Pick<MirrorStore, 'ledger' | 'registeredNodes'> | null,
): Promise<readonly TriedSource[]> {
  const { addressBook, consensusRatio, proofs, realm, shard, start, verify } = config.mirror;
  const { importPaths, live, watchPaths } = config.mirror;
  if (importPaths.length + live.length + watchPaths.length === 0) return [];
  const tried: TriedSource[] = [];
  const empty = async () =>
    openStore({ ...config, database: IN_MEMORY }, { log: createLogger('silent'), isServing: false });
  const first = await empty();
  try {
    for (const { isFolder, isOfRecords, name, use } of configuredSources(
      config.mirror,
      stored ?? first.mirror,
    )) {
      const end = (await stored?.ledger.chainEnd()) ?? null;
      if (isOfRecords && end?.isNative === true) {
        const detail = 'is no longer read: the ledger has switched to native blocks';
        tried.push({ name, isRight: true, detail });
        continue;
      }
      const store = await empty();
      try {
        const trial = await use((source) =>
          trySource(source, {
            stored: stored?.ledger ?? null,
            empty: store.mirror,
            options: {
              verify,
              consensusRatio,
              proofs,
              shard,
              realm,
              start,
              addressBook:
                addressBook === null ? null : () => readAddressBookFile(systemFileTree, addressBook),
            },
            mayBeEmpty: isFolder,
            clock: systemClock,
            pause: systemPause,
          }),
        );
        tried.push({ name, ...trial });
      } catch (error) {
        if (!(error instanceof LedgerlensError)) throw error;
        tried.push({ name, isRight: false, detail: error.message });
      } finally {
        await store.close();
      }
    }
    return tried;
  } finally {
    await first.close();
  }
}
