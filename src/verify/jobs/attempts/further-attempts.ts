import type { Compilation, OutputScope } from '../../compile/compiler.ts';
import type { CompilerKind } from '../../compile/compiler-catalog.ts';
import { isJsonObject } from '../../json-object.ts';
import { isBefore } from '../../match/version-order.ts';
import type { JobErrorCode } from '../../model/job-failure.ts';
import { settingsOf } from '../../standard-json.ts';

/** Another way to compile the same input. */
interface FurtherAttempt {
  readonly scope: OutputScope;
  /** Absent: the build that was used before. */
  readonly compilerKind?: CompilerKind;
}

/** Refusals that known compiler bugs can cause. */
const WORTH_MORE: ReadonlySet<JobErrorCode> = new Set([
  'no_match',
  'bytecode_length_mismatch',
  'extra_file_input_bug',
]);
const FIRST_UNSTEADY_VYPER = '0.3.4';
const FIRST_STEADY_VYPER = '0.3.8';
/** With one repetition 8 of 20 correct submissions matched; the limit of the job may end them earlier. */
const UNSTEADY_RUNS = 20;
const FIRST_WITH_ORDERED_IR = '0.8.21';

/**
 * Tells how else a compilation that matches nothing is worth repeating, because of known compiler bugs.
 *
 * Solidity: the selection of outputs can change code; before 0.8.21 native and WebAssembly builds order
 * unoptimised IR output differently. Vyper 0.3.4 to 0.3.7 do not give the same code each time.
 *
 * @see contracts/verification-engine.md sections 2.1, 4.2 and 9.2
 */
export function furtherAttempts(compilation: Compilation, refusal: JobErrorCode): readonly FurtherAttempt[] {
  if (!WORTH_MORE.has(refusal)) return [];
  const { language, version } = compilation.compiler;
  switch (language) {
    case 'Fe':
      return [];
    case 'Vyper':
      return !isBefore(version, FIRST_UNSTEADY_VYPER) && isBefore(version, FIRST_STEADY_VYPER)
        ? Array.from({ length: UNSTEADY_RUNS - 1 }, () => ({ scope: 'target' }) as const)
        : [];
    case 'Solidity':
    case 'Yul': {
      const compilerKind = compilation.compilerKind === 'native' ? 'wasm' : 'native';
      return [
        { scope: 'all' },
        ...(hasUnorderedIr(compilation) ? [{ scope: 'all', compilerKind } as const] : []),
      ];
    }
  }
}

function hasUnorderedIr({ compiler, input }: Compilation): boolean {
  const { viaIR, optimizer } = settingsOf(input);
  const isOptimised = isJsonObject(optimizer) && optimizer['enabled'] === true;
  return isBefore(compiler.version, FIRST_WITH_ORDERED_IR) && viaIR === true && !isOptimised;
}
