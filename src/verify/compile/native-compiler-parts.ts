import type { NamedLimits } from './compile-outcome.ts';
import type { CompilerStore } from './compiler-store.ts';
import type { NativeRunner } from './native-runner.ts';
import type { OutputReader } from './output-reader.ts';

/** What a compiler that is always an executable is made of. */
export interface NativeCompilerParts extends NamedLimits {
  readonly store: CompilerStore;
  readonly runner: NativeRunner;
  readonly reader: OutputReader;
}
