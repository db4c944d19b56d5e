import { failure } from '../job-failure.ts';
import { failedAtOnce, toOutcome } from './compile-outcome.ts';
import type { Compiler } from './compiler.ts';
import { vyperSemver } from './compiler-version.ts';
import { findCompiler } from './find-compiler.ts';
import type { NativeCompilerParts } from './native-compiler-parts.ts';
import { lastPart, type NativeExit } from './native-process.ts';
import { selectVyperOutput } from './vyper-input.ts';

/**
 * Compiles Vyper with an executable that reads and prints standard JSON.
 *
 * @see contracts/verification-engine.md section 4
 */
export function createVyperCompiler(parts: NativeCompilerParts): Compiler {
  return {
    async compile(request) {
      const { input, target, version, signal } = request;
      if (vyperSemver(version) === null) return failedAtOnce(failure('invalid_compiler_version'));
      const found = await findCompiler(parts.store, { language: 'vyper', version }, request);
      if (found.kind === 'missing') return failedAtOnce(found.failure);
      const { executable } = found;
      const result = await parts.runner.run(
        {
          path: executable.path,
          arguments: () => ['--standard-json'],
          stdin: JSON.stringify(selectVyperOutput(input, target)),
          async read(exit) {
            const message = complaint(exit);
            if (message !== null) return { kind: 'unreadable', message };
            const { stdout } = exit;
            return parts.reader(
              { compiler: 'vyper', stdout, input, target, version: executable.version },
              signal,
            );
          },
        },
        request,
      );
      return toOutcome(result, request, 'vyper', executable, parts);
    },
  };
}

/** Errors of the sources are in the output; what stands on stderr is a failure unless it is a warning. */
function complaint({ exitCode, stderr }: NativeExit): string | null {
  const text = stderr.trim();
  if (exitCode !== 0) return `The compiler ended with code ${exitCode}. ${lastPart(text)}`.trim();
  return text === '' || text.startsWith('Warning:') ? null : lastPart(text);
}
