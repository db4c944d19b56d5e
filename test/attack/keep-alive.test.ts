import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { type EarlyAnswer, earlyAnswers } from './early-answers.ts';
import { openRaw, requestBytes } from './raw-connection.ts';
import { besideInnocents } from './report.ts';

const SHORT_SECONDS = 3;
const CONNECTIONS = 24;
const PROBE = requestBytes('GET', '/health/liveness');

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
});
afterAll(() => server.remove());

/** What goes wrong for the one who uses the connection next; null when nothing does. */
async function poisons({ bytes, method }: EarlyAnswer): Promise<string | null> {
  const connection = await openRaw(server.url);
  try {
    const early = await connection.request(bytes, method);
    if (typeof early === 'string') return `the answer itself: ${early}`;
    if (early.status >= 500 && early.status !== 503) return `answered ${early.status}`;
    const next = await connection.request(PROBE, 'GET');
    // A connection that was said to end may end; any other may be used again.
    if (typeof next === 'string') return early.isLast && next !== 'hung' ? null : `then: ${next}`;
    return next.status === 200 ? null : `then: ${next.status}`;
  } finally {
    connection.close();
  }
}

test('a connection on which an answer came early serves the next request or ends as announced', {
  ...attackTimeout(SHORT_SECONDS),
}, async () => {
  const cases = earlyAnswers();
  const found = new Map<string, string>();
  let sent = 0;
  await besideInnocents('early answers', server, async () => {
    const deadline = Date.now() + attackMs(SHORT_SECONDS);
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        // Each at least once; the full form goes round for its time.
        while (sent < cases.length || (IS_FULL && Date.now() < deadline)) {
          const early = cases[sent++ % cases.length]!;
          const poison = await poisons(early);
          if (poison !== null) found.set(early.name, poison);
        }
      }),
    );
  });
  console.log(
    `keep-alive: ${sent} early answers, ${found.size} kinds poisoned, peak ${server.peakMiB()} MiB`,
  );
  expect([...found]).toEqual([]);
  expect(server.end()).toBeNull();
});
