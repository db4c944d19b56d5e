import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanEnvironment, ensureBuilt, MAIN, runCommandBeside, until } from '../support/serve-process.ts';

/** Where the demo keeps its folder, which has to be gone afterwards. */
const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What an explorer asks that is configured as docs/explorers.md says; it appends to each address as it stands. */
function explorerUrls(base: string): readonly string[] {
  const page = readFileSync(new URL('../../docs/explorers.md', import.meta.url), 'utf8');
  const contract = '298/0x5FbDB2315678afecb367f032d93F642f64180aa3';
  return Object.entries({
    url: 'api/v1/network/nodes?limit=100',
    'sourcifySetup.serverURL': `v2/contract/${contract}?fields=metadata,sources`,
    'sourcifySetup.repoURL': contract,
    'sourcifySetup.verifierURL': '',
  }).map(([member, rest]) => {
    const [, path] =
      new RegExp(`^\\| \`${member}\` \\| \`http://HOST:8080/(\\S*)\` \\|$`, 'm').exec(page) ?? [];
    expect(path, member).toBeDefined();
    return `${base}${path}${rest}`;
  });
}

describe('the demo', () => {
  test('asks all three areas about a ledger that it imports and contracts that it compiles', async () => {
    const { errors, exitCode, output } = await runCommandBeside(['demo'], { TMPDIR: folder }, folder);
    expect([exitCode, errors]).toEqual([0, '']);
    const lines = output.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    const answerTo = (request: RegExp) => lines[lines.findIndex((line) => request.test(line)) + 1] ?? '';
    expect(answerTo(/import of 10 record files/)).toMatch(
      /6\d\d transactions in 10 blocks, verified by signatures/,
    );
    expect(answerTo(/transactiontype=CRYPTOTRANSFER/)).toMatch(/0\.0\.\d+-\d+-\d+, fee of \d+ tinybars/);
    expect(answerTo(/exchangerate/)).toContain('1 ℏ = 12 cents');
    expect(answerTo(/\/nfts\?/)).toMatch(/NFT \d+ belongs to 0\.0\.\d+/);
    expect(answerTo(/\/accounts\//)).toMatch(/has \d+ tinybars and \d+ tokens/);
    expect(answerTo(/\/messages\?/)).toMatch(/message \d+, \d+ bytes from 0\.0\.\d+/);
    expect(answerTo(/\/actions/)).toMatch(/\d+ CALL from 0\.0\.\d+ to 0\.0\.4001, \d+ gas consumed/);
    expect(answerTo(/network\/fees/)).toMatch(/1000000 tinycents: 0\.0001\d* USD, \d+ tinybars/);
    const exact = 'exact_match (creation code: exact_match, runtime code: exact_match)';
    expect(answerTo(/POST \/v2\/verify\/298\//)).toContain(exact);
    expect(answerTo(/POST \/v2\/verify\/similarity\/298\//)).toContain(exact);
    expect(answerTo(/GET \/v2\/contract\//)).toContain('event Greeted, function greet, function greeting');
    expect(answerTo(/POST \/v1\/pages\/\w+\/incidents/)).toContain('Outage');
    expect(answerTo(/PATCH \/v1\/pages\/\w+\/incidents\/\w+/)).toContain('All Systems Operational');
    expect(answerTo(/upcoming\.json/)).toMatch(/Network upgrade, 20\d\d-/);
    expect(readdirSync(folder)).toEqual([]);
  }, 240_000);

  test('with --serve prints links that work, to contracts that are verified, until a signal', async () => {
    ensureBuilt();
    const env = cleanEnvironment({ PORT: '0', TMPDIR: folder });
    const child = spawn(process.execPath, [MAIN, 'demo', '--serve'], { cwd: folder, env });
    try {
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      }
      const isOver = () => output.includes('Press Ctrl-C') || child.exitCode !== null;
      await until('the demo prints its links', async () => isOver(), 200_000);
      expect([child.exitCode, output]).toEqual([null, expect.stringContaining('Press Ctrl-C')]);
      const links = [...output.matchAll(/^(\S.*?) {2,}(http:\S+)$/gm)].map(([, name = '', url = '']) => ({
        name,
        url,
      }));
      expect(links.length).toBeGreaterThan(15);
      for (const { name, url } of links) {
        const answer = await fetch(url, { headers: { accept: 'text/html' } });
        expect([name, answer.status]).toEqual([name, 200]);
        const text = await answer.text();
        if (name === 'Verified contract') expect(text).toContain('Greeter');
        if (name === 'Contract call') expect(text).toContain('Greetings to all visitors!');
        if (name === 'Incident') expect(text).toContain('Blocks are late');
        if (name === 'Maintenance') expect(text).toContain('Network upgrade');
      }
      const base = links[0]?.url ?? '';
      for (const url of explorerUrls(base)) {
        const answer = await fetch(url, { headers: { accept: 'text/html' } });
        expect([url, answer.status]).toEqual([url, 200]);
      }
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  }, 240_000);
});
