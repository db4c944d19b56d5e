import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../src/values/once.ts';
import { expectedCreationMatch, type MatchableVector, matchVector } from '../kit/verify/match-vector.ts';
import { putStandInCompilers } from '../kit/verify/stand-in-compilers.ts';
import { recordingOf } from '../kit/verify/vector-recording.ts';
import type { TestServer } from '../support/test-server.ts';
import { putVectorCompilers } from '../support/vector-compilers.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, CaseSkipped, differences, type Report } from './report.ts';
import { deploy, folderUntilExit, type JobRecord, submit } from './verify-server.ts';

type Json = Readonly<Record<string, unknown>>;

type VerifyCase = MatchableVector & {
  readonly input: Json;
  readonly output: Json;
  readonly verification: Json & { readonly errorCode?: string | null };
};

const DOWNLOAD_PATIENCE_MS = 60_000;

const REPLAYED =
  'note: Vyper and Fe cases run with executables that replay the compiler output of each case (compiler output replayed)';
const matchedOnly = (version: string) =>
  `note: no working solc ${version} is installed, its cases compare the compiler output that they store (matcher only)`;

export function isVerifyFile(file: CaseFile): boolean {
  const { onchain, input, verification } = file.content as Partial<VerifyCase>;
  return onchain !== undefined && input !== undefined && verification !== undefined;
}

/**
 * Submits one vector over HTTP against a mock chain and compares the job and the stored contract.
 *
 * Vyper and Fe get an executable that replays the vector; a solc that is not there leaves the matcher.
 */
export async function runVerifyFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  const kase = file.content as VerifyCase;
  await report.run(folder, file.name, async () => {
    const isReplayed = ['Vyper', 'Fe'].includes(kase.input.stdJsonInput.language);
    if (isReplayed && !storesOutput(kase) && expectsMatch(kase))
      throw new CaseSkipped('it stores no compiler output that could be replayed');
    if (isReplayed) report.note(REPLAYED);
    if (!isReplayed || !storesOutput(kase))
      return runVector(kase, file.name, folderOfVectorCompilers(), report);
    const compilers = mkdtempSync(join(tmpdir(), 'conformance-compilers-'));
    try {
      putStandInCompilers(compilers, [recordingOf(kase)]);
      await runVector(kase, file.name, compilers, report);
    } finally {
      rmSync(compilers, { recursive: true });
    }
  });
}

/** One for all cases, so that a compiler which is loaded serves the next one too. */
const folderOfVectorCompilers = once((): string => {
  const folder = folderUntilExit('conformance-compilers-');
  putVectorCompilers(folder);
  return folder;
});

async function runVector(kase: VerifyCase, name: string, compilerDir: string, report: Report): Promise<void> {
  const deployed = await deploy(name, kase.onchain, compilerDir, ownAddress(kase));
  const { server, address, transactionHash } = deployed;
  try {
    if (storesOutput(kase) && !(await hasCompiler(server, kase))) {
      report.note(matchedOnly(kase.input.compilerVersion));
      failOn(judgeMatcher(kase));
      return;
    }
    const submission = { ...kase.input, creationTransactionHash: transactionHash };
    const accepted = await submit(server.url, `31337/${address}`, submission);
    if (accepted.kind === 'refused') throw new CaseFailed([`submission: ${accepted.text}`]);
    const { job } = accepted;
    const lookup = await fetch(`${server.url}/v2/contract/31337/${address}?fields=all`);
    failOn(judge(kase, job, lookup.status, (await lookup.json()) as Json));
  } finally {
    await server.close();
  }
}

/** A library holds its own address, and only there it is exact. */
function ownAddress({ verification }: VerifyCase): string | undefined {
  const values = verification['runtimeValues'] as { readonly callProtection?: string } | null | undefined;
  return values?.callProtection;
}

async function hasCompiler({ services }: TestServer, { input }: VerifyCase): Promise<boolean> {
  const { language } = input.stdJsonInput;
  if (language !== 'Solidity' && language !== 'Yul') return true;
  const version = input.compilerVersion.replace(/^v/, '');
  const wanted = { language: 'solc', version } as const;
  return (
    (await services.verify.compilers.find(wanted, { patienceMs: DOWNLOAD_PATIENCE_MS })).kind === 'found'
  );
}

function storesOutput({ output }: VerifyCase): boolean {
  return output['creationBytecode'] !== undefined && output['compilationArtifacts'] !== undefined;
}

function expectsMatch({ verification }: VerifyCase): boolean {
  return verification['creationMatch'] !== null || verification['runtimeMatch'] !== null;
}

function judgeMatcher(kase: VerifyCase): string[] {
  const { creation, runtime } = matchVector(kase);
  const { verification } = kase;
  const expected = {
    creation: {
      grade: verification['creationMatch'],
      transformations: verification['creationTransformations'],
      values: verification['creationValues'],
    },
    runtime: {
      grade: verification['runtimeMatch'],
      transformations: verification['runtimeTransformations'],
      values: verification['runtimeValues'],
    },
  };
  return differences(expected, { creation, runtime });
}

function failOn(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new CaseFailed(wrong.slice(0, 20));
}

function judge(kase: VerifyCase, job: JobRecord, status: number, contract: Json): string[] {
  const { output, verification } = kase;
  if (!expectsMatch(kase)) {
    return [
      ...differences(verification.errorCode, job.error?.customCode, {}, 'error.customCode'),
      ...differences(404, status, {}, 'status of the lookup'),
    ];
  }
  const expected = {
    creationMatch: expectedCreationMatch(verification),
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
