/** Something that is not there yet; an engine gives it the connection that the work runs on. */
export type Wait = (connection: unknown) => Promise<unknown>;

/**
 * What is done with a database, step by step: a generator, so that the same steps serve an engine that answers at once
 * and one that answers later. A step hands on what it asks with `yield*`.
 *
 * @see docs/adr/0005-two-storage-engines.md
 */
export type Work<T> = Generator<Wait, T, unknown>;

/** An answer that is there already, which is its own last step. */
class Answer<T> implements Generator<Wait, T, unknown>, IteratorReturnResult<T> {
  readonly done = true;
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }

  next(): this {
    return this;
  }

  return(): this {
    return this;
  }

  throw(error: unknown): never {
    throw error;
  }

  [Symbol.iterator](): this {
    return this;
  }

  get [Symbol.toStringTag](): string {
    return 'Answer';
  }

  [Symbol.dispose](): void {}
}

/** Work that is done. */
export function answer<T>(value: T): Work<T> {
  return new Answer(value);
}

/** Waits for something that no database answers, such as a turn of the event loop. */
export function* waitFor<T>(wait: () => Promise<T>): Work<T> {
  return (yield wait) as T;
}

/** Does work that never waits. @throws Error when it does. */
export function doNow<T>(work: Work<T>): T {
  const step = work.next();
  if (step.done) return step.value;
  work.return(undefined as T);
  throw new Error('Work that is done at once cannot wait');
}

/** Does work at once as far as possible: a promise only when it waits. */
export function doWork<T>(work: Work<T>, connection: unknown): T | Promise<T> {
  const step = work.next();
  return step.done ? step.value : finish(work, step.value, connection);
}

async function finish<T>(work: Work<T>, first: Wait, connection: unknown): Promise<T> {
  let wait = first;
  for (;;) {
    let step: IteratorResult<Wait, T>;
    try {
      const arrived = await wait(connection);
      step = work.next(arrived);
    } catch (error) {
      step = work.throw(error);
    }
    if (step.done) return step.value;
    wait = step.value;
  }
}
