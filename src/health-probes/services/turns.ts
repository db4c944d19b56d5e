/** Lets so many pieces of work run at a time; the others wait in line. */
export function createTurns(count: number): { run<T>(work: () => Promise<T>): Promise<T> } {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(work) {
      if (free === 0) await new Promise<void>((admit) => waiting.push(admit));
      else free -= 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
