import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

test('nothing of the process keeps a server that was closed', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const closed = await useAndClose();
  await expect
    .poll(async () => {
      await sleep(10);
      collectGarbage();
      return closed.filter((app) => app.deref() !== undefined).length;
    })
    // A local of the last call may live on in its frame.
    .toBeLessThanOrEqual(1);
});

test('a round of probes while the application closes reports no fault', async () => {
  const rounds: (() => Promise<void>)[] = [];
  const repeat = (work: () => Promise<void>) => {
    rounds.push(work);
    return async () => undefined;
  };
  const server = await startTestServer({ env: { STATUS_PROBES_OFF: '' }, repeat });
  const error = vi.spyOn(server.services.log, 'error');
  server.services.beginDraining();
  await server.app.close();
  for (const round of rounds) await round();
  expect(error.mock.calls).toEqual([]);
  await server.close();
});

/** Five servers, each asked what a monitor and a client ask. */
async function useAndClose(): Promise<WeakRef<object>[]> {
  const closed: WeakRef<object>[] = [];
  for (let index = 0; index < 5; index++) {
    const server = await startTestServer({});
    for (const path of ['/metrics', '/api/v1/accounts', '/api/v2/summary.json', '/health/readiness']) {
      await (await fetch(server.url + path)).text();
    }
    closed.push(new WeakRef(server.app));
    await server.close();
  }
  return closed;
}
