/**
 * Walks one step ahead: while a step is used the next one is made.
 *
 * A fault of the next step shows when it is asked for.
 */
export async function* oneAhead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
  const begin = (): Promise<IteratorResult<T>> => {
    const next = steps.next();
    next.catch(() => {});
    return next;
  };
  let coming = begin();
  try {
    for (;;) {
      const step = await coming;
      if (step.done === true) return;
      coming = begin();
      yield step.value;
    }
  } finally {
    // Waits for nothing: what is under way has a signal of its own.
    void steps.return(undefined).catch(() => {});
  }
}
