import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A request that a load sends; `{address}` and `{n}` become numbers of their own. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

export interface LoadOrder {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** Null: each connection sends its next request when it was answered. */
  readonly perSecond: number | null;
  /** Most requests on their way on a connection at a given rate. Default 4. */
  readonly pipeline?: number;
  /** The first number. */
  readonly first?: number;
}

/** What came of a load. */
export interface LoadCount {
  /** Answers by status; requests whose connection ended count under how it did. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly offered: number;
  /** Requests at the wanted rate; connections that are full cannot take them all. */
  readonly wanted: number;
  /** Refusals that do not say when to come back. */
  readonly withoutRetryAfter: number;
  readonly seconds: number;
}

const PROCESS = fileURLToPath(new URL('./load-process.ts', import.meta.url));

/** Sends the load from a process of its own. */
export async function sendLoad(order: LoadOrder): Promise<LoadCount> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const ended = once(child, 'exit');
  const output = await text(child.stdout);
  await ended;
  return JSON.parse(output) as LoadCount;
}
