import { expect, test } from 'vitest';
import { readMigrations } from '../../src/storage/migrations.ts';

test('migrations are numbered without gaps and repetitions', () => {
  expect(readMigrations().length).toBeGreaterThan(0);
});
