import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CHAIN, submissionText } from './contracts.ts';
import { takePrecedence } from './precedence.ts';

/** A request that is sent again and again. */
export interface Question {
  readonly name: string;
  /** `{address}` becomes the next contract. */
  readonly url: string;
  readonly everyMs: number;
  readonly method?: string;
  readonly body?: string;
  /** Whether each one has a connection of its own, as those of an orchestrator have. */
  readonly isNewConnection?: boolean;
  /** Number of the first contract. */
  readonly firstAddress?: number;
}

/** What came back, by name of the question. */
export type Seen = Readonly<
  Record<string, SeenAnswers> & Record<'liveness' | 'bare' | 'list' | 'summary' | 'submission', SeenAnswers>
>;

export interface SeenAnswers {
  /** When the count began, milliseconds since the epoch. */
  readonly since: number;
  /** How often each status came; a request without an answer counts under its error code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of what was answered with success, milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Verifications that were answered 202. */
  readonly accepted: readonly string[];
}

/** Other clients of an attacked server, in a process of their own, and a bare server beside it. */
export interface Probe {
  /** What was seen since the last call, when every request has been answered. */
  take(): Promise<Seen>;
  stop(): Promise<void>;
}

/** The first contract that the probe submits; attacks use those below. */
const FIRST_PROBED = 3000;

const LIVENESS_EVERY_MS = 10;
const OTHERS_EVERY_MS = 50;
const SUBMISSION_EVERY_MS = 500;

/** Liveness of the server, and of the bare one as control, and what other clients do. */
export async function startProbe(url: string): Promise<Probe> {
  const bystander = start('bystander-process.ts', []);
  const [bare] = (await once(createInterface(bystander.stdout!), 'line')) as [string];
  const live = { everyMs: LIVENESS_EVERY_MS, isNewConnection: true };
  const questions: readonly Question[] = [
    { ...live, name: 'liveness', url: `${url}/health/liveness` },
    { ...live, name: 'bare', url: bare },
    { name: 'list', url: `${url}/api/v1/transactions`, everyMs: OTHERS_EVERY_MS },
    { name: 'summary', url: `${url}/api/v2/summary.json`, everyMs: OTHERS_EVERY_MS },
    {
      name: 'submission',
      url: `${url}/v2/verify/${CHAIN}/{address}`,
      everyMs: SUBMISSION_EVERY_MS,
      method: 'POST',
      body: submissionText(),
      firstAddress: FIRST_PROBED,
    },
  ];
  const child = start('probe-process.ts', [JSON.stringify(questions)]);
  const lines = createInterface(child.stdout!);
  const probe: Probe = {
    async take() {
      child.stdin!.write('\n');
      const [line] = (await once(lines, 'line')) as [string];
      return JSON.parse(line) as Seen;
    },
    async stop() {
      await Promise.all([child, bystander].map(end));
    },
  };
  await probe.take();
  for (const { pid } of [child, bystander]) takePrecedence(pid);
  return probe;
}

function start(file: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./${file}`, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
