import { expect, test } from 'vitest';
import { readMigrations } from './migrations.ts';

test('migrations are numbered without gaps and repetitions', () => {
  expect(readMigrations().length).toBeGreaterThan(0);
});
