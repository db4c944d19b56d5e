import { expect, test, vi } from 'vitest';
import { execute } from '../../src/commands/demo.ts';

test('the demo shows all three areas, with a ledger that it imports and a contract that it compiles', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    expect(await execute()).toBe(0);
    const said = log.mock.calls.flat().join('\n');
    expect(said).toContain('imported 5 units');
    expect(said).toContain('verified: signatures');
    expect(said).toMatch(/GET \/api\/v1\/tokens\/0\.0\.\d+\/nfts\?.*\n200 \{\n\s+"nfts": \[\n\s+\{/);
    expect(said).toMatch(/GET \/api\/v1\/accounts\/0\.0\.\d+\/tokens\?.*\n200 \{\n\s+"tokens": \[\n\s+\{/);
    expect(said).toMatch(/GET \/api\/v1\/topics\/0\.0\.\d+\/messages\?.*\n200 \{\n\s+"messages": \[\n\s+\{/);
    expect(said).toMatch(
      /GET \/api\/v1\/contracts\/results\/0x\w+\/actions\?.*\n200 \{\n\s+"actions": \[\n\s+\{/,
    );
    expect(said).toMatch(/POST \/api\/v1\/network\/fees\?mode=state .*\n200 /);
    // Followed by waiting, not by asking again and again: a busy machine needs longer than some requests take.
    expect(said.match(/GET \/v2\/verify\//g)?.length).toBeLessThanOrEqual(3);
    expect(said).toContain('"match": "exact_match"');
    expect(said).toMatch(/PATCH \/v1\/pages\/\w+\/incidents\/\w+ .*\n200 /);
    expect(said).toContain('"indicator": "none"');
  } finally {
    log.mockRestore();
  }
}, 240_000);
