import { failure } from '../job-failure.ts';
import { shorten } from '../shorten.ts';
import type { Compiler } from './compiler.ts';

/**
 * Stands for a language whose compiler is an executable that nobody configured: each job ends with a
 * `compiler_error` that says so.
 */
export function createUnconfiguredCompiler(name: 'vyper' | 'fe'): Compiler {
  return {
    async compile({ version }) {
      const compilerErrorMessage = `No executable of ${name} ${shorten(version)} is configured on this server.`;
      return {
        kind: 'failed',
        failure: failure('compiler_error', { compilerErrorMessage }),
        milliseconds: 0,
      };
    },
  };
}
