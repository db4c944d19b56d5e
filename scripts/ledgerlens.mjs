#!/usr/bin/env node
// What `npx ledgerlens` runs in a checkout. It stands here before the first build, or npm would find nothing to link.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = spawnSync(process.execPath, [fileURLToPath(new URL('build-if-needed.mjs', import.meta.url))], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  // The output of the command is its own.
  stdio: ['ignore', 2, 2],
});
if (build.status === 0) await import('../dist/main.js');
else process.exitCode = 1;
