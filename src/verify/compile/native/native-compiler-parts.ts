import type { NamedLimits } from '../compile-outcome.ts';
import type { OutputReader } from '../output/output-reader.ts';
import type { CompilerStore } from '../supply/compiler-store.ts';
import type { NativeRunner } from './native-runner.ts';

/** What a compiler that is always an executable is made of. */
export interface NativeCompilerParts extends NamedLimits {
  readonly store: CompilerStore;
  readonly runner: NativeRunner;
  readonly reader: OutputReader;
}
