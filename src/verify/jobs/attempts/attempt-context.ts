import type { Compiler } from '../../compile/compiler.ts';
import type { Language } from '../../match/compiled-code.ts';
import type { SourceGateway } from '../../metadata/source-gateway.ts';
import type { SourceSearch } from '../../metadata/source-search.ts';
import type { JobProgress } from '../../model/job-progress.ts';
import type { CandidateRepository } from '../../similarity/candidate-repository.ts';
import type { CompileBudget } from './attempt-compilation.ts';
import type { OnchainReader } from './compare-with-chain.ts';

/** What an attempt to find the sources of one contract works with. */
export interface AttemptContext {
  readonly compilers: Readonly<Record<Language, Compiler>>;
  readonly search: SourceSearch;
  /** Null when sources that nobody sent are not fetched. */
  readonly gateway: SourceGateway | null;
  readonly candidates: CandidateRepository;
  readonly onchain: OnchainReader;
  readonly budget: CompileBudget;
  readonly progress: JobProgress;
}
