import { type TSchema, Type } from '@sinclair/typebox';
import { invalidRequest, messages } from '../errors.ts';
import type { InPath } from '../lists/list.ts';
import { repeated } from '../lists/parameters.ts';
import { looksLikeEntity, parseEntityText } from '../parameters/entity-id-text.ts';
import type { EntityNames } from '../parameters/entity-in-path.ts';

/** The name of the path parameter of every route below a contract. */
export const CONTRACT_IN_PATH = 'contractid';

export const CONTRACT_PARAMS = Type.Object({
  contractIdOrAddress: Type.String({ description: 'Id with or without shard and realm, or EVM address.' }),
});

const ZERO_ADDRESS = '0'.repeat(40);

/**
 * The contract whose results, logs or storage a path asks for. A number need not exist; an EVM address is that of
 * a contract, or an account with code, that is not deleted.
 *
 * @returns null when nobody has the address, or it is of another network.
 * @throws MirrorApiError 400 for another form.
 * @see contracts/mirror-contracts.md section 1.1
 */
export async function contractBelow(
  text: string,
  { home, resolveAddress }: Pick<EntityNames, 'home' | 'resolveAddress'>,
): Promise<bigint | null> {
  if (!looksLikeEntity(text)) throw invalidRequest([messages.invalidParameter(CONTRACT_IN_PATH)]);
  const entity = parseEntityText(text, home);
  if (entity.kind === 'id') return entity.id;
  if (entity.kind === 'none') return null;
  return entity.hex === ZERO_ADDRESS ? 0n : resolveAddress(entity.hex);
}

/** The contract of a path; null when there is none. */
export const belowContract: InPath<bigint | null, { readonly names: EntityNames }> = {
  params: CONTRACT_PARAMS,
  read: ({ contractIdOrAddress = '' }, { names }) => contractBelow(contractIdOrAddress, names),
};

/** Times in the API documents. */
export const timesSchema = (
  description = 'Consensus timestamp with optional operator. May be repeated.',
): TSchema => repeated('((eq|ne|gt|gte|lt|lte):)?', '\\d{1,10}(\\.\\d{1,9})?', { description });
