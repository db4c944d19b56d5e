import { startThread } from '../../threads/start-thread.ts';
import { TaskThread, ThreadClosed } from '../../threads/task-thread.ts';
import type { BodyKind, LargeBodies, PreparedBody } from '../bodies/prepared-body.ts';
import { invalidParameter, VerifyRequestError } from '../errors.ts';
import { LARGE_CHARACTERS, type StoredSubmission, type Submission } from '../model/submission.ts';

/** One message to the thread; it answers each with one. */
export type BodyTask =
  | {
      readonly kind: 'prepare';
      readonly parts: Uint8Array[];
      readonly body: BodyKind;
      readonly contentType: string;
      /** From which the text of a submission is compressed. */
      readonly largeCharacters: number;
    }
  | { readonly kind: 'unpack'; readonly stored: StoredSubmission };

export type BodyAnswer =
  | { readonly kind: 'prepared'; readonly body: PreparedBody }
  | { readonly kind: 'unpacked'; readonly submission: Submission };

/** Limits of the thread; a test may set its own. */
const LIMITS = {
  /** Four times the largest body, for texts of two bytes a character. */
  heapMiB: 512,
  idleMs: 120_000,
  /** A body that takes longer ends the thread. */
  timeoutMs: 60_000,
  /** From which submissions in JSON are compressed. */
  largeCharacters: LARGE_CHARACTERS,
};
const RETRY_SECONDS = 5;

/** Reads large bodies in a thread of its own, one after the other; the budget for bodies bounds how many wait. */
export class BodyThread implements LargeBodies {
  readonly #thread: TaskThread<BodyTask, BodyAnswer>;
  readonly #timeoutMs: number;
  readonly #largeCharacters: number;

  constructor(limits: Partial<typeof LIMITS> = {}) {
    const { heapMiB, idleMs, largeCharacters, timeoutMs } = { ...LIMITS, ...limits };
    const resourceLimits = { maxOldGenerationSizeMb: heapMiB };
    const start = () => startThread('verify/body-thread/body-worker', { resourceLimits });
    this.#thread = new TaskThread({ start, name: 'body', idleMs });
    this.#timeoutMs = timeoutMs;
    this.#largeCharacters = largeCharacters;
  }

  async prepare(parts: readonly Buffer[], kind: BodyKind, contentType = ''): Promise<PreparedBody> {
    const task: BodyTask = {
      kind: 'prepare',
      parts: [...parts],
      body: kind,
      contentType,
      largeCharacters: this.#largeCharacters,
    };
    const answer = await this.#run(task, parts.map(({ buffer }) => buffer) as ArrayBuffer[]);
    if (answer.kind !== 'prepared') throw new Error('The body thread sent the response to another request');
    return answer.body;
  }

  async unpack(stored: StoredSubmission): Promise<Submission> {
    const answer = await this.#run({ kind: 'unpack', stored }, []);
    if (answer.kind !== 'unpacked') throw new Error('The body thread sent the response to another request');
    return answer.submission;
  }

  /** Ends the thread; what it works on, and what waits, rejects. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #run(task: BodyTask, moved: readonly ArrayBuffer[]): Promise<BodyAnswer> {
    try {
      return await this.#thread.run(task, { timeoutMs: this.#timeoutMs, moved });
    } catch (error) {
      throw inWordsOfTheClient(error);
    }
  }
}

function inWordsOfTheClient(error: unknown): VerifyRequestError {
  if (error instanceof ThreadClosed) return unavailable('The server is stopping.');
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? invalidParameter('request/body must NOT need more memory than the server allows for reading it')
    : unavailable('The body could not be read.', error);
}

function unavailable(text: string, cause?: unknown): VerifyRequestError {
  const message = `${text} Nothing was stored; try again later.`;
  return new VerifyRequestError('server_busy', message, RETRY_SECONDS, cause);
}
