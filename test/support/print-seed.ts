import { afterEach } from 'vitest';
import { forgetSeeds, seedsToRepeat } from './seed.ts';

// Runs before every test file (vitest.config.ts): a random test that failed says how to repeat it.
forgetSeeds();
afterEach(({ task }) => {
  const seeds = task.result?.state === 'fail' ? seedsToRepeat() : null;
  if (seeds !== null) console.error(`${task.file.name}: ${seeds}`);
});
