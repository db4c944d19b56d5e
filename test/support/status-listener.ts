import { buildStatusApp } from '../../src/app.ts';
import { listen } from '../../src/http/edge/listeners.ts';
import type { TestServer } from './test-server.ts';

/** The listener of its own that area B has beside a test server. */
export interface StatusListener {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it as `STATUS_PORT` does, on a port that the system chooses; the caller closes it before the server. */
export async function startStatusListener({ services }: TestServer): Promise<StatusListener> {
  const app = await buildStatusApp(services);
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0] });
  return { url: `http://127.0.0.1:${listeners.ports[0]}`, close: () => listeners.close() };
}
