import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort, runCommand, type ServeProcess, startServe, until } from '../support/serve-process.ts';

let folder: string;
let serve: ServeProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-serve-'));
});

afterEach(async () => {
  await serve?.stop('SIGKILL');
  serve = null;
  rmSync(folder, { recursive: true, force: true });
});

describe('ledgerlens serve', () => {
  test('serves all three areas from an empty folder without configuration, and stops gracefully', async () => {
    serve = await startServe({}, folder);
    const get = async (path: string) => {
      const answer = await fetch(serve?.url + path);
      return [answer.status, await answer.text()] as const;
    };
    // It listens before its background work has begun.
    await until('it is ready', async () => (await get('/health/readiness'))[0] === 200);
    expect(await get('/health')).toEqual([200, 'Alive and kicking!']);
    expect(await get('/api/v1/transactions')).toEqual([200, '{"transactions":[],"links":{"next":null}}']);
    expect((await get('/api/v2/summary.json'))[1]).toContain('"All Systems Operational"');
    expect(await get('/chains')).toEqual([200, '[]']);
    expect((await get('/docs/'))[0]).toBe(200);
    expect((await get('/metrics'))[1]).toContain('ledgerlens_http_request_duration_seconds');
    expect(await serve.stop('SIGTERM')).toBe(0);
  });

  test.each([
    ['auto', /^\{"level":30,.*"msg":"Ledgerlens/m],
    ['json', /^\{"level":30,.*"msg":"Ledgerlens/m],
    ['pretty', /^\[[\d:.]+\] INFO: Ledgerlens .* serves /m],
  ])('LOG_FORMAT=%s into a pipe', async (format, line) => {
    serve = await startServe({ LOG_FORMAT: format }, folder);
    const { log } = serve;
    await until('it has told its start', async () => log().includes('serves http'));
    expect(log()).toMatch(line);
    expect(await serve.stop('SIGTERM')).toBe(0);
  });

  test('turns readiness off before the listener closes', async () => {
    serve = await startServe({ DRAIN_SECONDS: '2' }, folder);
    const { url, child } = serve;
    child.kill('SIGTERM');
    await until('readiness is off', async () => (await fetch(`${url}/health/readiness`)).status === 503);
    expect((await fetch(`${url}/api/v1/transactions`)).status).toBe(200);
    await until('the process has ended', async () => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });

  test('takes the stop signal that npm passes on again for one signal, and a later one for impatience', async () => {
    serve = await startServe({ DRAIN_SECONDS: '1' }, folder);
    const { child } = serve;
    child.kill('SIGINT');
    await until('it stops', async () => serve?.log().includes('"stopping"') === true);
    child.kill('SIGINT');
    await until('the process has ended', async () => child.exitCode !== null);
    expect([child.exitCode, serve.log()]).toEqual([0, expect.stringContaining('"stopped"')]);

    serve = await startServe({ DRAIN_SECONDS: '60' }, folder);
    const impatient = serve;
    await until('the process has ended', async () => {
      impatient.child.kill('SIGTERM');
      return impatient.child.exitCode !== null;
    });
    expect([impatient.child.exitCode, impatient.log()]).toEqual([
      1,
      expect.stringContaining('second signal'),
    ]);
  });

  test('does not wait for connections that clients keep or never used', async () => {
    serve = await startServe({ VERIFY_CHAINS: '{}' }, folder);
    const port = Number(new URL(serve.url).port);
    const silent = connect(port, '127.0.0.1');
    const kept = connect(port, '127.0.0.1');
    await Promise.all([once(silent, 'connect'), once(kept, 'connect')]);
    silent.on('error', () => undefined);
    kept.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(kept, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
    // What waited for them would be ended by force, with another exit code.
    expect(await serve.stop('SIGTERM')).toBe(0);
    for (const socket of [silent, kept]) socket.destroy();
  });

  test('gives area B a listener and an address of its own', async () => {
    const statusPort = String(await freePort());
    serve = await startServe({ STATUS_PORT: statusPort, STATUS_URL: 'https://status.example.org' }, folder);
    const status = `http://127.0.0.1:${statusPort}`;
    const summary = (await (await fetch(`${status}/api/v2/summary.json`)).json()) as {
      page: { url: string };
    };
    expect(summary.page.url).toBe('https://status.example.org');
    expect((await fetch(`${serve.url}/api/v2/summary.json`)).status).toBe(200);
    const elsewhere = await fetch(`${status}/api/v1/transactions`);
    expect([elsewhere.status, await elsewhere.json()]).toEqual([404, { error: 'Not found' }]);
  });

  test('answers on several ports', async () => {
    const ports = [await freePort(), await freePort()];
    serve = await startServe({ PORT: ports.join(',') }, folder);
    for (const port of ports) {
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/network/nodes`)).status).toBe(200);
    }
  });

  test('does not start with a wrong or unknown variable, and lists them', () => {
    const { exitCode, errors } = runCommand(['serve'], { PORT: 'x', MIRROR_DIALEKT: 'hiero' }, folder);
    expect(exitCode).toBe(1);
    expect(errors).toContain('- PORT: "x" is not a port');
    expect(errors).toContain('- MIRROR_DIALEKT: unknown variable');
  });
});

describe('ledgerlens serve, when it cannot', () => {
  test('says in one line what is wrong and what to do', async () => {
    serve = await startServe({}, folder);
    const taken = new URL(serve.url).port;
    expect(runCommand(['serve'], { PORT: taken }, folder)).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(
        new RegExp(`^Cannot listen on port ${taken}: it is in use by another process. Choose another .*\n$`),
      ),
    });
    const wrong = runCommand(['serve'], { VERIFY_COMPILER_DIR: '/nowhere/compilers' }, folder);
    expect(wrong).toMatchObject({
      exitCode: 1,
      errors: 'VERIFY_COMPILER_DIR: /nowhere/compilers is not a folder\n',
    });
    const chains = runCommand(['serve'], { VERIFY_CHAINS: '{"1":{"rcp":[]}}' }, folder);
    expect(chains).toMatchObject({ exitCode: 1, errors: expect.stringContaining('VERIFY_CHAINS: 1/rcp') });
  });
});

describe('ledgerlens', () => {
  test('explains its commands', () => {
    const help = runCommand(['help'], {}, folder);
    expect(help.exitCode).toBe(0);
    for (const name of ['serve', 'import', 'migrate', 'compilers', 'demo', 'check'])
      expect(help.output).toContain(name);
    expect(runCommand(['fly'], {}, folder)).toMatchObject({ exitCode: 2 });
    expect(runCommand(['import', '--fast'], {}, folder).errors).toContain("Unknown option '--fast'");
  });

  test('migrates once', () => {
    expect(runCommand(['migrate'], {}, folder).output).toMatch(/Schema version 0 -> \d+/);
    expect(runCommand(['migrate'], {}, folder).output).toContain('nothing to do');
  });

  test('checks everything without changing anything', () => {
    const before = runCommand(['check'], {}, folder);
    expect(before.exitCode).toBe(0);
    expect(before.output).toMatch(/database +ok +no database yet: data/);
    expect(runCommand(['check'], {}, folder).output).toBe(before.output);
    runCommand(['migrate'], {}, folder);
    const after = runCommand(['check'], {}, folder);
    expect(after.output).toMatch(/configuration\s+ok/);
    expect(after.output).toMatch(/compilers\s+ok/);
    expect(after.exitCode).toBe(0);
  });
});
