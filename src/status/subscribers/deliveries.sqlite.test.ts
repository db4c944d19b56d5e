import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OpenStatusAreaSettings, openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { receivers } from '../../../test/kit/status/receivers.ts';
import { aFolder } from '../../../test/kit/storage/a-folder.ts';
import { holdWriteLock } from '../../../test/support/sqlite-file.ts';
import { openSqlite } from '../../storage/sqlite.ts';

async function open(settings: OpenStatusAreaSettings) {
  const opened = await openStatusArea(settings);
  onTestFinished(async () => {
    await opened.area.close();
    await opened.close();
  });
  return opened;
}

describe('deliveries in a SQLite file', () => {
  test('are written with the change: what cannot be queued is not stored either', async () => {
    const file = join(aFolder(), 'page.sqlite');
    const { area } = await open({ file });
    const { service, repository } = area;
    await service.createIncident({ name: 'Before' });
    await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const database = openSqlite(file);
    database.exec(`CREATE TRIGGER fault BEFORE INSERT ON status_delivery
      BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
    database.close();
    const before = await repository.revision();
    await expect(service.createIncident({ name: 'I' })).rejects.toThrow('the disk is full');
    expect(await repository.revision()).toBe(before);
    expect(await repository.readNotices(1, 9)).toEqual([]);
  });

  test('wait while another process writes, and their end is stored later', async () => {
    const file = join(aFolder(), 'page.sqlite');
    const { post, answers, count } = receivers();
    const timers = new Map<number, () => void>();
    const { area, store } = await open({
      file,
      post,
      startTimer: (run, afterMs) => {
        timers.set(afterMs, run);
        return () => void timers.delete(afterMs);
      },
    });
    const waiting = async () => (await store.deliveries.count()).waiting;
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    let answer = (_status: number) => {};
    answers.set('https://a.example.org/', [
      new Promise((resolve) => {
        answer = resolve;
      }),
    ]);
    await area.service.createIncident({ name: 'I' });
    await expect.poll(count).toBe(1);
    const release = holdWriteLock(file);
    answer(200);
    await expect.poll(() => timers.has(250)).toBe(true);
    expect(await waiting()).toBe(1);
    release();
    timers.get(250)?.();
    await expect.poll(waiting).toBe(0);
    expect(count()).toBe(1);
  });
});
