import { createHash } from 'node:crypto';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../src/verify/testing/mock-chain.ts';
import { startTestServer } from '../support/test-server.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, CaseSkipped, differences, type Report } from './report.ts';

type Json = Readonly<Record<string, unknown>>;

interface VerifyCase {
  readonly onchain: { readonly creationBytecode: string; readonly deployedBytecode: string };
  readonly input: Json & {
    readonly compilerVersion: string;
    readonly stdJsonInput: { readonly language: string };
  };
  readonly output: Json;
  readonly verification: Json & { readonly errorCode?: string | null };
}

interface JobRecord {
  readonly isJobCompleted: boolean;
  readonly contract: Json;
  readonly error?: { readonly customCode: string };
}

/** Compilers that no npm package brings. */
const UNAVAILABLE = new Map([['0.4.0+commit.acd334c9', 'the npm package of solc 0.4.0 is broken']]);

export function isVerifyFile(file: CaseFile): boolean {
  const { onchain, input, verification } = file.content as Partial<VerifyCase>;
  return onchain !== undefined && input !== undefined && verification !== undefined;
}

/** Submits one vector over HTTP against a mock chain and compares the job and the stored contract. */
export async function runVerifyFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  const kase = file.content as VerifyCase;
  await report.run(folder, file.name, async () => {
    const { language } = kase.input.stdJsonInput;
    if (language !== 'Solidity' && language !== 'Yul') {
      throw new CaseSkipped(
        `${language} needs an executable that no npm package brings; its matching is a unit test`,
      );
    }
    const reason = UNAVAILABLE.get(kase.input.compilerVersion);
    if (reason !== undefined) throw new CaseSkipped(`${reason}; its matching is a unit test`);
    const address = `0x${digest(file.name).slice(0, 40)}`;
    const transactionHash = `0x${digest(address)}`;
    const contracts = new Map<string, MockContract>([
      [
        address,
        { runtime: kase.onchain.deployedBytecode, creation: kase.onchain.creationBytecode, transactionHash },
      ],
    ]);
    const server = await startTestServer({
      env: { VERIFY_CHAINS: MOCK_CHAINS, VERIFY_FIRST_POLL_MS: '30000' },
      fetch: mockChainFetch(contracts) as typeof fetch,
    });
    try {
      const submission = { ...kase.input, creationTransactionHash: transactionHash };
      const job = await verify(server.url, address, submission);
      const lookup = await fetch(`${server.url}/v2/contract/31337/${address}?fields=all`);
      const wrong = judge(kase, job, lookup.status, (await lookup.json()) as Json);
      if (wrong.length > 0) throw new CaseFailed(wrong.slice(0, 20));
    } finally {
      await server.close();
    }
  });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function verify(url: string, address: string, submission: unknown): Promise<JobRecord> {
  const accepted = await fetch(`${url}/v2/verify/31337/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(submission),
  });
  if (accepted.status !== 202)
    throw new CaseFailed([`submission: ${accepted.status} ${await accepted.text()}`]);
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  const job = (await (await fetch(`${url}/v2/verify/${verificationId}`)).json()) as JobRecord;
  if (!job.isJobCompleted) throw new CaseFailed(['the job did not end within 30 s']);
  return job;
}

function judge(
  { output, verification }: VerifyCase,
  job: JobRecord,
  status: number,
  contract: Json,
): string[] {
  if (verification['creationMatch'] === null && verification['runtimeMatch'] === null) {
    return [
      ...differences(verification.errorCode, job.error?.customCode, {}, 'error.customCode'),
      ...differences(404, status, {}, 'status of the lookup'),
    ];
  }
  const expected = {
    creationMatch: verification['creationMatch'],
    runtimeMatch: verification['runtimeMatch'],
    creationBytecode: {
      transformations: verification['creationTransformations'],
      transformationValues: verification['creationValues'],
      ...storedCode(output, 'creation'),
    },
    runtimeBytecode: {
      transformations: verification['runtimeTransformations'],
      transformationValues: verification['runtimeValues'],
      ...storedCode(output, 'runtime'),
    },
    ...artifacts(output),
  };
  const lenient = { additionalMembers: true, absentEqualsNull: new Set(['sourceMap']) };
  return [
    ...differences(undefined, job.error?.customCode, {}, 'error of the job'),
    ...differences(200, status, {}, 'status of the lookup'),
    ...differences(expected, contract, lenient),
    // Whole values: members that the vector does not name would be wrong in these.
    ...['transformations', 'transformationValues'].flatMap((name) =>
      (['creationBytecode', 'runtimeBytecode'] as const).flatMap((code) =>
        differences(
          expected[code][name as 'transformations'],
          (contract[code] as Json)[name],
          {},
          `${code}.${name}`,
        ),
      ),
    ),
  ];
}

/** Own vectors name positions only, the others the whole artifacts. */
function storedCode(output: Json, side: 'creation' | 'runtime'): Json {
  const [Side, recompiled] =
    side === 'creation' ? ['Creation', 'creationBytecode'] : ['Runtime', 'deployedBytecode'];
  if (output[`cborAuxdata${Side}`] !== undefined) {
    return {
      cborAuxdata: output[`cborAuxdata${Side}`],
      ...(side === 'runtime' ? { immutableReferences: output['immutableReferences'] } : {}),
    };
  }
  return { recompiledBytecode: output[recompiled], ...(output[`${side}CodeArtifacts`] as Json) };
}

function artifacts(output: Json): Json {
  if (output['compilationArtifacts'] === undefined) return {};
  const { sources, ...rest } = output['compilationArtifacts'] as Json;
  return { ...rest, sourceIds: sources, metadata: output['metadata'] };
}
