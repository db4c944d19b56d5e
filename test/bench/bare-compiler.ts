import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type BenchSubmission, compilerInput } from './bench-contracts.ts';

/** A compiled contract: what a static chain answers for it, and what compiling took. */
export interface BareCompilation {
  readonly code: { readonly creationBytecode: string; readonly runtimeBytecode: string };
  readonly milliseconds: number;
}

/** A warm solc in a process of its own: the ceiling of every verification. */
export interface BareCompiler {
  compile(submission: BenchSubmission): Promise<BareCompilation>;
  close(): Promise<void>;
}

interface Answer {
  readonly milliseconds: number;
  readonly output: string;
}

/** Starts it. Times are those of the compiler alone, without passing texts to and fro. */
export async function startBareCompiler(): Promise<BareCompiler> {
  const script = fileURLToPath(new URL('./bare-compiler-process.ts', import.meta.url));
  const child = fork(script, { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
  await once(child, 'message');
  return {
    async compile(submission) {
      child.send(compilerInput(submission));
      const [{ milliseconds, output }] = (await once(child, 'message')) as [Answer];
      return { milliseconds, code: readCode(output, submission.contractIdentifier) };
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function readCode(output: string, identifier: string): BareCompilation['code'] {
  const [path = '', name = ''] = identifier.split(':');
  const { contracts, errors } = JSON.parse(output) as {
    contracts?: Record<
      string,
      Record<string, { evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
    >;
    errors?: unknown;
  };
  const evm = contracts?.[path]?.[name]?.evm;
  if (evm === undefined) throw new Error(`${identifier} does not compile: ${JSON.stringify(errors)}`);
  return {
    creationBytecode: `0x${evm.bytecode.object}`,
    runtimeBytecode: `0x${evm.deployedBytecode.object}`,
  };
}
