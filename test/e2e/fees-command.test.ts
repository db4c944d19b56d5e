import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { execute } from '../../src/commands/fees.ts';
import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import { account, transactionBytes } from '../kit/mirror/fees/transactions.ts';
import { cleanEnvironment, ensureBuilt } from '../support/serve-process.ts';

const tokenTransfer = transactionBytes({
  cryptoTransfer: {
    tokenTransfers: [{ token: { tokenNum: 5005n }, transfers: [{ accountID: account(1001n), amount: -1n }] }],
  },
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-fees-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fees(content: string | Buffer, values: Record<string, string> = {}): Promise<string> {
  const path = join(folder, 'transaction');
  writeFileSync(path, content);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` };
    expect(await execute({ positionals: [path], values, env })).toBe(0);
    return log.mock.calls.flat().join('\n');
  } finally {
    log.mockRestore();
  }
}

describe('ledgerlens fees', () => {
  test('prints the breakdown as a table, without a ledger', async () => {
    expect(await fees(aTransfer(3))).toBe(
      [
        'CRYPTOTRANSFER 0.0.1001-1700000000-000000000',
        'part     item               counted  included  charged  per unit  tinycents  USD',
        'node     base fee                                                 100000     0.0000100000',
        'node     SIGNATURES         3        1         2        100000    200000     0.0000200000',
        'network  node part times 9                                        2700000    0.0002700000',
        'service  base fee                                                 0          0.0000000000',
        'total                                                             3000000    0.0003000000',
        'SIGNATURES: 3 counted (pairs in the signature map, or the requested number); 1 is covered by the base fee, 2 charged.',
        'Note: No exchange rate is known: the amount in hbar is omitted',
        '',
        'Prices: the bundled schedule',
      ].join('\n'),
    );
  });

  test('reads base64 and hexadecimal text, and estimates before signing', async () => {
    for (const encoding of ['base64', 'hex'] as const) {
      const said = await fees(`${aTransfer(0).toString(encoding)}\n`, { signatures: '2' });
      expect(said).toContain('Estimated for 2 signatures; the transaction has 0');
      expect(said).toMatch(/^total +2000000 /m);
    }
  });

  test('takes the mode, and says when the ledger does not know enough', async () => {
    expect(await fees(tokenTransfer)).toContain('use mode=state');
    expect(await fees(tokenTransfer, { mode: 'state' })).toContain(
      'State of token 0.0.5005 is not available: estimated in INTRINSIC mode',
    );
  });

  test('refuses what it cannot read or price, naming the remedy', async () => {
    await expect(fees('no transaction!')).rejects.toThrow('Unable to parse transaction');
    await expect(fees(aTransfer(1), { mode: 'both' })).rejects.toThrow(
      '--mode must be one of intrinsic, state',
    );
    await expect(fees(aTransfer(1), { signatures: '101' })).rejects.toThrow(
      '--signatures must be a whole number from 0 to 100',
    );
    await expect(execute({ positionals: [], values: {}, env: {} })).rejects.toThrow('Name one file');
    await expect(execute({ positionals: [join(folder, 'nowhere')], values: {}, env: {} })).rejects.toThrow(
      /nowhere: ENOENT/,
    );
  });

  test('reads standard input', () => {
    ensureBuilt();
    const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, [main, 'fees', '-'], {
      cwd: folder,
      env: cleanEnvironment({}),
      input: aTransfer(1),
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^total +1000000 /m)]);
  });
});
