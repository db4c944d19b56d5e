import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from './sqlite.ts';
import { withoutWaiting } from './without-waiting.ts';

test('a write is left when another connection holds the lock, and waits again afterwards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waiting-'));
  const [first, second] = [1, 2].map(() => openSqlite(join(folder, 'a.sqlite'), { busyTimeoutMs: 7000 }));
  if (first === undefined || second === undefined) throw new Error('not opened');
  onTestFinished(() => {
    first.close();
    second.close();
    rmSync(folder, { recursive: true });
  });
  first.exec('CREATE TABLE t (x)');
  const write = () => void second.exec('INSERT INTO t VALUES (1)');
  first.exec('BEGIN IMMEDIATE');
  expect(withoutWaiting(second, write)).toBe(false);
  first.exec('COMMIT');
  expect(withoutWaiting(second, write)).toBe(true);
  expect(second.pragma('busy_timeout', { simple: true })).toBe(7000);
  expect(() => withoutWaiting(second, () => void second.exec('no SQL'))).toThrow('syntax error');
});
