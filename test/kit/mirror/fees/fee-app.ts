import Fastify, { type FastifyInstance } from 'fastify';
import { compileWhenNeeded } from '../../../../src/http/compile-when-needed.ts';
import { mirrorErrorMapper } from '../../../../src/mirror/errors.ts';
import { createFees, type FeesOptions } from '../../../../src/mirror/fees/index.ts';
import type {
  AccountFacts,
  FeeStateSource,
  TokenFacts,
  TopicFacts,
} from '../../../../src/mirror/fees/pricing/fee-state.ts';
import { ManualClock } from '../../../../src/values/clock.ts';
import { parseEntityId, printEntityId } from '../../../../src/values/entity-id.ts';
import { bareHex } from '../../../../src/values/hex.ts';
import { DEFAULT_CONFIG } from '../../../support/default-config.ts';

/** Entities that a test's mirror knows, by printed id. */
export interface KnownEntities {
  readonly tokens?: Readonly<Record<string, TokenFacts>>;
  readonly topics?: Readonly<Record<string, TopicFacts>>;
  readonly accounts?: Readonly<Record<string, AccountFacts>>;
  /** Ids by the alias in hex. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** By account and token with a blank between; others cannot be told. */
  readonly associations?: Readonly<Record<string, boolean>>;
}

/** State from plain objects; anything else is unknown. */
export function stateOf({
  accounts = {},
  aliases = {},
  associations = {},
  tokens = {},
  topics = {},
}: KnownEntities = {}): FeeStateSource {
  return {
    account: async (id) => accounts[printEntityId(id)] ?? null,
    accountByAlias: async (alias) => parseEntityId(aliases[bareHex(alias)] ?? ''),
    isAssociated: async (account, token) =>
      associations[`${printEntityId(account)} ${printEntityId(token)}`] ?? null,
    token: async (id) => tokens[printEntityId(id)] ?? null,
    topic: async (id) => topics[printEntityId(id)] ?? null,
  };
}

/** The fee route alone, with the error bodies of the mirror area. The caller closes it. */
export async function buildFeeApp(options: Partial<FeesOptions> = {}): Promise<FastifyInstance> {
  const app = Fastify({
    schemaController: { compilersFactory: compileWhenNeeded() },
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false },
  });
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, body, headers = {} } = mirrorErrorMapper.fromError(error, request);
    return reply
      .code(statusCode)
      .headers(headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  });
  app.setNotFoundHandler((request, reply) => {
    const { statusCode, body, headers = {} } = mirrorErrorMapper.methodNotAllowed(request, ['POST']);
    return reply.code(statusCode).headers(headers).send(body);
  });
  const fees = createFees({
    files: { newestVersion: async () => null, firstVersion: async () => null },
    state: stateOf(),
    clock: new ManualClock(0),
    bodyLimitBytes: DEFAULT_CONFIG.mirror.feeBodyLimit,
    ...options,
  });
  await app.register(fees.routes);
  await app.ready();
  return app;
}
