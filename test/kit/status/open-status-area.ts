import type { Registry } from 'prom-client';
import { createStatusArea, type StatusArea, type StatusOptions } from '../../../src/status/index.ts';
import { createStatusToken, parseStatusTokens } from '../../../src/status/manage/tokens.ts';
import { type HealthProbe, worstSample } from '../../../src/status/monitor/health-probe.ts';
import { BUILT_IN_PARTS } from '../../../src/status/rules/built-in-components.ts';
import type { StatusStore } from '../../../src/status/status-store.ts';
import type { PostWebhook } from '../../../src/status/subscribers/post-webhook.ts';
import { ManualClock } from '../../../src/values/clock.ts';
import type { Repeat, StartTimer } from '../../../src/values/repetition.ts';
import { DEFAULT_CONFIG } from '../../support/default-config.ts';
import { openFileStore, openMemoryStore, type Store } from '../../support/test-store.ts';
import { countingBytes, START } from './fixed-inputs.ts';

export { START };

/** A status area on a store of its own, with a clock that stands still. */
export interface OpenStatusArea {
  readonly area: StatusArea;
  readonly clock: ManualClock;
  readonly store: StatusStore;
  /** Does once what the running area repeats so often. */
  turn(everyMs: number): Promise<void>;
  /** Messages that the area logged, in order. */
  readonly logged: readonly string[];
  /** Closes the store unless it was given; may be called twice. */
  close(): Promise<void>;
}

/** Tokens for tests, by scope; areas opened here know the hashes of both. */
export const TEST_TOKENS = {
  write: createStatusToken('tester', 'write', (count) => new Uint8Array(count).fill(1)),
  read: createStatusToken('reader', 'read', (count) => new Uint8Array(count).fill(2)),
};

export interface OpenStatusAreaSettings {
  readonly options?: Partial<StatusOptions>;
  readonly now?: number;
  /** A store that the caller closes. Default: one of the area's own. */
  readonly store?: StatusStore;
  /** File to share between several areas. Default: a database in memory. */
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
  check: async () => worstSample([]),
}));

/** Opens and prepares an area; without other options its page has no components. */
export async function openStatusArea(settings: OpenStatusAreaSettings = {}): Promise<OpenStatusArea> {
  const { status: store, close } = await storeOf(settings);
  const clock = new ManualClock(settings.now ?? START);
  const logged: string[] = [];
  const record = (_fields: unknown, message?: string) => void logged.push(message ?? '');
  const works = new Map<number, () => Promise<void>>();
  const repeat: Repeat = (work, everyMs) => {
    works.set(everyMs, work);
    return async () => void works.delete(everyMs);
  };
  const area = createStatusArea({
    store,
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
      ...DEFAULT_CONFIG.status,
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
    store,
    logged,
    turn: async (everyMs) => works.get(everyMs)?.(),
    close,
  };
}

async function storeOf({ store, file }: OpenStatusAreaSettings): Promise<Pick<Store, 'status' | 'close'>> {
  if (store !== undefined) return { status: store, close: async () => undefined };
  return file === undefined ? openMemoryStore() : openFileStore(file);
}
