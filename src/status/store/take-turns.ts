/**
 * Runs pieces of work one after the other, in the order in which they came.
 *
 * @param most how many may be under way or wait.
 * @param refuse makes the error for one too many.
 */
export function takeTurns(most: number, refuse: () => Error) {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (count >= most) throw refuse();
    count++;
    const turn = last.then(work);
    // The next one comes whatever became of this one.
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      count--;
    }
  };
}
