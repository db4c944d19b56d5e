import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { listen } from './listeners.ts';

function anApp() {
  const app = Fastify({ keepAliveTimeout: 75_000 });
  app.get('/', async () => ({ ok: true }));
  return app;
}

describe('listen', () => {
  test('answers on every port and on none after closing', async () => {
    const listeners = await listen(anApp(), { host: '127.0.0.1', ports: [0, 0] });
    expect(new Set(listeners.ports).size).toBe(2);
    const urls = listeners.ports.map((port) => `http://127.0.0.1:${port}/`);
    for (const url of urls) expect(await (await fetch(url)).json()).toEqual({ ok: true });
    await listeners.close();
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  });

  test('leaves nothing open when one port is taken', async () => {
    const taken = await listen(anApp(), { host: '127.0.0.1', ports: [0] });
    const free = await listen(anApp(), { host: '127.0.0.1', ports: [0] });
    await free.close();
    const ports = [free.ports[0] ?? 0, taken.ports[0] ?? 0];
    await expect(listen(anApp(), { host: '127.0.0.1', ports })).rejects.toThrow(
      /^Cannot listen on port \d+: it is in use by another process/,
    );
    await expect(fetch(`http://127.0.0.1:${ports[0]}/`)).rejects.toThrow();
    await taken.close();
  });

  test('finishes a request that runs when closing begins', async () => {
    let finish = () => {};
    const app = anApp();
    const started = new Promise<void>((resolve) => {
      app.get('/slow', async () => {
        resolve();
        await new Promise<void>((done) => {
          finish = done;
        });
        return { slow: true };
      });
    });
    const listeners = await listen(app, { host: '127.0.0.1', ports: [0] });
    const answer = fetch(`http://127.0.0.1:${listeners.ports[0]}/slow`);
    await started;
    const closing = listeners.close();
    finish();
    expect(await (await answer).json()).toEqual({ slow: true });
    await closing;
  });
});
