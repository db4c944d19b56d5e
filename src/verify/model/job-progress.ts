/** What a running job is busy with, in this order. @see contracts/verification-api.md section 14 */
export type JobStage = 'fetching' | 'compiling' | 'matching' | 'storing';

/** The link between a running job and those who follow it. */
export interface JobProgress {
  /** Fires when the job is cancelled; its result is not wanted any more. */
  readonly signal: AbortSignal;
  /** Tells what the job does now. */
  enter(stage: JobStage): void;
  /** Adds a sentence to the `warnings` of the job record; the same one is kept once. */
  warn(text: string): void;
}
