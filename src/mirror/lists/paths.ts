import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { MaybePromise } from '../../values/map-maybe.ts';
import {
  ACCOUNT_IN_PATH,
  accountInPath,
  type EntityNames,
  knownAccountInPath,
} from '../parameters/entity-in-path.ts';
import { ownerInPath } from '../parameters/owner-in-path.ts';
import { numberInPath, tokenInPath } from '../parameters/token-in-path.ts';

/** The parameters of a path as they were sent. */
export type PathParameters = Readonly<Record<string, string>>;

/** What a path names. */
export interface InPath<Value, Context> {
  readonly params: TObject;
  /** @throws MirrorApiError 400 for another form, 404 for what nobody has. */
  readonly read: (params: PathParameters, context: Context) => MaybePromise<Value>;
}

interface Named {
  readonly names: EntityNames;
}

/** The parameter of every path of or below an account. */
export const accountParams = (
  description = 'Id with or without shard and realm, alias in base32, or EVM address.',
): TObject => Type.Object({ [ACCOUNT_IN_PATH]: Type.String({ description }) });

function accountOf(find: (text: string, names: EntityNames) => Promise<bigint>) {
  return (description?: string): InPath<bigint, Named> => ({
    params: accountParams(description),
    read: (params, { names }) => find(params[ACCOUNT_IN_PATH] ?? '', names),
  });
}

/** An account, which need not exist. */
export const account = accountOf(accountInPath);

/** An account that the ledger knows, else 404. */
export const knownAccount = accountOf(knownAccountInPath);

/** An account, with one 404 for addresses and aliases. */
export const owningAccount = accountOf(ownerInPath);

/** A token by its number, which need not exist. */
export const token = (schema: TSchema): InPath<bigint, Named> => ({
  params: Type.Object({ tokenId: schema }),
  read: ({ tokenId = '' }, { names }) => tokenInPath(tokenId, names.home),
});

/**
 * A topic or schedule by its number, which need not exist.
 *
 * @param parameter for the error, for example `topic.id`.
 */
export const numbered = (name: string, parameter: string, description: string): InPath<bigint, Named> => ({
  params: Type.Object({
    [name]: Type.String({ pattern: '^(\\d{1,10}\\.){0,2}\\d{1,12}$', description }),
  }),
  read: (params, { names }) => numberInPath(params[name] ?? '', parameter, names.home),
});
