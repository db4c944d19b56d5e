import type { NamedLimits } from '../compile-outcome.ts';
import type { CompilerCatalog } from '../compiler-catalog.ts';
import type { OutputReader } from '../output/output-reader.ts';
import type { NativeRunner } from './native-runner.ts';

/** What a compiler that is always an executable is made of. */
export interface NativeCompilerParts extends NamedLimits {
  readonly catalog: CompilerCatalog;
  readonly runner: NativeRunner;
  readonly reader: OutputReader;
}
