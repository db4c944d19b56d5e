import { createStatusArea, type StatusArea } from '../../src/status/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ManualClock } from '../../src/values/clock.ts';
import { countingBytes, START } from '../kit/status/fixed-inputs.ts';
import { DEFAULT_CONFIG } from '../support/default-config.ts';

export { START };

/** A status area on a store, whose service makes what the repositories are asked for; its clock stands still. */
export async function statusAreaOn({ status }: Store): Promise<StatusArea> {
  const area = createStatusArea({
    store: status,
    clock: new ManualClock(START),
    randomness: countingBytes(START),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    repeat: () => async () => {},
    startTimer: () => () => undefined,
    post: async () => Promise.reject(new Error('nobody is there')),
    options: {
      ...DEFAULT_CONFIG.status,
      pageUrl: 'https://status.example.org',
      apiUrl: 'https://ledger.example.org',
      version: '1.2.3',
      builtinComponents: false,
    },
  });
  await area.prepare();
  return area;
}
