import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { cleanEnvironment, ensureBuilt, freePort, until } from '../support/serve-process.ts';

/** A process that may open few files. Only Linux tells how many. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let folder: string;
let child: ChildProcess | null = null;
let log = '';
const sockets: Socket[] = [];

beforeEach(() => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-files-'));
  log = '';
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  if (child !== null && child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

function serveWith(openFiles: number, port: number): ChildProcess {
  child = spawn('sh', ['-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, process.execPath, MAIN, 'serve'], {
    cwd: folder,
    env: cleanEnvironment({ PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      log += text.toString();
    });
  }
  return child;
}

const noLimits = existsSync('/proc/self/limits')
  ? null
  : 'skipped: this system does not tell the limits of a process';

describe.skipIf(isLeftOut(noLimits))('a small limit of open files', () => {
  test.each([24, 40])('that is too small ends the start with a plain message: %d', async (files) => {
    const [code] = (await once(serveWith(files, await freePort()), 'exit')) as [number];
    expect([code, log]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^The limit of open files is ${files}; Ledgerlens needs at least \\d+\\. Raise it, .*ulimit -n.*\\n$`,
        ),
      ),
    ]);
  });

  test('is told, and leaves health checks and the database what they need when connections take the rest', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    serveWith(512, port);
    const isReady = () =>
      fetch(`${url}/health/readiness`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('it serves', isReady);
    expect(log).toContain('the limit of open files is 512');
    for (let index = 0; index < 600; index += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      // Some say nothing, as those who only want to take places.
      if (index % 2 === 0) socket.write('GET /chains HTTP/1.1\r\nHost: a\r\n\r\n');
      sockets.push(socket);
    }
    await until('health checks are answered', isReady);
    const answer = await fetch(`${url}/v2/verify/31337/0x000000000000000000000000000000000000dEaD`, {
      method: 'POST',
    });
    expect(answer.status).toBe(400);
    expect(log).not.toMatch(/EMFILE|"level":[56]0/);
  });
});
