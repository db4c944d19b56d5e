import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Area } from '../../src/http/area.ts';
import { listen } from '../../src/http/edge/listeners.ts';
import { createServices, type Services } from '../../src/services.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type Clock, systemClock } from '../../src/values/clock.ts';
import type { Repeat } from '../../src/values/repetition.ts';
import type { CompilerPool } from '../../src/verify/index.ts';
import { emptyDatabaseUrl } from './tested-backend.ts';

/** The whole product on a loopback port with a database of its own, made of the same parts as `serve`. */
export interface TestServer {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly services: Services;
  /** What the services store in, for tests that look behind them. */
  readonly store: Store;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

export interface TestServerSettings {
  /** Environment variables beyond the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** A chain of this number whose JSON-RPC answers every method: no code anywhere. */
  readonly stubChain?: string;
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  readonly repeat?: Repeat;
  /** Whether the database is a file, which others can look into; removed at the end. Default: {@link emptyDatabaseUrl}. */
  readonly onDisk?: boolean;
  /** Put around each area before it is served. Default: as it is. */
  readonly area?: (area: Area) => Area;
  /** Whether a thread of its own does the writes, as when `serve` opens a database that is a file. Default false. */
  readonly isServing?: boolean;
  /** Whether jobs, timers and probes run. Default true. */
  readonly background?: boolean;
  /** Loaded compilers, which stay open when it closes. Default: its own. */
  readonly pool?: CompilerPool;
}

const STUB_RPC = 'http://stub.invalid/';

/** Starts it; the caller closes it. Nothing of the operating system's environment is read. */
export async function startTestServer(settings: TestServerSettings): Promise<TestServer> {
  const chains =
    settings.stubChain === undefined ? {} : { [settings.stubChain]: { name: 'stub', rpc: [STUB_RPC] } };
  const folder = settings.onDisk === true ? mkdtempSync(join(tmpdir(), 'ledgerlens-server-')) : null;
  const config = readConfig({
    DATABASE_URL: folder === null ? await emptyDatabaseUrl() : `sqlite:${join(folder, 'l.sqlite')}`,
    VERIFY_CHAINS: JSON.stringify(chains),
    VERIFY_FIRST_POLL_MS: '0',
    // A probe between the requests of a test would only confuse who counts them.
    STATUS_PROBES_OFF: 'all',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    ...settings.env,
  });
  const system = {
    clock: settings.clock ?? systemClock,
    fetch: settings.fetch ?? answerStubChain,
    randomBytes,
    randomUuid: randomUUID,
    log: pino({ level: 'silent' }),
    environment: {},
    ...(settings.repeat === undefined ? {} : { repeat: settings.repeat }),
  };
  const store = await openStore(config, { log: system.log, isServing: settings.isServing ?? false });
  const services = await createServices(config, system, {
    store,
    ...(settings.pool === undefined ? {} : { pool: settings.pool }),
  });
  const { area = (each: Area) => each } = settings;
  const { mirror, status, verify } = services;
  const app = await buildApp({
    ...services,
    verify: area(verify),
    status: area(status),
    mirror: area(mirror),
  });
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0], lastRequestMs: 0 });
  if (settings.background !== false) await services.start(app);
  return {
    url: `http://127.0.0.1:${listeners.ports[0]}`,
    app,
    services,
    store,
    databaseUrl: config.database.url,
    async close() {
      await listeners.close();
      await services.close();
      if (folder !== null) rmSync(folder, { recursive: true });
    },
  };
}

/** JSON-RPC without a network: `eth_getCode` is empty, everything else null. */
const answerStubChain: typeof fetch = async (input, init) => {
  if (String(input instanceof Request ? input.url : input) !== STUB_RPC) return fetch(input, init);
  const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string };
  const result = method === 'eth_getCode' ? '0x' : method === 'eth_chainId' ? '0x7a69' : null;
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), {
    headers: { 'content-type': 'application/json' },
  });
};
