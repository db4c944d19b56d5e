import type { Registry } from 'prom-client';
import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { ManualClock } from '../../values/clock.ts';
import { createStatusArea, type StatusArea, type StatusOptions } from '../index.ts';
import { createStatusToken, parseStatusTokens } from '../manage/tokens.ts';
import { type HealthProbe, WORKING } from '../monitor/health-probe.ts';
import type { Repeat, StartTimer } from '../repetition.ts';
import { BUILT_IN_PARTS } from '../rules/built-in-components.ts';
import type { RandomBytes } from '../rules/object-id.ts';
import { createSqliteStatusStore } from '../status-store.sqlite.ts';
import type { PostWebhook } from '../subscribers/post-webhook.ts';

/** A status area on a database in memory, with a clock that stands still. */
export interface OpenStatusArea {
  readonly area: StatusArea;
  readonly clock: ManualClock;
  readonly database: SqliteDatabase;
  /** Does once what the running area repeats so often. */
  turn(everyMs: number): Promise<void>;
  /** Messages that the area logged, in order. */
  readonly logged: readonly string[];
  close(): void;
}

/** Tokens for tests, by scope; areas opened here know the hashes of both. */
export const TEST_TOKENS = {
  write: createStatusToken('tester', 'write', (count) => new Uint8Array(count).fill(1)),
  read: createStatusToken('reader', 'read', (count) => new Uint8Array(count).fill(2)),
};

export const START = Date.parse('2026-03-02T09:00:00.000Z');

export interface OpenStatusAreaSettings {
  readonly options?: Partial<StatusOptions>;
  readonly now?: number;
  /** File to share between several areas; default a database of its own in memory. */
  readonly file?: string;
  /** Default: nobody is reached. */
  readonly post?: PostWebhook;
  /** Default: no timer ever ends. */
  readonly startTimer?: StartTimer;
  readonly metrics?: Registry;
  /** Default: one for each built-in component, all of which work. */
  readonly probes?: readonly HealthProbe[];
}

const WORKING_PARTS: readonly HealthProbe[] = BUILT_IN_PARTS.map(({ component }) => ({
  name: component.probe,
  check: async () => WORKING,
}));

/** Opens and prepares an area; without other options its page has no components. */
export async function openStatusArea(settings: OpenStatusAreaSettings = {}): Promise<OpenStatusArea> {
  const database = openDatabase(settings.file ?? ':memory:');
  const clock = new ManualClock(settings.now ?? START);
  const logged: string[] = [];
  const record = (_fields: unknown, message?: string) => void logged.push(message ?? '');
  const works = new Map<number, () => Promise<void>>();
  const repeat: Repeat = (work, everyMs) => {
    works.set(everyMs, work);
    return async () => void works.delete(everyMs);
  };
  const area = createStatusArea({
    store: createSqliteStatusStore(database),
    clock,
    // Areas that share a file must not make the same ids.
    randomness: countingBytes(settings.now ?? START),
    log: { info: record, warn: record, error: record },
    repeat,
    startTimer: settings.startTimer ?? (() => () => undefined),
    post: settings.post ?? (async () => Promise.reject(new Error('nobody is there'))),
    ...(settings.metrics === undefined ? {} : { metrics: settings.metrics }),
    probes: settings.probes ?? WORKING_PARTS,
    options: {
      pageUrl: 'https://status.example.org',
      apiUrl: 'https://ledger.example.org',
      version: '1.2.3',
      builtinComponents: false,
      tokens: parseStatusTokens(`${TEST_TOKENS.write.line} ${TEST_TOKENS.read.line}`, () => undefined),
      ...settings.options,
    },
  });
  await area.prepare();
  return {
    area,
    clock,
    database,
    logged,
    turn: async (everyMs) => works.get(everyMs)?.(),
    close: () => database.close(),
  };
}

/** Bytes that make the same distinct ids in every run. */
export function countingBytes(seed = 1): RandomBytes {
  let state = seed >>> 0;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      // A linear congruential generator (Numerical Recipes); its upper bits are the good ones.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
}
