import type { CompileOutcome, CompileRequest } from './compiler.ts';

/** Compiles a request, or has it done. */
export type Compile = (request: CompileRequest) => Promise<CompileOutcome>;

/** One step on the way from a request to its compiler: it does its part around what comes after it. */
export type CompileStep = (next: Compile) => Compile;

/** Steps from the outermost to the innermost, and the compiler at their end. */
export function throughSteps(steps: readonly CompileStep[], compile: Compile): Compile {
  return steps.reduceRight((next, step) => step(next), compile);
}
