import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cleanEnvironment, until } from './serve-process.ts';

const UNSHARE = ['--pid', '--fork', '--mount-proc'];

/** Why no process can be started as process 1 of a namespace; null when it can. */
export function notProcessOne(): string | null {
  const { error, status, stderr } = spawnSync('unshare', [...UNSHARE, 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `skipped: no process namespace can be made here: ${error?.message ?? stderr}`;
}

/** A program that runs as a container runs it: the kernel withholds signals that it does not handle. */
export interface ProcessOne {
  /** What it has written to standard error so far. */
  log(): string;
  /** Waits until it handles stop signals. */
  untilHandling(): Promise<void>;
  /** Sends the signal once and waits for the end. @returns the exit code. */
  stop(signal: 'SIGTERM'): Promise<number | null>;
  kill(): Promise<void>;
}

/** Starts `node …` as process 1. */
export async function startProcessOne(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<ProcessOne> {
  const outside = spawn('unshare', [...UNSHARE, process.execPath, ...args], {
    cwd,
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  outside.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  let pid = 0;
  await until('the process is there', async () => {
    if (outside.exitCode !== null) throw new Error(`unshare ended: ${log}`);
    pid = Number(readFileSync(`/proc/${outside.pid}/task/${outside.pid}/children`, 'utf8'));
    return pid !== 0;
  });
  const send = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (outside.exitCode === null && outside.signalCode === null) {
      const ended = once(outside, 'exit');
      try {
        process.kill(pid, signal);
      } catch (error) {
        // It has ended by itself, which is about to be known here.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      await ended;
    }
    return outside.exitCode;
  };
  return {
    log: () => log,
    untilHandling: () =>
      until('signals are handled', async () => {
        const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        // Of SIGHUP, which is handled last: Node itself catches the others a moment earlier, for the default action.
        return (BigInt(`0x${caught}`) & 1n) === 1n;
      }),
    stop: send,
    kill: async () => void (await send('SIGKILL')),
  };
}
