import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Pace, UsefulAnswers } from './useful-answers.ts';

const PROCESS = fileURLToPath(new URL('./bystander-process.ts', import.meta.url));
const SECONDS = 5;

type Unmeasured = Omit<Pace, 'seconds'>;

/**
 * How much more processor time a bare HTTP server needs for an answer, in seconds, when it gets one load in the place of
 * another: more connections cost the system and Node more, whoever answers.
 */
export async function bareCost(before: Unmeasured, after: Unmeasured): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    const server = { url, pid: child.pid, databaseUrl: '' };
    const answers = new UsefulAnswers(server, 'bare', [{ method: 'GET', path: '/' }], () => 0);
    await answers.measure({ ...before, seconds: SECONDS });
    const first = await answers.measure({ ...before, seconds: SECONDS });
    const second = await answers.measure({ ...after, seconds: SECONDS });
    return Math.max(0, 1 / second.perWorkSecond - 1 / first.perWorkSecond);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
