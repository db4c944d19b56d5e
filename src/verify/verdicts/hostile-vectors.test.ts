import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { sharedPath } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { putVectorCompilers } from '../../../test/support/vector-compilers.ts';

/** Of the cases whose compiler is installed; `npm run conformance -- verify` runs all of them. */
const CASES = [
  'verification-hostile/1-dead-subassembly-blob-replaced',
  'verification-hostile/1c-dead-subassembly-honest-positions',
  'verification-hostile/2-constructor-constant-reads-as-cbor',
  'verification-2026-11/hostile/10-library-guard-viair-foreign-address',
  'verification-2026-11/hostile/13-creation-and-runtime-code-of-a-child-viair-optimised',
  'verification-2026-11/hostile/13-new-and-runtime-code-of-a-child-viair-plain',
  'verification-2026-11/hostile/19-push20-of-zero-library-is-no-call-protection',
  'verification-2026-11/hostile/20-immutable-function-pointer-into-a-child',
  'verification-2026-11/hostile/23-linkersymbol-without-name',
];

describeShared('cases that tempt to a wrong verdict', () => {
  const contracts = new Map<string, MockContract>();
  let served: ServedArea;
  let compilerDir: string;
  beforeAll(async () => {
    compilerDir = mkdtempSync(join(tmpdir(), 'vector-compilers-'));
    putVectorCompilers(compilerDir);
    served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts), compilerDir });
  });
  afterAll(async () => {
    await served.close();
    rmSync(compilerDir, { recursive: true });
  });

  test.each(CASES)('%s', async (name) => {
    const path = sharedPath('cases', ...`${name}.json`.split('/'));
    const { onchain, input, want } = JSON.parse(readFileSync(path, 'utf8'));
    const address = `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
    const transactionHash = `0x${createHash('sha256').update(address).digest('hex')}`;
    const { deployedBytecode: runtime, creationBytecode: creation } = onchain;
    contracts.set(address, { runtime, creation, transactionHash });
    const submission = { ...input, creationTransactionHash: transactionHash };
    const { job } = await verifyToEnd(served.app, `31337/${address}`, submission);
    const code = job.error?.customCode ?? null;
    if (code === null || !want.error.includes('*')) expect(want.error).toContain(code);
    expect(want.creationMatch).toContain(job.contract['creationMatch']);
    expect(want.runtimeMatch).toContain(job.contract['runtimeMatch']);
    const lookup = await served.app.inject(`/v2/contract/31337/${address}?fields=runtimeBytecode`);
    if (want.cborAuxdataRuntimeKeys === undefined) return;
    expect(Object.keys(lookup.json().runtimeBytecode.cborAuxdata)).toEqual(want.cborAuxdataRuntimeKeys);
  });
});
