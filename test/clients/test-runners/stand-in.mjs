// A container without an engine: what the example asks of one is done to the program of the image.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export const Wait = { forHttp: (path, port) => ({ path, port }) };

export class GenericContainer {
  #environment = JSON.parse(process.env.IMAGE_ENVIRONMENT);
  #ports = [];
  #wait = null;

  constructor(image) {
    if (!image.startsWith('ledgerlens')) throw new Error(`There is no image ${image}`);
  }

  withEnvironment(environment) {
    Object.assign(this.#environment, environment);
    return this;
  }

  withExposedPorts(...ports) {
    this.#ports = ports;
    return this;
  }

  withWaitStrategy(strategy) {
    this.#wait = strategy;
    return this;
  }

  async start() {
    const inside = Number(this.#environment.PORT);
    const { path, port } = this.#wait;
    if (!this.#ports.includes(inside) || port !== inside) throw new Error(`The server listens on ${inside}`);
    const outside = await freePort();
    const env = { ...process.env, ...this.#environment, HOST: '127.0.0.1', PORT: String(outside) };
    const child = spawn(process.execPath, [process.env.IMAGE_PROGRAM, 'serve'], { env, stdio: 'inherit' });
    const ended = once(child, 'exit');
    while ((await fetch(`http://127.0.0.1:${outside}${path}`).catch(() => null))?.status !== 200) {
      if (child.exitCode !== null) throw new Error('The server has ended');
      await pause(50);
    }
    return {
      getHost: () => '127.0.0.1',
      getMappedPort: (wanted) => (wanted === inside ? outside : undefined),
      async stop() {
        child.kill();
        await ended;
      },
    };
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
