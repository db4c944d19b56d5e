import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL('./traffic-process.ts', import.meta.url));

/** Requests that another process sends without pause. */
export interface Traffic {
  /** What came back in the seconds that are over; a failure is no answer or one other than 2xx. */
  counted(): { readonly answers: number; readonly failures: number };
  stop(): Promise<void>;
}

/** Starts it. */
export function startTraffic(urls: readonly string[]): Traffic {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, ...urls], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // From now on, since it may end by itself.
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return {
    counted() {
      const lines = output.split('\n').slice(0, -1);
      return lines
        .map((line) => JSON.parse(line) as { answers: number; failures: number })
        .reduce(
          (sum, { answers, failures }) => ({
            answers: sum.answers + answers,
            failures: sum.failures + failures,
          }),
          { answers: 0, failures: 0 },
        );
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
