import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { notFoundError } from '../errors.ts';
import { checkParameters, type ParameterValues } from '../parameters/check-parameters.ts';
import { NO_MATCH } from '../parameters/no-match.ts';
import { readQuery } from '../parameters/query-text.ts';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import type { Item } from './fields.ts';
import { type InPath, type ListContext, type Parameters, type PathParameters, schemasOf } from './list.ts';
import type { Parameter } from './parameters.ts';

/** An answer of the API about one thing. */
export interface OneDefinition<Context extends OneContext, Subject, Values, Row> {
  readonly path: string;
  readonly summary: string;
  /** What the path names. */
  readonly subject?: InPath<Subject, Context>;
  readonly parameters?: Parameters<Values, Context>;
  /** When the query is checked: before the path, after it, or when the thing is found. Default: after the path. */
  readonly query?: 'first' | 'last';
  /** Null for what the ledger does not know, which is answered with 404. */
  readonly find: (
    question: Values & { readonly subject: Subject },
    context: Context,
    request: OneRequest,
  ) => Promise<Row | null>;
  readonly item: Item<Row>;
  /** Whether the ledger does not tell all of it, which is answered with 206 then. */
  readonly isPartial?: (row: Row) => boolean;
  /** Where what the answer lists continues. */
  readonly nextOf?: (row: Row) => string | null;
  readonly maxAgeSeconds?: number | ((row: Row, context: Context) => number);
}

/** As it was sent. */
interface OneRequest {
  readonly target: string;
  readonly values: ParameterValues;
}

export type OneContext = Omit<ListContext, 'page'>;

interface OneAnswer {
  readonly json: string;
  readonly isPartial: boolean;
  readonly next: string | null;
  readonly maxAgeSeconds: number;
}

const NO_VALUES: ParameterValues = new Map();

/** Declares an answer, so that its types follow from its parameters and its item. */
export const oneOn =
  <Context extends OneContext>() =>
  <Row, Values = unknown, Subject = undefined>(
    one: OneDefinition<Context, Subject, Values, Row>,
  ): OneDefinition<Context, Subject, Values, Row> =>
    one;

/**
 * Prepares the answers about one thing, also without HTTP.
 *
 * @returns throws MirrorApiError 400 for a bad path or bad parameters, 404 for what the ledger does not know.
 */
export function oneReader<Context extends OneContext, Subject, Values, Row>(
  one: OneDefinition<Context, Subject, Values, Row>,
  context: Context,
): (params: PathParameters, target: string) => Promise<OneAnswer> {
  const parameters = Object.entries(one.parameters ?? {}) as [string, Parameter<unknown, Context>][];
  const checks = Object.fromEntries(
    parameters.map(([name, { check }]) => [name, (text: string) => check(text, context)]),
  );
  const { maxAgeSeconds = STATE_SECONDS } = one;
  return async (params, target) => {
    const checked = () => checkParameters(readQuery(target), checks, context.maxRepeated);
    const first = one.query === 'first' ? checked() : null;
    const subject = await one.subject?.read(params, context);
    const values = first ?? (one.query === undefined ? checked() : null);
    const question: Record<string, unknown> = { subject };
    for (const [name, parameter] of parameters)
      question[name] = await parameter.read(values?.get(name) ?? [], context);
    const isPossible = !Object.values(question).includes(NO_MATCH);
    const asked = question as Values & { readonly subject: Subject };
    const row = isPossible ? await one.find(asked, context, { target, values: values ?? NO_VALUES }) : null;
    if (row === null) throw notFoundError();
    if (values === null) checked();
    return {
      json: await one.item.jsonInTurns(row),
      isPartial: one.isPartial?.(row) ?? false,
      next: one.nextOf?.(row) ?? null,
      maxAgeSeconds: typeof maxAgeSeconds === 'number' ? maxAgeSeconds : maxAgeSeconds(row, context),
    };
  };
}

/** Serves an answer: one declaration makes the route, its checks and its documentation. */
export function serveOne<Context extends OneContext, Subject, Values, Row>(
  app: FastifyInstance,
  one: OneDefinition<Context, Subject, Values, Row>,
  context: Context,
): void {
  const read = oneReader(one, context);
  const query = Type.Object(schemasOf(one.parameters));
  const schema = documented(one.summary, { query, answer: one.item.schema });
  const params = one.subject === undefined ? {} : { params: one.subject.params };
  app.get<{ Params: Record<string, string> }>(
    one.path,
    { schema: { ...schema, ...params } },
    async (request, reply) => {
      const { isPartial, json, maxAgeSeconds, next } = await read(request.params, targetOf(request));
      if (isPartial) reply.code(206);
      return sendReady(request, reply, { body: json, next, maxAgeSeconds });
    },
  );
}
