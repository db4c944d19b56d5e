import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, toHex } from '../../src/values/hex.ts';
import { creationFromCallFrames } from '../../src/verify/chain/transaction-traces.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, differences, type Report } from './report.ts';
import { judgeSubmitted, type Wanted } from './verdict.ts';
import { deploy, submit } from './verify-server.ts';

interface HostileCase {
  readonly onchain: { readonly creationBytecode: string; readonly deployedBytecode: string };
  readonly input: Readonly<Record<string, unknown>>;
  readonly want: Wanted & { readonly cborAuxdataRuntimeKeys?: readonly string[] };
}

interface TraceCase {
  readonly frames: { readonly calls: readonly { readonly to: Hex }[] };
  readonly want: string;
}

/** A verification that tempts to a wrong verdict, or a trace with two creations of one address. */
export function isHostileVerifyFile({ content }: CaseFile): boolean {
  const { onchain, input, frames, want } = content as Partial<HostileCase & TraceCase>;
  return want !== undefined && ((onchain !== undefined && input !== undefined) || frames !== undefined);
}

/** Submits one case over HTTP against a mock chain, and looks whether the verdict is among those allowed. */
export async function runHostileVerifyFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  await report.run(folder, file.name, async () => {
    const content = file.content as HostileCase | TraceCase;
    const wrong = 'frames' in content ? judgeTrace(content) : await judgeVerdict(content, file.name);
    if (wrong.length > 0) throw new CaseFailed(wrong);
  });
}

function judgeTrace({ frames, want }: TraceCase): readonly string[] {
  const contract = { address: frames.calls.at(-1)?.to ?? '0x', runtimeCode: new Uint8Array() };
  const creation = creationFromCallFrames(frames, contract);
  return differences(want, toHex(creation?.creationCode ?? new Uint8Array()));
}

async function judgeVerdict({ onchain, input, want }: HostileCase, name: string): Promise<readonly string[]> {
  const compilers = mkdtempSync(join(tmpdir(), 'conformance-compilers-'));
  const { server, address, transactionHash } = await deploy(name, onchain, compilers);
  try {
    const submission = { ...input, creationTransactionHash: transactionHash };
    const submitted = await submit(server.url, `31337/${address}`, submission);
    const wrong = judgeSubmitted(submitted, want);
    if (wrong.length > 0 || want.cborAuxdataRuntimeKeys === undefined) return wrong;
    const lookup = await fetch(`${server.url}/v2/contract/31337/${address}?fields=runtimeBytecode`);
    const { runtimeBytecode } = (await lookup.json()) as { runtimeBytecode: { cborAuxdata: object } };
    return differences(want.cborAuxdataRuntimeKeys, Object.keys(runtimeBytecode.cborAuxdata), {}, 'keys');
  } finally {
    await server.close();
    rmSync(compilers, { recursive: true });
  }
}
