import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { execute } from '../../src/commands/generate.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-generate-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function generate(name: string, values: Record<string, string>) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const code = await execute({ positionals: [join(folder, name)], values, env: {} });
    return { code, said: log.mock.calls.flat().join('\n') };
  } finally {
    log.mockRestore();
  }
}

describe('ledgerlens generate', () => {
  test('the same seed writes the same bytes, another seed others', async () => {
    const small = { transactions: '60', 'per-file': '30', nodes: '2' };
    const first = await generate('first', { ...small, seed: 'one' });
    expect(first.code).toBe(0);
    expect(first.said).toMatch(/^2 record files with 6\d transactions in /);
    const book = (said: string) => /SHA-256 (\w{64})/.exec(said)?.[1];
    expect(book((await generate('again', { ...small, seed: 'one' })).said)).toBe(book(first.said));
    expect(book((await generate('other', { ...small, seed: 'two' })).said)).not.toBe(book(first.said));
    const record = 'recordstreams/record0.0.3/2023-11-14T22_13_22.000000000Z.rcd.gz';
    const bytes = (name: string) => readFileSync(join(folder, name, record)).toString('hex');
    expect(bytes('again')).toBe(bytes('first'));
    expect(existsSync(join(folder, 'first/recordstreams/record0.0.4', record))).toBe(false);
  });

  test('refuses a folder that is not empty and an option that is none, naming them', async () => {
    await expect(generate('.', {})).rejects.toThrow(/is not empty: name a new folder/);
    await expect(generate('new', { nodes: 'many' })).rejects.toThrow(
      '--nodes must be a whole number from 1 to 100',
    );
    await expect(generate('new', { mix: 'nothing' })).rejects.toThrow(
      '--mix must be one of transfers, everyday, contracts, everything',
    );
    await expect(generate('new', { transactions: '0' })).rejects.toThrow('--transactions must be');
  });
});
