import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { isLeftOut, notLinux } from '../../../../test/support/left-out.ts';
import { readProcess } from '../copies/proc-table.ts';
import { type NativeEnd, type NativeRun, runNativeProcess } from './native-process.ts';
import { createPrivateFolders } from './private-folder.ts';

const folders = createPrivateFolders(async () => tmpdir());

/** Runs a script for Node as if it were a compiler. */
async function run(script: string, overrides: Partial<NativeRun> = {}): Promise<NativeEnd> {
  return folders.with(async (folder) => {
    const path = join(folder, 'stand-in');
    writeFileSync(path, `#!${process.execPath}\n${script}`);
    chmodSync(path, 0o700);
    return runNativeProcess({
      path,
      arguments: [],
      folder,
      stdin: '',
      timeoutMs: 30_000,
      memoryLimitMiB: 1024,
      signal: new AbortController().signal,
      ...overrides,
    });
  });
}

const PRINT_ALL = `
  const stdin = require('node:fs').readFileSync(0, 'utf8');
  console.log(JSON.stringify({ stdin, args: process.argv.slice(2), env: process.env, cwd: process.cwd() }));
  console.error('Warning: this is a stand-in');`;
const HANG = 'setInterval(() => {}, 1000);';

async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

describe('runNativeProcess', () => {
  test('gives output, arguments untouched by a shell, and nothing of the environment of the server', async () => {
    process.env['SECRET_OF_THE_SERVER'] = 'x';
    onTestFinished(() => {
      delete process.env['SECRET_OF_THE_SERVER'];
    });
    const args = ['--standard-json', '$(id)', "'; exit 7 #", '-x'];
    const end = await run(PRINT_ALL, { arguments: args, stdin: '{"a":1}' });
    if (end.kind !== 'exited') throw new Error(end.message);
    const seen = JSON.parse(end.stdout.toString());
    expect(seen).toMatchObject({ stdin: '{"a":1}', args });
    expect(Object.keys(seen.env).sort()).toEqual(expect.arrayContaining(['HOME', 'PATH', 'TMPDIR']));
    expect(seen.env).not.toHaveProperty('SECRET_OF_THE_SERVER');
    expect(seen.env.HOME).toBe(seen.cwd);
    expect(end).toMatchObject({ exitCode: 0, stderr: 'Warning: this is a stand-in\n' });
  });

  test('gives the exit code of an executable that fails', async () => {
    const end = await run('console.error("no such contract"); process.exitCode = 3;');
    expect(end).toMatchObject({ kind: 'exited', exitCode: 3, stderr: 'no such contract\n' });
  });

  test('says why a file cannot be run', async () => {
    const end = await run(PRINT_ALL, { path: '/' });
    expect(end).toMatchObject({ kind: 'exited', exitCode: 126, stderr: expect.stringContaining('/: ') });
  });

  test('says why no process can be started', async () => {
    const end = await run(PRINT_ALL, { folder: '/there/is/no/such/folder' });
    expect(end).toMatchObject({ kind: 'crashed', message: expect.stringContaining('cannot be started') });
  });

  test('ends one that hangs at its time limit', async () => {
    const end = await run(HANG, { timeoutMs: 5000, wallLimitMs: 300 });
    expect(end.kind).toBe('timeout');
    // It used next to none of its time, which is up nevertheless: nothing is repeated with the rest.
    expect(end.milliseconds).toBeGreaterThanOrEqual(5000);
  });

  test('does not count the time that it waits', async () => {
    const script = "setTimeout(() => console.log('done'), 2500)";
    const end = await run(script, { timeoutMs: 2000, wallLimitMs: 600_000 });
    expect(end).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  test('ends one that has used its processor time', async () => {
    const end = await run('for (;;);', { timeoutMs: 500, wallLimitMs: 600_000 });
    expect(end.kind).toBe('timeout');
  });

  test('rejects with the reason of the signal when the run is not wanted any more', async () => {
    const controller = new AbortController();
    const running = run(HANG, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('cancelled')), 100);
    await expect(running).rejects.toThrow('cancelled');
    await expect(run(HANG, { signal: controller.signal })).rejects.toThrow('cancelled');
  });

  test('tells the signal of one that crashes', async () => {
    const end = await run('console.error("assertion failed"); process.abort();');
    expect(end).toMatchObject({
      kind: 'crashed',
      message: expect.stringMatching(/SIGABRT.*assertion failed/s),
    });
  });

  test('stops one that prints 300 MB', async () => {
    const script = `const chunk = Buffer.alloc(1e6, 'x');
      let left = 300;
      const more = () => { if (left-- > 0) process.stdout.write(chunk, more); };
      more();`;
    const end = await run(script);
    expect(end).toMatchObject({ kind: 'crashed', message: 'The compiler printed more than 250 MiB' });
  });

  test('keeps the whole output of one that prints much', async () => {
    const end = await run("process.stdout.write('y'.repeat(3e6) + 'end')");
    if (end.kind !== 'exited') throw new Error(end.message);
    expect(end.stdout.subarray(-3).toString()).toBe('end');
    expect(end.stdout.length).toBe(3_000_003);
  });

  test('ends what an executable leaves behind, after a good end too', async () => {
    const end = await run(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(HANG)}], { stdio: 'inherit' });
      process.stdout.write(String(child.pid), () => process.exit(0));`);
    if (end.kind !== 'exited') throw new Error(end.message);
    expect(await isGone(Number(end.stdout.toString()))).toBe(true);
  });

  // Elsewhere nothing tells which processes a run has.
  describe.skipIf(isLeftOut(notLinux))('what became a daemon', () => {
    const pidFile = join(tmpdir(), `ledgerlens-daemon-${process.pid}`);
    afterEach(() => rmSync(pidFile, { force: true }));
    /** Starts a process in a session of its own whose parent ends at once; nothing leads back from it to the run. */
    const daemon = (options: object) => {
      const inner = `
        const { spawn } = require('node:child_process');
        const options = { stdio: 'ignore', detached: true, ...${JSON.stringify(options)} };
        const child = spawn(process.execPath, ['-e', ${JSON.stringify(HANG)}], options);
        child.unref();
        require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));`;
      return `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true });`;
    };
    const pid = () => Number(readFileSync(pidFile, 'utf8'));

    test.each([
      ['environment and working directory', {}],
      ['the environment', { cwd: '/' }],
      ['the working directory', { env: {} }],
    ])('is ended when it kept %s', async (_, options) => {
      expect(await run(daemon(options))).toMatchObject({ kind: 'exited', exitCode: 0 });
      expect(isRunning(pid())).toBe(false);
    });

    test('is ended when the run is stopped', async () => {
      const controller = new AbortController();
      const running = run(`${daemon({})}${HANG}`, { signal: controller.signal });
      await expect.poll(() => existsSync(pidFile) && pid() > 0).toBe(true);
      controller.abort(new Error('cancelled'));
      await expect(running).rejects.toThrow('cancelled');
      expect(isRunning(pid())).toBe(false);
    });
  });

  test.skipIf(isLeftOut(notLinux))('refuses memory above the limit', { timeout: 60_000 }, async () => {
    const end = await run(
      `const held = [];
       try { for (;;) held.push(Buffer.alloc(32e6, 1)); }
       catch { require('node:fs').writeSync(2, 'memory allocation of 32000000 bytes failed\\n'); process.abort(); }`,
      { memoryLimitMiB: 768 },
    );
    expect(end).toMatchObject({ kind: 'out_of_memory' });
  });

  test.skipIf(isLeftOut(notLinux))(
    'counts the memory of all processes of a run together',
    { timeout: 60_000 },
    async () => {
      // Each alone stays below the limit that the kernel keeps, the address space of its engine included.
      const hold = `const held = Buffer.alloc(300e6, 1); setInterval(() => held.length, 1000);`;
      const end = await run(
        `const { spawn } = require('node:child_process');
         for (let i = 0; i < 4; i++) spawn(process.execPath, ['-e', ${JSON.stringify(hold)}]);`,
        { memoryLimitMiB: 1024 },
      );
      expect(end).toMatchObject({ kind: 'out_of_memory', message: expect.stringContaining('1024 MiB') });
    },
  );
});

/** False for one that only waits to be reaped, too. */
function isRunning(pid: number): boolean {
  return readProcess(pid).some(({ isEnded }) => !isEnded);
}
