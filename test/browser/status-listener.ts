import { buildStatusApp } from '../../src/app.ts';
import { listen } from '../../src/http/listeners.ts';
import type { TestServer } from '../support/test-server.ts';

/** The listener that `STATUS_PORT` gives the status area, on a free port; closed before the server. */
export interface StatusListener {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens it beside a server that runs. */
export async function openStatusListener({ services }: TestServer): Promise<StatusListener> {
  const listeners = await listen(await buildStatusApp(services), { host: '127.0.0.1', ports: [0] });
  return { url: `http://127.0.0.1:${listeners.ports[0]}`, close: () => listeners.close() };
}
