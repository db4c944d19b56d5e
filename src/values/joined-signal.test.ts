import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { joinSignals } from './joined-signal.ts';

/** Listeners, and signals that the platform keeps for being joined from this one. */
function heldBy(signal: AbortSignal): number {
  const kept = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const { size } = kept === undefined ? { size: 0 } : Reflect.get(signal, kept);
  return size + getEventListeners(signal, 'abort').length;
}

it('leaves nothing in a signal that lives on', () => {
  const long = new AbortController();
  for (let index = 0; index < 10; index += 1) joinSignals(long.signal, undefined).end();
  const passed = new AbortController();
  const { signal } = joinSignals(long.signal, passed.signal);
  passed.abort('over');
  expect(signal.reason).toBe('over');
  expect(heldBy(long.signal)).toBe(0);
});

it('is given for the reason of the first, also of one that was given before', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = joinSignals(first.signal, second.signal);
  expect(signal.aborted).toBe(false);
  second.abort('second');
  first.abort('first');
  expect(signal.reason).toBe('second');
  expect(joinSignals(undefined, first.signal).signal.reason).toBe('first');
});

it('counts what the platform keeps of joined signals', () => {
  const long = new AbortController();
  const joined = AbortSignal.any([long.signal, new AbortController().signal]);
  joined.addEventListener('abort', () => {});
  expect(heldBy(long.signal)).toBe(1);
});

it('lets many wait for one signal without a warning of a leak', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  const long = new AbortController();
  const joined = Array.from({ length: 20 }, () => joinSignals(long.signal));
  await setImmediate();
  for (const { end } of joined) end();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
