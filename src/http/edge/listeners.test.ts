import { once } from 'node:events';
import { connect } from 'node:net';
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

  test.each([1, 2])(
    'answers every request that was sent before closing began, on %d ports',
    async (count) => {
      const listeners = await listen(anApp(), { host: '127.0.0.1', ports: new Array(count).fill(0) });
      const answers = Array.from({ length: 120 }, async (_, index) => {
        const socket = connect(listeners.ports[index % count] ?? 0, '127.0.0.1');
        await once(socket, 'connect');
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        let text = '';
        for await (const part of socket) text += String(part);
        return text.slice(0, 12);
      });
      // Sent, and not read yet: nothing but this task ran since.
      await once(connect(listeners.ports[0] ?? 0, '127.0.0.1'), 'connect');
      await listeners.close();
      expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200']));
    },
  );
});
