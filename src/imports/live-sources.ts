import { IngestError } from '../mirror/ingest/errors.ts';
import type { LiveSource } from '../mirror/ingest/units/live-source.ts';
import type { StreamSource } from '../mirror/ingest/units/stream-source.ts';

/**
 * Makes a live source; the code of each kind is loaded with its first source.
 *
 * @throws IngestError `source_refused` for a kind that this build does not have.
 */
export async function openLiveSource(settings: LiveSource): Promise<StreamSource> {
  throw new IngestError('source_refused', `${settings.name} cannot be followed by this build`);
}
