import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLeftOut, notLinux } from '../../../../test/support/left-out.ts';
import { readProcess } from '../copies/proc-table.ts';
import { judgeOwner, readRunFolder, runFolderPrefix, thisOwner } from '../copies/run-owner.ts';
import { sweepAbandonedRuns } from './abandoned-runs.ts';

const DAY_MS = 86_400_000;
const HANG = 'setInterval(() => {}, 1000);';
const script = fileURLToPath(
  new URL('../../../../test/kit/verify/run-executable-process.ts', import.meta.url),
);

let base = '';
let work = '';
const servers: ChildProcess[] = [];
const strays: number[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'abandoned-runs-'));
  work = join(base, 'work');
  mkdirSync(work);
});
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
  for (const pid of strays.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  rmSync(base, { recursive: true });
});

const isRunning = (pid: number) => readProcess(pid).some(({ isEnded }) => !isEnded);

/** Starts a server that runs an executable and a daemon of it; gives the numbers of both. */
async function startServer(name: string): Promise<readonly number[]> {
  const path = join(base, name);
  const pidFile = `${path}.pids`;
  const daemon = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(HANG)}], { stdio: 'ignore', detached: true, cwd: '/' });
    child.unref();
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, process.argv[1] + ' ' + child.pid + ' .');`;
  writeFileSync(
    path,
    `#!${process.execPath}
    require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(daemon)}, String(process.pid)], { detached: true });
    ${HANG}`,
    { mode: 0o700 },
  );
  servers.push(spawn(process.execPath, ['--import', 'tsx', script, work, path], { stdio: 'inherit' }));
  const read = () => (existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : '');
  await expect.poll(read).toMatch(/\.$/);
  const pids = read().split(' ').slice(0, 2).map(Number);
  strays.push(...pids);
  return pids;
}

describe.skipIf(isLeftOut(notLinux))('sweepAbandonedRuns', () => {
  test('ends what a killed server left and removes its folders, and touches nothing of a living one', async () => {
    const ofLiving = await startServer('living');
    const ofKilled = await startServer('killed');
    expect([...ofKilled, ...ofLiving].map(isRunning)).toEqual([true, true, true, true]);
    const killed = servers[1];
    killed?.kill('SIGKILL');
    if (killed !== undefined) await once(killed, 'exit');
    expect(readdirSync(work)).toHaveLength(2);

    // From here on every server that another test starts ends them too, so how many this one ends is not certain.
    await sweepAbandonedRuns(work, Date.now());
    await expect.poll(() => ofKilled.map(isRunning)).toEqual([false, false]);
    expect(ofLiving.map(isRunning)).toEqual([true, true]);
    const left = readdirSync(work).map((name) => readRunFolder(name)?.pid);
    expect(left).toEqual([servers[0]?.pid]);
    expect((await sweepAbandonedRuns(work, Date.now())).folders).toBe(0);
  });

  test('leaves the folders of another container alone for a day, and whatever has another name', async () => {
    const elsewhere = `${runFolderPrefix({ ...thisOwner(), namespace: '1' })}abcdef`;
    mkdirSync(join(work, elsewhere));
    mkdirSync(join(work, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'));
    const now = Date.now();
    expect((await sweepAbandonedRuns(work, now)).folders).toBe(0);
    utimesSync(join(work, elsewhere), new Date(now - 2 * DAY_MS), new Date(now - 2 * DAY_MS));
    expect((await sweepAbandonedRuns(work, now)).folders).toBe(1);
    expect(readdirSync(work)).toHaveLength(1);
    expect((await sweepAbandonedRuns(join(base, 'missing'), now)).folders).toBe(0);
  });
});

describe.skipIf(isLeftOut(notLinux))('judgeOwner', () => {
  const self = thisOwner();
  test.each([
    ['this process', self, 'living'],
    ['an earlier process with the same number', { ...self, startTicks: self.startTicks - 1 }, 'gone'],
    ['a number that nobody has', { ...self, pid: 2 ** 22 + 1 }, 'gone'],
    ['a process of another container', { ...self, namespace: '1' }, 'unknown'],
  ] as const)('%s', (_, owner, state) => {
    expect(judgeOwner(owner, self)).toBe(state);
  });
});
