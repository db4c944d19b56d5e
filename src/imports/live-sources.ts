import { IngestError } from '../mirror/ingest/errors.ts';
import { systemPause } from '../mirror/ingest/schedule/pause.ts';
import type { LiveSource } from '../mirror/ingest/units/live-source.ts';
import type { StreamSource } from '../mirror/ingest/units/stream-source.ts';
import type { FixtureHome } from '../mirror/items/fixture-members.ts';
import { systemClock } from '../values/clock.ts';

const SYSTEM = { fetch, clock: systemClock, random: Math.random, pause: systemPause };

/**
 * Makes a live source of a network with this shard and realm; the code of each kind is loaded with its first source.
 *
 * @throws IngestError `source_refused` for a kind that this build does not have.
 */
export async function openLiveSource(settings: LiveSource, home: FixtureHome): Promise<StreamSource> {
  if (settings.kind === 'mirror') {
    const { createMirrorSource } = await import('../mirror/ingest/follow/mirror-source.ts');
    return createMirrorSource(settings, { ...SYSTEM, home });
  }
  throw new IngestError('source_refused', `${settings.name} cannot be followed by this build`);
}
