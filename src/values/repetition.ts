/** Calls `work` every so often until the function that it returns is called; never two calls at a time. */
export type Repeat = (work: () => Promise<void>, everyMs: number) => () => Promise<void>;

/** Repeats by the timer of the operating system, which does not keep the process alive. */
export const systemRepeat: Repeat = (work, everyMs) => {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    // Work that takes longer than the period skips a turn.
    running ??= work().finally(() => {
      running = null;
    });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
};

/** Calls `run` once after so long, unless the function that it returns was called before. */
export type StartTimer = (run: () => void, afterMs: number) => () => void;

/** The timer of the operating system. It keeps the process alive, since somebody waits for what it ends. */
export const systemTimer: StartTimer = (run, afterMs) => {
  const timer = setTimeout(run, afterMs);
  return () => clearTimeout(timer);
};
