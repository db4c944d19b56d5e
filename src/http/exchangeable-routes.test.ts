import Fastify, { type FastifyPluginAsync } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createExchangeableRoutes } from './exchangeable-routes.ts';

/** Routes with a state of their own, of every kind that is registered. */
function routesOf(name: string): FastifyPluginAsync {
  let count = 0;
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('x-hook', name);
    });
    app.addHook('onSend', (_request, _reply, payload, done) => done(null, `${payload} sent by ${name}`));
    app.get('/count', { schema: { hide: true } as object }, () => `${name} ${++count}`);
    // Not awaited: it runs after what follows.
    app.register(async (inner) => {
      inner.addContentTypeParser('text/x-name', { parseAs: 'string' }, (_request, body, done) =>
        done(null, `${body} for ${name}`),
      );
      inner.setErrorHandler((_error, _request, reply) => reply.code(418).send(`error of ${name}`));
      inner.post('/body', ({ body }) => `${body}`);
      inner.route({
        method: 'GET',
        url: '/fails',
        preHandler: [async () => undefined],
        handler: async () => {
          throw new Error(name);
        },
      });
    });
    app.get('/last', async () => `last of ${name}`);
  };
}

async function served() {
  const exchangeable = createExchangeableRoutes(routesOf('first'));
  const app = Fastify();
  await app.register(exchangeable.plugin);
  await app.ready();
  const all = async () => {
    const answers = await Promise.all([
      app.inject('/count'),
      app.inject({ method: 'POST', url: '/body', headers: { 'content-type': 'text/x-name' }, body: 'text' }),
      app.inject('/fails'),
      app.inject('/last'),
    ]);
    return answers.map(({ body, headers, statusCode }) => `${statusCode} ${headers['x-hook']}: ${body}`);
  };
  return { exchangeable, all };
}

const answersOf = (name: string, count: number) => [
  `200 ${name}: ${name} ${count} sent by ${name}`,
  `200 ${name}: text for ${name} sent by ${name}`,
  `418 ${name}: error of ${name} sent by ${name}`,
  `200 ${name}: last of ${name} sent by ${name}`,
];

describe('exchangeable routes', () => {
  test('answer as those that were given last: handlers, hooks, parsers and error handlers', async () => {
    const { all, exchangeable } = await served();
    expect(await all()).toEqual(answersOf('first', 1));
    expect(await all()).toEqual(answersOf('first', 2));
    await exchangeable.exchange(routesOf('second'));
    expect(await all()).toEqual(answersOf('second', 1));
    await exchangeable.exchange(routesOf('third'));
    expect(await all()).toEqual(answersOf('third', 1));
  });

  test('stay as they are when the new ones are others', async () => {
    const { all, exchangeable } = await served();
    const others: FastifyPluginAsync = async (app) => {
      await routesOf('second')(app, {});
      app.get('/more', () => 'more');
    };
    await expect(exchangeable.exchange(others)).rejects.toThrow('not those of the same configuration');
    expect(await all()).toEqual(answersOf('first', 1));
  });

  test('refuse what would change the application that serves', async () => {
    const { exchangeable } = await served();
    const decorating: FastifyPluginAsync = async (app) => {
      app.decorate('more', 1);
    };
    await expect(exchangeable.exchange(decorating)).rejects.toThrow(
      'decorate: such routes cannot be exchanged',
    );
  });
});
