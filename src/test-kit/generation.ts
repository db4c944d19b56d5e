import type { RequestListener } from 'node:http';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { ConnectionBudget } from '../http/edge/connection-budget.ts';
import type { UnsentAnswers } from '../http/edge/unsent-answers.ts';
import { measureUnread } from '../http/metrics.ts';
import { createServices, type Services, type SystemDependencies } from '../services.ts';
import { type TestControl, testRoutes } from './test-routes.ts';
import { TestTime } from './test-time.ts';

/** The whole product from one reset to the next. */
export interface Generation {
  readonly services: Services;
  readonly time: TestTime;
  readonly answer: RequestListener;
  /** Begins the background work. */
  start(): Promise<void>;
  /** Ends it and forgets everything. */
  close(): Promise<void>;
}

/** What all generations of a server share. */
export interface GenerationParts {
  readonly config: Config;
  readonly system: Omit<SystemDependencies, 'clock' | 'repeat' | 'startTimer'>;
  /** Where time stands at the beginning, UTC milliseconds; null: it passes. */
  readonly stoppedAt: number | null;
  readonly budget: ConnectionBudget;
  readonly unsent: UnsentAnswers;
  /** What `/_test` does; null: it is not served. */
  readonly control: TestControl | null;
}

/** Makes the product anew, with an empty database in memory; nothing runs and nothing listens yet. */
export async function createGeneration(parts: GenerationParts): Promise<Generation> {
  const { config, unsent, budget, control } = parts;
  const time = new TestTime(parts.stoppedAt);
  const { repeat, startTimer } = time;
  const services = await createServices(config, { ...parts.system, clock: time, repeat, startTimer });
  try {
    const { keepAliveMs, requestsPerSecond, trustProxy } = config.http;
    const app = await buildApp(services, { trustProxy, keepAliveMs, requestsPerSecond, budget, unsent });
    measureUnread(services.metrics, unsent);
    if (control !== null) await app.register(testRoutes(control));
    await app.ready();
    const [answer] = app.server.listeners('request');
    return {
      services,
      time,
      answer: answer as RequestListener,
      start: () => services.start(app),
      async close() {
        await app.close();
        await services.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}
