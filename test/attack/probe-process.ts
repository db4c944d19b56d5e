// Asks servers the same questions at a fixed pace, whether or not earlier ones were answered, and counts what
// came. A process of its own: what the attacker's event loop is late with is not the server's delay.
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { addressOf } from './contracts.ts';
import type { Question, Seen } from './probe.ts';

const PATIENCE_MS = 60_000;

const questions = JSON.parse(process.argv[2] ?? '[]') as readonly Question[];
// Connections that nobody used for a minute are not used again: the server may just be closing them.
const kept = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: PATIENCE_MS });
const asked = new Map<string, { statuses: Record<string, number>; times: number[]; accepted: string[] }>();
const open = new Set<Promise<void>>();

function begin(): void {
  for (const { name } of questions) asked.set(name, { statuses: {}, times: [], accepted: [] });
}

function ask({ name, url, method = 'GET', body, isNewConnection, firstAddress = 0 }: Question, turn: number) {
  const seen = asked.get(name)!;
  const startedAt = performance.now();
  return new Promise<void>((resolve) => {
    const count = (what: string) => {
      seen.statuses[what] = (seen.statuses[what] ?? 0) + 1;
      seen.times.push(performance.now() - startedAt);
      resolve();
    };
    const sent = request(
      url.replace('{address}', addressOf(firstAddress + turn)),
      {
        method,
        agent: isNewConnection === true ? false : kept,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        timeout: PATIENCE_MS,
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
    const asking = ask(question, turn++);
    open.add(asking);
    void asking.finally(() => open.delete(asking));
  }, question.everyMs);
}

// Each line on standard input asks for what was seen since the last one; questions on their way are waited for.
for await (const _ of createInterface(process.stdin)) {
  await Promise.all(open);
  const seen: Seen = Object.fromEntries(
    [...asked].map(([name, { statuses, times, accepted }]) => [
      name,
      { statuses, accepted, p50: rounded(times, 0.5), p99: rounded(times, 0.99), max: rounded(times, 1) },
    ]),
  );
  begin();
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
process.exit();
