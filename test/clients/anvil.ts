import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { missingProgram } from './missing-program.ts';

const ANVIL = fileURLToPath(
  new URL('./foundry/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', import.meta.url),
);

/** Null when the local EVM node is installed, otherwise the reason that a skipped test prints. */
export const anvilMissing: string | null = missingProgram('anvil', existsSync(ANVIL));

/** A running local EVM node. */
export interface Anvil {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a node on a free port. @param chainId for clients that refuse the id of local nodes. */
export async function startAnvil(chainId = 31337): Promise<Anvil> {
  if (anvilMissing !== null) throw new Error(anvilMissing);
  const args = ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(chainId)];
  const child = spawn(ANVIL, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await readPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function readPort(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('anvil has no output');
  for await (const line of createInterface(child.stdout)) {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return port;
  }
  throw new Error('anvil ended before it listened');
}
