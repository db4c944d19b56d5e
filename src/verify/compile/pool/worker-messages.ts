import type { CompilationTarget, StandardJson } from '../../standard-json.ts';
import type { TargetOutput } from '../output/solidity-output.ts';
import type { TextPiece } from './text-pieces.ts';

/** What a compiler worker is started with. */
export interface WorkerSetup {
  /** Path of the soljson file. */
  readonly path: string;
  /** SHA-256 that the file must have, hex; null for files checked at installation. */
  readonly sha256: string | null;
  /** WebAssembly memory beyond this many bytes is refused. */
  readonly memoryLimitBytes: number;
}

/** One compilation. */
export interface WorkerTask {
  readonly input: StandardJson;
  readonly target: CompilationTarget;
}

/** Texts of the task that comes next; a task that is large has them before it. */
export type WorkerTexts = readonly TextPiece[];

/**
 * Answers of a worker: once `ready`, then one `result` or `fault` per task. After a fault it must be ended. Times are
 * milliseconds of processor time, of the clock where the system does not tell.
 */
export type WorkerAnswer =
  /** `threadId` as the system knows it; null where it does not tell. */
  | { readonly kind: 'ready'; readonly version: string; readonly threadId: number | null }
  | {
      readonly kind: 'result';
      readonly output: TargetOutput;
      readonly milliseconds: number;
      /** What the compiler has taken and keeps while its thread lives, bytes; absent when not known. */
      readonly memoryBytes?: number;
    }
  | {
      readonly kind: 'fault';
      readonly reason: 'out_of_memory' | 'crashed';
      readonly message: string;
      readonly milliseconds: number;
    };
