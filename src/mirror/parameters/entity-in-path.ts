import { invalidRequest, messages } from '../errors.ts';
import { isOfHome, parseAliasText } from './account-alias-text.ts';
import type { ResolveAddress, ResolveAlias } from './account-filter.ts';
import { type EntityHome, looksLikeEntity, parseEntityText } from './entity-id-text.ts';

/** What turns addresses and aliases into ids. */
export interface EntityNames {
  readonly home: EntityHome;
  readonly resolveAddress: ResolveAddress;
  readonly resolveAlias: ResolveAlias;
}

/**
 * The entity that an id, an EVM address or an alias in a path names; it need not exist.
 *
 * @param parameter name of the path parameter, for the error.
 * @returns null for an address or alias that nobody has, and for an id beyond what can be encoded.
 * @throws MirrorApiError 400 for another form.
 * @see contracts/mirror-roadmap.md, accounts
 */
export async function accountInPath(
  text: string,
  parameter: string,
  names: EntityNames,
): Promise<bigint | null> {
  const alias = looksLikeEntity(text) ? null : parseAliasText(text);
  if (alias === null) return contractInPath(text, parameter, names);
  return isOfHome(alias, names.home) ? names.resolveAlias(alias.alias) : null;
}

/** As {@link accountInPath}, without aliases, which contracts do not have. */
export async function contractInPath(
  text: string,
  parameter: string,
  { home, resolveAddress }: Omit<EntityNames, 'resolveAlias'>,
): Promise<bigint | null> {
  if (!looksLikeEntity(text)) throw invalidRequest([messages.invalidParameter(parameter)]);
  const entity = parseEntityText(text, home);
  if (entity.kind === 'id') return entity.id;
  return entity.kind === 'nobody' ? null : resolveAddress(entity.hex);
}
