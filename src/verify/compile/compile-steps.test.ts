import { expect, test } from 'vitest';
import { failedAtOnce } from './compile-outcome.ts';
import { type CompileStep, throughSteps } from './compile-steps.ts';
import type { CompileRequest } from './compiler.ts';

test('the first step sees the request first and the outcome last', async () => {
  const seen: string[] = [];
  const step =
    (name: string): CompileStep =>
    (next) =>
    async (request) => {
      seen.push(`${name} >`);
      const outcome = await next(request);
      seen.push(`< ${name}`);
      return outcome;
    };
  const compile = throughSteps([step('first'), step('second')], async () => {
    seen.push('compiler');
    return failedAtOnce({ code: 'no_match', data: {} });
  });
  const request: CompileRequest = {
    input: { language: 'Solidity', sources: {} },
    version: '0.8.30',
    target: { path: 'a.sol', name: 'A' },
    scope: 'target',
    timeoutMs: 1000,
    signal: new AbortController().signal,
  };
  await compile(request);
  expect(seen).toEqual(['first >', 'second >', 'compiler', '< second', '< first']);
});
