// Sends servers the same requests at a fixed pace, whether or not earlier ones were answered, and counts what
// came. A process of its own: what the attacker's event loop is late with is not the server's delay.
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { addressOf } from './contracts.ts';
import type { Question, SeenAnswers } from './probe.ts';

const WAIT_TIMEOUT_MS = 60_000;

const questions = JSON.parse(process.argv[2] ?? '[]') as readonly Question[];
// Connections unused for a minute are not used again: the server may just be closing them.
const kept = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: WAIT_TIMEOUT_MS });
interface Count {
  readonly since: number;
  readonly statuses: Record<string, number>;
  readonly times: number[];
  readonly accepted: string[];
}
const counts = new Map<string, Count>();
const open = new Set<Promise<void>>();

function begin(): void {
  for (const { name } of questions)
    counts.set(name, { since: Date.now(), statuses: {}, times: [], accepted: [] });
}

function send(
  { name, url, method = 'GET', body, isNewConnection, firstAddress = 0 }: Question,
  turn: number,
) {
  const seen = counts.get(name)!;
  const startedAt = performance.now();
  return new Promise<void>((resolve) => {
    const count = (what: string) => {
      seen.statuses[what] = (seen.statuses[what] ?? 0) + 1;
      // A refusal is soon sent.
      if (what.startsWith('2')) seen.times.push(performance.now() - startedAt);
      resolve();
    };
    const sent = request(
      url.replace('{address}', addressOf(firstAddress + turn)),
      {
        method,
        agent: isNewConnection === true ? false : kept,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        timeout: WAIT_TIMEOUT_MS,
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => {
          if (answer.statusCode === 202) {
            seen.accepted.push((JSON.parse(text) as { verificationId: string }).verificationId);
          }
          count(String(answer.statusCode));
        });
        answer.on('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.message));
      },
    );
    sent.on('timeout', () => sent.destroy(Object.assign(new Error('no answer'), { code: 'TIMEOUT' })));
    sent.on('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.message));
    sent.end(body);
  });
}

function rounded(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return Math.round((sorted[at] ?? 0) * 10) / 10;
}

begin();
for (const question of questions) {
  let turn = 0;
  setInterval(() => {
    const answered = send(question, turn++);
    open.add(answered);
    void answered.finally(() => open.delete(answered));
  }, question.everyMs);
}

// Each line on standard input requests what was seen since the last one; requests on their way are waited for.
for await (const _ of createInterface(process.stdin)) {
  await Promise.all(open);
  const seen: Readonly<Record<string, SeenAnswers>> = Object.fromEntries(
    [...counts].map(([name, { times, ...counted }]) => [
      name,
      { ...counted, p50: rounded(times, 0.5), p99: rounded(times, 0.99), max: rounded(times, 1) },
    ]),
  );
  begin();
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
process.exit();
