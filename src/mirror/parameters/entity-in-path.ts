import { encodeEntityId } from '../../values/entity-id.ts';
import { invalidRequest, MirrorApiError, messages, notFoundError } from '../errors.ts';
import { entityOfLongZero } from '../vocabulary/long-zero-address.ts';
import { isOfHome, parseAliasText } from './account-alias-text.ts';
import type { ResolveAddress, ResolveAlias } from './account-filter.ts';
import { type EntityHome, looksLikeEntity, parseEntityText } from './entity-id-text.ts';

/** What turns addresses and aliases into ids. */
export interface EntityNames {
  readonly home: EntityHome;
  readonly resolveAddress: ResolveAddress;
  readonly resolveAlias: ResolveAlias;
  /** Whether the ledger knows anything of an entity, of whatever kind. */
  readonly isKnown: (id: bigint) => Promise<boolean>;
}

/** The name of the path parameter of every route of or below an account. */
export const ACCOUNT_IN_PATH = 'idOrAliasOrEvmAddress';

/** A number with shard and realm, with the realm, or alone. */
const NUMBER = /^(?:(?:(\d{1,10})\.)?(\d{1,10})\.)?(\d{1,12})$/;
const EVM_ADDRESS = /^(?:0x|(?:(?:(\d{1,10})\.)?(\d{1,10})\.)?)([A-Fa-f0-9]{40})$/;
const NO_ALIAS = 'No account with a matching alias found';

/**
 * The account that an id, an EVM address or an alias in a path names. A number need not exist: see
 * {@link knownAccountInPath} for lists of which an account must be there.
 *
 * @throws MirrorApiError 400 for another form or network, 404 for an address or alias that nobody has.
 * @see contracts/mirror-entities.md section 1.1
 */
export async function accountInPath(text: string, names: EntityNames): Promise<bigint> {
  const number = NUMBER.exec(text);
  if (number !== null) return idOf(number, names.home);
  const address = EVM_ADDRESS.exec(text);
  if (address !== null) return ownerOf(address, names);
  const alias = parseAliasText(text);
  if (alias === null || !isOfHome(alias, names.home)) throw invalidPath();
  const id = await names.resolveAlias(alias.alias);
  if (id === null) throw new MirrorApiError(404, [{ message: NO_ALIAS }]);
  return id;
}

/** As {@link accountInPath}. @throws MirrorApiError 404 as well when the ledger knows nothing with the id */
export async function knownAccountInPath(text: string, names: EntityNames): Promise<bigint> {
  const id = await accountInPath(text, names);
  if (!(await names.isKnown(id))) throw notFoundError();
  return id;
}

function idOf([, shard, realm, num = '']: RegExpExecArray, home: EntityHome): bigint {
  const id = encodeEntityId(BigInt(shard ?? home.shard), BigInt(realm ?? home.realm), BigInt(num));
  if (id === null) throw invalidPath();
  return id;
}

async function ownerOf([, shard, realm, hex = '']: RegExpExecArray, names: EntityNames): Promise<bigint> {
  const { home, resolveAddress } = names;
  const written = {
    shard: shard === undefined ? null : BigInt(shard),
    realm: realm === undefined ? null : BigInt(realm),
  };
  if (!isOfHome(written, home)) throw invalidPath();
  const id = entityOfLongZero(Buffer.from(hex, 'hex'), home) ?? (await resolveAddress(hex.toLowerCase()));
  if (id === null) throw notFoundError();
  return id;
}

function invalidPath(): MirrorApiError {
  return invalidRequest([messages.invalidParameter(ACCOUNT_IN_PATH)]);
}

/** The entity that an id or an EVM address in a path names, which contracts have alone. @returns null when nobody has it */
export async function contractInPath(
  text: string,
  parameter: string,
  names: Pick<EntityNames, 'home' | 'resolveAddress'>,
): Promise<bigint | null> {
  if (!looksLikeEntity(text)) throw invalidRequest([messages.invalidParameter(parameter)]);
  return entityOfText(text, names);
}

/** The entity of an id or EVM address. @returns null when nobody has it @throws MirrorApiError as {@link parseEntityText} */
export async function entityOfText(
  text: string,
  { home, resolveAddress }: Pick<EntityNames, 'home' | 'resolveAddress'>,
): Promise<bigint | null> {
  const entity = parseEntityText(text, home);
  if (entity.kind === 'id') return entity.id;
  return entity.kind === 'none' ? null : resolveAddress(entity.hex);
}
