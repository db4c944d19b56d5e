import type { RebuildDependencies } from '../mirror/ingest/rebuild/rebuild-ledger.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';

/**
 * Does work that derives a stored ledger once more. Its state is derived only of all units: none may have been deleted.
 */
export async function derivingLedger<T>(
  { ledger, rebuild, retention }: Pick<MirrorStore, 'ledger' | 'rebuild' | 'retention'>,
  work: (parts: RebuildDependencies) => Promise<T>,
): Promise<T> {
  const { beginState, lookupBefore, units } = rebuild();
  const state = (await retention.hasPruned()) ? null : await beginState();
  try {
    const fileContents: RebuildDependencies['fileContents'] = (num, at, before) =>
      ledger.fileContents(num, at, before);
    return await work({ units, lookupBefore, fileContents, state });
  } finally {
    await state?.close();
  }
}
