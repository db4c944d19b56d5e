import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

/** Null when the local EVM node is installed, otherwise the reason that a skipped test prints. */
export const anvilMissing: string | null =
  locate() === null ? 'skipped: the package @foundry-rs/anvil-linux-amd64 is not installed' : null;

/** A running local EVM node. */
export interface Anvil {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a node on a free port. @param chainId for clients that refuse the id of local nodes. */
export async function startAnvil(chainId = 31337): Promise<Anvil> {
  const path = locate();
  if (path === null) throw new Error(anvilMissing ?? 'anvil is missing');
  const args = ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(chainId)];
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'ignore'] });
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

function locate(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
  } catch {
    // Only Linux on x64 has the package.
    return null;
  }
}
