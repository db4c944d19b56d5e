import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { MaybePromise } from '../../values/map-maybe.ts';
import { foundText, type KeptAnswers } from '../kept-answers.ts';
import { Links } from '../list-schemas.ts';
import { checkParameters, type FaultOrder } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import {
  ACCOUNT_IN_PATH,
  accountInPath,
  type EntityNames,
  knownAccountInPath,
} from '../parameters/entity-in-path.ts';
import { NO_MATCH } from '../parameters/no-match.ts';
import { ownerInPath } from '../parameters/owner-in-path.ts';
import {
  type Cut,
  type CutPage,
  type PageSettings,
  pageChecks,
  pageRequest,
} from '../parameters/page-parameters.ts';
import { type QueryPair, readQuery } from '../parameters/query-text.ts';
import { strictPageChecks, strictPageRequest } from '../parameters/strict-limit.ts';
import { numberInPath, tokenInPath } from '../parameters/token-in-path.ts';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type Item, jsonList } from './fields.ts';
import type { Keys } from './keys.ts';
import type { Parameter } from './parameters.ts';

/** What every list is answered with. */
export interface ListContext {
  readonly names: EntityNames;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
  /** Absent: nothing is kept. */
  readonly kept?: KeptAnswers;
}

/** What a list asks the ledger: the values of its parameters by their names, and which page. */
type Question<Subject, Values, Conditions> = Values & {
  /** What the path names. */
  readonly subject: Subject;
  /** Of the keys of the list. */
  readonly keys: Conditions;
  readonly order: 'asc' | 'desc';
  /** One more than the page shows: it tells whether another page follows. */
  readonly limit: number;
};

/** The parameters of a query by their names. */
export type Parameters<Values, Context> = {
  readonly [Name in keyof Values]: Parameter<Values[Name], Context>;
};

/** A list of the API: its parameters, where its rows come from, and what it shows of each. */
export interface ListDefinition<Context extends ListContext, Subject, Values, Conditions, Row, Shown, Head> {
  readonly path: string;
  readonly summary: string;
  /** The member with the items. */
  readonly name: string;
  /** Of the answer in the API documents. */
  readonly title?: string;
  readonly maxAgeSeconds?: number;
  /** Whether its newest page is kept, which may depend on the ledger alone: neither on the clock nor on what is verified. */
  readonly isKept?: true;
  /** The default, with what the order is by. */
  readonly order: readonly [byDefault: 'asc' | 'desc', description?: string];
  /** Whether a limit above the maximum is refused in both dialects. @see contracts/mirror-entities.md section 4 */
  readonly isLimitStrict?: true;
  /** In both dialects a greater limit is capped, and a full page is continued. Default: those of the context. */
  readonly limits?: Pick<PageSettings, 'defaultLimit' | 'maxLimit'>;
  readonly faultOrder?: FaultOrder;
  /** What the path names; refused before the parameters are. */
  readonly subject?: InPath<Subject, Context>;
  /** Refuses queries before their values are checked. */
  readonly refuse?: (query: readonly QueryPair[]) => void;
  /** In the order of the API documents. */
  readonly parameters?: Parameters<Values, Context>;
  /** Parameters that together name a place in the list; documented before the others. */
  readonly keys?: (context: Context) => Keys<Row, Conditions, NoInfer<Values>>;
  /** Not asked where nothing can meet the parameters. */
  readonly rows: (
    question: Question<Subject, Values, Conditions>,
    context: Context,
  ) => Promise<readonly Row[]>;
  /** The one parameter that names a place in the list. */
  readonly cursor?: {
    readonly parameter: keyof Values & string;
    readonly of: (row: Row) => bigint;
    readonly print: (value: bigint) => string;
  };
  /** About how many characters the long members of a row have: pages of many are shorter than their limit. */
  readonly lengthOf?: (row: Row) => number;
  /** Whether a question has further pages at all. */
  readonly isContinued?: (question: Question<Subject, Values, Conditions>) => boolean;
  /** What is shown of the rows of a page where it is more than the rows. */
  readonly shown?: (
    rows: readonly Row[],
    question: Question<Subject, Values, Conditions>,
    context: Context,
  ) => Promise<readonly Shown[]>;
  /** Whether the ledger does not tell all of a page, which is answered with 206 then. */
  readonly isPartial?: (
    shown: readonly Shown[],
    question: Question<Subject, Values, Conditions>,
    context: Context,
  ) => Promise<boolean>;
  /** Members before the items. */
  readonly head?: Item<Head>;
  readonly headOf?: (question: Question<Subject, Values, Conditions>, shown: readonly Shown[]) => Head;
  /** The API documents list parameters and members by name, but for one. Default: as they are declared here. */
  readonly byName?: { readonly last?: string };
  readonly item: Item<Shown>;
  readonly itemsDescription?: string;
  /** Another form of the item that a question asks for, with the same schema. */
  readonly itemFor?: (question: Question<Subject, Values, Conditions>) => Item<Shown>;
}

/** A page as it is sent. */
interface ListAnswer {
  readonly json: string;
  readonly next: string | null;
  readonly isPartial: boolean;
}

type ReadList = (params: PathParameters, target: string) => Promise<ListAnswer>;

const NO_TEXTS: readonly string[] = [];
/** Of the long members of a page, which is read and printed in one go: others wait meanwhile. */
const MAX_PAGE_CHARACTERS = 1_048_576;

/** Declares a list: its types follow from its parameters and its item, apart from the conditions of its keys. */
export const listOn =
  <Context extends ListContext, Conditions = undefined>() =>
  <Shown, Row = Shown, Values = unknown, Subject = undefined, Head = undefined>(
    list: ListDefinition<Context, Subject, Values, Conditions, Row, Shown, Head> &
      ([Row] extends [Shown] ? unknown : { readonly shown: object }),
  ): ListDefinition<Context, Subject, Values, Conditions, Row, Shown, Head> =>
    list;

/**
 * Prepares the answers of a list, also without HTTP.
 *
 * @returns throws MirrorApiError 400 for a bad path or bad parameters, 404 for what the path names and nobody has.
 */
export function listReader<Context extends ListContext, Subject, Values, Conditions, Row, Shown, Head>(
  list: ListDefinition<Context, Subject, Values, Conditions, Row, Shown, Head>,
  context: Context,
): ReadList {
  type Asked = Question<Subject, Values, Conditions>;
  const { maxRepeated } = context;
  const page: PageSettings =
    list.limits === undefined ? context.page : { ...context.page, dialect: 'hiero', ...list.limits };
  const keys = list.keys?.(context);
  const parameters = Object.entries(list.parameters ?? {}) as [string, Parameter<unknown, Context>][];
  const pageParameters = list.isLimitStrict ? strictPageChecks(page) : pageChecks(page);
  const checks = {
    ...pageParameters,
    ...Object.fromEntries((keys?.parts ?? []).map(({ check, parameter }) => [parameter, check])),
    ...Object.fromEntries(
      parameters.map(([name, { check }]) => [name, (text: string) => check(text, context)]),
    ),
  };
  // Every question has its members in one order: an object that grows member by member costs more than a statement.
  const blank = Object.fromEntries(
    ['subject', 'keys', 'order', 'limit', ...parameters.map(([name]) => name)].map((name) => [
      name,
      undefined,
    ]),
  );
  const cursorParameter = parameters.find(([name]) => name === list.cursor?.parameter)?.[1];

  function cut(found: readonly Row[], question: Asked, parts: Cut): CutPage<Row> {
    const { cursor } = list;
    if (keys !== undefined) return keys.page(found, question.keys, parts, question);
    if (cursor === undefined) return { shown: found, next: null };
    const value = question[cursor.parameter];
    const selection = found.length === 0 ? null : (cursorParameter?.left?.(value) ?? null);
    return cursorPage(parts, found, cursor, selection);
  }

  return async (params, target) => {
    const subject = await list.subject?.read(params, context);
    const query = readQuery(target);
    list.refuse?.(query);
    const values = checkParameters(query, checks, maxRepeated, list.faultOrder);
    const request = list.isLimitStrict
      ? strictPageRequest(values, page)
      : pageRequest(values, page, list.order[0]);
    const conditions = await keys?.read(values, request);
    const read: Record<string, unknown> = { ...blank };
    read['subject'] = subject;
    read['keys'] = conditions;
    read['order'] = request.order;
    read['limit'] = request.limit + 1;
    let isPossible = true;
    for (const [name, parameter] of parameters) {
      const value = parameter.read(values.get(name) ?? NO_TEXTS, context);
      read[name] = value instanceof Promise ? await value : value;
      if (read[name] === NO_MATCH) isPossible = false;
    }
    const question = read as Asked;
    const found = isPossible ? await list.rows(question, context) : [];
    const isContinued = list.isContinued?.(question) !== false;
    const room = isContinued && list.lengthOf ? roomFor(found, list.lengthOf) : Number.POSITIVE_INFINITY;
    const limit = Math.min(request.limit, room);
    const parts = { page, request: { ...request, limit }, target, values };
    const { next: following, shown: rows } = cut(found, question, parts);
    const next = isContinued ? following : null;
    const shown =
      list.shown === undefined || rows.length === 0
        ? (rows as readonly unknown[] as readonly Shown[])
        : await list.shown(rows, question, context);
    const items = jsonList(list.itemFor?.(question) ?? list.item, shown);
    const head = list.headOf?.(question, shown);
    const start = head === undefined ? '{' : `${list.head?.json(head).slice(0, -1)},`;
    return {
      json: `${start}"${list.name}":${items},"links":{"next":${next === null ? 'null' : JSON.stringify(next)}}}`,
      next,
      isPartial: (await list.isPartial?.(shown, question, context)) ?? false,
    };
  };
}

/** How many rows a page has room for, one at least: no bound where all of them fit. @param lengthOf in characters */
export function roomFor<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): number {
  let left = MAX_PAGE_CHARACTERS;
  const end = rows.findIndex((row, place) => {
    left -= lengthOf(row);
    return left < 0 && place > 0;
  });
  return end < 0 ? Number.POSITIVE_INFINITY : end;
}

/** Serves a list: one declaration makes the route, its checks, its page and its documentation. */
export function serveList<Context extends ListContext, Subject, Values, Conditions, Row, Shown, Head>(
  app: FastifyInstance,
  list: ListDefinition<Context, Subject, Values, Conditions, Row, Shown, Head>,
  context: Context,
): void {
  const read = listReader(list, context);
  const parts = list.keys?.(context).parts ?? [];
  const ofKeys = Object.fromEntries(parts.map(({ parameter, schema }) => [parameter, schema]));
  const declared = { ...ofKeys, ...schemasOf(list.parameters), ...pageSchemas(list) };
  const query = inDocuments(declared, list.byName);
  const answer = answerSchema(list);
  const schema = documented(list.summary, { query: Type.Object(query), answer });
  const response = list.isPartial === undefined ? {} : { response: { ...schema.response, 206: answer } };
  const params = list.subject === undefined ? {} : { params: list.subject.params };
  app.get<{ Params: Record<string, string> }>(
    list.path,
    { schema: { ...schema, ...response, ...params } },
    async (request, reply) => {
      const target = targetOf(request);
      const found = async () => {
        const { isPartial, json: body, next } = await read(request.params, target);
        if (isPartial) reply.code(206);
        const maxAgeSeconds = list.maxAgeSeconds ?? STATE_SECONDS;
        return foundText(list.path, { body, next, maxAgeSeconds });
      };
      const { kept } = context;
      const isKept = list.isKept === true && kept !== undefined;
      return sendReady(request, reply, await (isKept ? kept.answer(target, found) : found()));
    },
  );
}

function inDocuments<Member>(
  members: Readonly<Record<string, Member>>,
  byName: { readonly last?: string } | undefined,
): Record<string, Member> {
  if (byName === undefined) return members;
  const place = (name: string) => (name === byName.last ? `~${name}` : name);
  return Object.fromEntries(
    Object.entries(members).sort(([one], [other]) => (place(one) < place(other) ? -1 : 1)),
  );
}

function answerSchema<Context extends ListContext, Subject, Values, Conditions, Row, Shown, Head>({
  head,
  item,
  byName,
  itemsDescription: description,
  name,
  title,
}: ListDefinition<Context, Subject, Values, Conditions, Row, Shown, Head>): TObject {
  const items = Type.Array(item.schema, description === undefined ? {} : { description });
  const members = { ...head?.schema.properties, [name]: items, links: Links };
  return Type.Object(inDocuments(members, byName), {
    ...(title === undefined ? {} : { title }),
  });
}

/** `limit` and `order` as the API documents show them. */
function pageSchemas<Context extends ListContext, Subject, Values, Conditions, Row, Shown, Head>({
  limits,
  order: [byDefault, description],
}: ListDefinition<Context, Subject, Values, Conditions, Row, Shown, Head>) {
  const limit =
    limits === undefined
      ? Type.Integer({ minimum: 1, maximum: 100, default: 25 })
      : Type.Integer({
          minimum: 1,
          default: limits.defaultLimit,
          description: `Items per page; a larger value means ${limits.maxLimit}.`,
        });
  return {
    limit: Type.Optional(limit),
    order: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['asc', 'desc'],
        default: byDefault,
        ...(description === undefined ? {} : { description }),
      }),
    ),
  };
}

/** The schemas of parameters or fields by their names. */
export function schemasOf(
  members: Readonly<Record<string, { readonly schema: TSchema }>> = {},
): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
}

/** The parameters of a path as they were sent. */
export type PathParameters = Readonly<Record<string, string>>;

/** What a path names. */
export interface InPath<Value, Context> {
  readonly params: TObject;
  /** @throws MirrorApiError 400 for another form, 404 for what does not exist. */
  readonly read: (params: PathParameters, context: Context) => MaybePromise<Value>;
}

interface Named {
  readonly names: EntityNames;
}

/** The parameter of every path of or below an account. */
const accountParams = (
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
