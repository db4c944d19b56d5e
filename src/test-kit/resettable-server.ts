import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { ConnectionBudget } from '../http/edge/connection-budget.ts';
import { createExchangeableListener, type ExchangeableListener } from '../http/edge/exchangeable-listener.ts';
import { type Listeners, listen } from '../http/edge/listeners.ts';
import { UnsentAnswers } from '../http/edge/unsent-answers.ts';
import { publicUrlOf } from '../http/public-url.ts';
import { createFixtureImporter } from '../mirror/ingest/fixture/fixture-importer.ts';
import { readFixture } from '../mirror/ingest/fixture/read-fixture.ts';
import { silentLog } from '../mirror/ingest/report/ingest-log.ts';
import type { FileTree } from '../mirror/ingest/source/file-tree.ts';
import type { LedgerRepository } from '../mirror/ledger/ledger-repository.ts';
import type { SystemDependencies } from '../services.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { StaticCode } from '../verify/index.ts';
import { FixtureError } from './fixture-error.ts';
import { createGeneration, type Generation, type GenerationParts } from './generation.ts';
import type { LoadReport } from './test-server.ts';

/** Contents of a fixture, and how messages name it. */
export interface NamedFixture {
  readonly name: string;
  readonly contents: Uint8Array;
}

interface ResettableServerParts
  extends Pick<GenerationParts, 'stoppedAt'>,
    Pick<SystemDependencies, 'environment' | 'fetch' | 'log'> {
  /** With a database in memory. Ports may be 0. */
  readonly config: Config;
  /** Loaded at the start and after every reset. */
  readonly fixture: NamedFixture | null;
  /** Whether `/_test` is served. */
  readonly servesTestApi: boolean;
  /** Connections at a time. Default: no bound. */
  readonly budget?: ConnectionBudget;
}

const REQUEST_TIMEOUT_MS = 300_000;
/** What runs for longer than this is let run, on parts that a reset leaves behind. */
const MOMENT_MS = 25;

/**
 * The product on ports of its own with a database in memory, that can be made as new while clients stay connected.
 *
 * A reset lets new requests wait and makes all services anew in the application that is there. While a request or job
 * runs, it makes everything again beside them and exchanges it in one step. So each request sees all of before or all
 * of after.
 *
 * @see docs/adr/0028-test-server.md
 */
export class ResettableServer {
  readonly config: Config;
  readonly #listener: ExchangeableListener;
  readonly #listeners: Listeners;
  readonly #fixture: NamedFixture | null;
  readonly #parts: Omit<GenerationParts, 'control'>;
  readonly #servesTestApi: boolean;
  #current: Generation | null = null;
  /** Generations that still answer what was asked before a reset. */
  readonly #leaving = new Set<Promise<void>>();
  /** One operation after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | null = null;

  /** Listens, and answers when everything is as it is after a reset. */
  static async start(parts: ResettableServerParts): Promise<ResettableServer> {
    const { budget = new ConnectionBudget(null), config, log } = parts;
    const unsent = new UnsentAnswers();
    const times = { keepAliveTimeout: config.http.keepAliveMs, requestTimeout: REQUEST_TIMEOUT_MS };
    const listener = createExchangeableListener({
      ...{ times, unsent, log },
      isControl: ({ url }) => url?.startsWith('/_test/') === true,
    });
    const { host, ports } = config.http;
    const listeners = await listen(listener.app, { host, ports, budget });
    const server = new ResettableServer(parts, listener, listeners, { budget, unsent });
    try {
      await server.reset();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  private constructor(
    parts: ResettableServerParts,
    listener: ExchangeableListener,
    listeners: Listeners,
    shared: Pick<GenerationParts, 'budget' | 'unsent'>,
  ) {
    const { config, environment, fetch, fixture, log, servesTestApi, stoppedAt } = parts;
    this.config = { ...config, http: { ...config.http, ports: listeners.ports } };
    this.#listener = listener;
    this.#listeners = listeners;
    this.#fixture = fixture;
    this.#servesTestApi = servesTestApi;
    const system = { fetch, log, environment, randomBytes, randomUuid: randomUUID };
    this.#parts = { config: this.config, system, stoppedAt, ...shared };
  }

  get ports(): readonly number[] {
    return this.#listeners.ports;
  }

  /** Under which clients reach it, without a slash at the end. */
  get url(): string {
    return publicUrlOf(this.config.http);
  }

  /** UTC milliseconds. */
  now(): number {
    return this.#generation().time.now();
  }

  get isTimeStopped(): boolean {
    return this.#generation().time.isStopped;
  }

  /** @throws FixtureError when it cannot be stored. */
  load(fixture: NamedFixture): Promise<LoadReport> {
    return this.#inTurn(() => this.#loadInto(this.#generation(), fixture));
  }

  reset(): Promise<void> {
    return this.#inTurn(async () => {
      if (await this.#renew()) return;
      const control = this.#servesTestApi ? this : null;
      const next = await createGeneration({ ...this.#parts, control });
      try {
        if (this.#fixture !== null) await this.#loadInto(next, this.#fixture);
        await next.start();
      } catch (error) {
        await next.close();
        throw error;
      }
      const before = this.#current;
      this.#current = next;
      const answered = this.#listener.exchange(next.answer);
      if (before === null) return;
      // Whoever waits for a job that is forgotten now is told its state as it was.
      before.services.verify.endWaiting();
      const gone = answered.then(() => before.close());
      this.#leaving.add(gone);
      void gone.finally(() => this.#leaving.delete(gone));
    });
  }

  /** Makes the current generation as new, unless requests or jobs run for longer than a moment. */
  async #renew(): Promise<boolean> {
    const current = this.#current;
    // Who has asked how often is remembered by the application.
    if (current === null || this.config.http.requestsPerSecond > 0) return false;
    const held = this.#listener.hold();
    try {
      current.services.verify.endWaiting();
      const idle = Promise.all([held.idle, current.services.verify.idle()]).then(() => true);
      if (!(await Promise.race([idle, pause(MOMENT_MS, false)]))) return false;
      await current.renew();
      return true;
    } finally {
      held.release();
    }
  }

  advance(milliseconds: number): Promise<void> {
    return this.#inTurn(async () => {
      const { services, time } = this.#generation();
      await time.advance(milliseconds, () => services.status.settled());
    });
  }

  /** Goes to a time; on the way there everything that is due is done, unless it lies back. */
  async moveTo(now: number, isStopped: boolean): Promise<void> {
    const ahead = now - this.now();
    if (ahead > 0) await this.advance(ahead);
    await this.#inTurn(async () => this.#generation().time.set(now, { isStopped }));
  }

  giveCode(chainId: string, address: string, code: StaticCode | null): void {
    this.#generation().services.verify.giveCode(chainId, address, code);
  }

  beginDraining(): void {
    this.#current?.services.beginDraining();
  }

  /** Ends after the requests that run. May be called twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    await this.#turn;
    this.beginDraining();
    await this.#listeners.close();
    await Promise.all([this.#current?.close(), ...this.#leaving]);
    this.#current = null;
  }

  #generation(): Generation {
    if (this.#current !== null && this.#stopping === null) return this.#current;
    throw stopped();
  }

  #loadInto({ services }: Generation, { contents, name }: NamedFixture): Promise<LoadReport> {
    return loadFixture(services.mirror.ledger, this.config.mirror, contents, name);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#stopping !== null) return Promise.reject(stopped());
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function stopped(): LedgerlensError {
  return new LedgerlensError('server_stopped', 'The server was stopped: start another one.');
}

/**
 * Stores the lines of a fixture as the next unit of a ledger.
 *
 * @throws FixtureError when a line is malformed, or the ledger has passed the time of the fixture.
 * @see contracts/streams.md section 10.1
 */
async function loadFixture(
  repository: LedgerRepository,
  home: { readonly shard: bigint; readonly realm: bigint },
  contents: Uint8Array,
  name: string,
): Promise<LoadReport> {
  // An empty unit would begin the ledger all the same, and nothing without a time could follow it.
  if (contents.every(isSpace)) return { transactions: 0 };
  const importer = createFixtureImporter({
    repository,
    tree: treeOf(contents),
    path: name,
    home,
    // Refusals are thrown, so nothing is left to be told.
    log: silentLog,
  });
  const { refused, transactions } = await importer.run();
  const [refusal] = refused;
  if (refusal === undefined) return { transactions };
  throw new FixtureError(refusal.code, refusal.message, faultyLine(contents, name, home));
}

/** Of a space, a tab or the end of a line. */
function isSpace(byte: number): boolean {
  return [0x09, 0x0a, 0x0d, 0x20].includes(byte);
}

function faultyLine(
  contents: Uint8Array,
  name: string,
  home: { readonly shard: bigint; readonly realm: bigint },
): number | null {
  try {
    readFixture(contents, name, home);
    return null;
  } catch (error) {
    const line = error instanceof LedgerlensError ? error.details['line'] : null;
    return typeof line === 'number' ? line : null;
  }
}

/** A file system of one file. */
function treeOf(contents: Uint8Array): FileTree {
  return {
    kindOf: async () => 'file',
    list: async () => [],
    size: async () => contents.length,
    read: async () => contents,
  };
}
