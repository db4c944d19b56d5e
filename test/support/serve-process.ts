import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The built executable. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const WAIT_TIMEOUT_MS = 60_000;
/** `fetch` refuses 10080, as browsers do. */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_000];

/** The built executable, run as a user runs it. */
export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** What the process has written to standard error so far. */
  log(): string;
  /** Sends the signal and waits for the end. @returns the exit code, null after SIGKILL. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** Asked once: sources do not change while tests run. */
let isBuilt = false;

/** Builds when a source is newer than `dist`; `npm test` has done so before. */
export function ensureBuilt(): void {
  if (isBuilt) return;
  const { status } = spawnSync(process.execPath, ['scripts/build-if-needed.mjs'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the build failed');
  isBuilt = true;
}

/** Environment of a child: this process's own without any of the product's variables. */
export function cleanEnvironment(given: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined && !/^(VERIFY|STATUS|MIRROR)_|^(HOST|PORT|DATABASE_URL)$/.test(name),
  ) as [string, string][];
  return { ...Object.fromEntries(inherited), ...given };
}

/** How the process of a server differs from the usual one. */
export interface ServeOptions {
  /** The executable of another build. Default: of this one. */
  readonly main?: string;
  /** Arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
  /** File descriptors that the process may have; undefined: those of this process. */
  readonly descriptors?: number;
}

/** Starts `ledgerlens serve` on a free port and waits until it is live. */
export async function startServe(
  environment: Readonly<Record<string, string>>,
  cwd: string,
  { main = MAIN, nodeArguments = [], descriptors }: ServeOptions = {},
): Promise<ServeProcess> {
  ensureBuilt();
  const port = environment['PORT'] ?? String(await freePort());
  const command = [process.execPath, ...nodeArguments, main, 'serve'];
  // The shell only lowers its limit and becomes the server.
  const limited = ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command];
  const [program = '', ...args] = descriptors === undefined ? command : limited;
  const child = spawn(program, args, {
    cwd,
    env: cleanEnvironment({ ...environment, PORT: port }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const url = `http://127.0.0.1:${port.split(',')[0]}`;
  await untilLive(url, child, () => log);
  return {
    url,
    child,
    log: () => log,
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

/** Runs one command to its end. */
export function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
  main = MAIN,
): { readonly exitCode: number | null; readonly output: string; readonly errors: string } {
  ensureBuilt();
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    env: cleanEnvironment(environment),
    encoding: 'utf8',
  });
  return { exitCode: status, output: stdout, errors: stderr };
}

/**
 * Runs one command to its end while this process continues, for example to answer what the command asks for.
 *
 * @param closed of its pipes are closed before anything is written
 */
export async function runCommandBeside(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
  { closed = [] }: { readonly closed?: readonly ('stdout' | 'stderr')[] } = {},
): Promise<{ readonly exitCode: number | null; readonly output: string; readonly errors: string }> {
  ensureBuilt();
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  for (const pipe of closed) child[pipe].destroy();
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output, errors };
}

/**
 * A port that was free a moment ago, drawn at random below those that systems usually give to outgoing connections:
 * otherwise such a connection, or a test in another process, might take it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(FIRST_PORT, LAST_PORT), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') return false;
        throw error;
      },
    );
    if (!isFree) continue;
    const { port } = server.address() as { port: number };
    server.close();
    return port;
  }
}

/** Waits for a condition, asking every 20 ms. @throws Error naming it when it does not come true in time. */
export async function until(
  what: string,
  isTrue: () => Promise<boolean>,
  patienceMs = WAIT_TIMEOUT_MS,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`gave up waiting until ${what}`);
    await pause(20);
  }
}

async function untilLive(url: string, child: ChildProcess, log: () => string): Promise<void> {
  await until(`${url} is live`, async () => {
    if (child.exitCode !== null) throw new Error(`serve ended with exit code ${child.exitCode}:\n${log()}`);
    if (child.signalCode !== null) throw new Error(`serve ended by ${child.signalCode}:\n${log()}`);
    return fetch(`${url}/health/liveness`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
}
