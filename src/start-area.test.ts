import { expect, test } from 'vitest';
import { startArea } from './start-area.ts';
import { StorageFaultError } from './values/storage-errors.ts';

/** An area that fails as often as it has faults, and its start. */
function starting(faults: Error[], signal = new AbortController().signal) {
  const [lines, waits]: [string[], number[]] = [[], []];
  const write = (_: unknown, line?: string) => lines.push(line ?? '');
  const started = startArea(
    {
      name: 'mirror',
      async start() {
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
      },
    },
    { log: { warn: write, info: write } as never, signal, wait: async (ms) => waits.push(ms) },
  );
  return { started, lines, waits };
}

test('an area whose database is gone starts when it is back, and reports each reason once', async () => {
  const faults = ['refused', 'refused', 'disk full'].map((reason) => new StorageFaultError(reason));
  const { lines, started, waits } = starting(faults);
  await started;
  expect(waits).toEqual([1000, 1000, 1000]);
  expect(lines).toEqual([
    'the area starts as soon as the database can be used',
    'the area starts as soon as the database can be used',
    'the area has started, the database is back',
  ]);
});

test('another fault ends the start', async () => {
  await expect(starting([new Error('a bug')]).started).rejects.toThrow('a bug');
});

test('a server that is asked to stop waits for no database', async () => {
  const { lines, started } = starting([new StorageFaultError('gone')], AbortSignal.abort());
  await started;
  expect(lines).toEqual([]);
});
