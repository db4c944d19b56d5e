#!/usr/bin/env node
// What `npx --no-install ledgerlens` runs. In a checkout it stands here before the first build, or npm would find nothing to link,
// and builds when that is needed; the installed package has neither sources nor anything to build with.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const builder = fileURLToPath(new URL('build-if-needed.mjs', import.meta.url));

function isBuilt() {
  if (!existsSync(builder)) return true;
  const build = spawnSync(process.execPath, [builder], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    // The output of the command is its own.
    stdio: ['ignore', 2, 2],
  });
  return build.status === 0;
}

if (isBuilt()) await import('../dist/main.js');
else process.exitCode = 1;
