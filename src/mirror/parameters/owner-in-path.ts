import { MirrorApiError, notFoundError } from '../errors.ts';
import { accountInPath, type EntityNames } from './entity-in-path.ts';

/**
 * As {@link accountInPath}, with one 404 for addresses and aliases: lists that the reference answers with another program.
 *
 * @see contracts/mirror-entities.md section 4
 */
export async function ownerInPath(text: string, names: EntityNames): Promise<bigint> {
  try {
    return await accountInPath(text, names);
  } catch (error) {
    if (!(error instanceof MirrorApiError) || error.statusCode !== 404) throw error;
    throw notFoundError('No account found for the given ID');
  }
}
