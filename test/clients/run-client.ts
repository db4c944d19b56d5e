import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Longer than any of these programs takes. */
const WAIT_TIMEOUT_MS = 60_000;

/** How a client program ended. */
export interface ClientRun {
  readonly exitCode: number | null;
  /** Standard output and standard error, one after the other. */
  readonly output: string;
}

/** Runs a client program to its end; the environment is exactly the given one. */
export async function runClient(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<ClientRun> {
  const child = spawn(command, args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WAIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, output: `${output}${errors}` };
}
