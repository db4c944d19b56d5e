import { afterEach, expect, test } from 'vitest';
import { attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { addressOf, CHAIN, readJob, submissionText, uncompilableSubmission } from './contracts.ts';
import { startProbe } from './probe.ts';
import { openRaw, requestBytes } from './raw-connection.ts';
import { expectAnswered, expectLively, printAttack } from './report.ts';

const SHORT_SECONDS = 20;
const CONNECTIONS = 400;
const ACCEPTED_AT_ONCE = 8;
/** As the guide has it. Without it the engine does little but collect, which is outlived as well. */
const NURSERY = IS_FULL ? ['--max-semi-space-size=4'] : [];

let server: AttackedServer;
afterEach(() => server.remove());

/** Text in many members, which take ten times its size once they are parsed. */
const manyMembers = (bytes: number, index: number) =>
  submissionText(`a ${index}`).replace('"settings":', `"x":[${'{"a":[]},'.repeat(bytes / 9)}0],"settings":`);
const longSource = (bytes: number, index: number) =>
  uncompilableSubmission(`// ${index} ${'x y '.repeat(bytes / 4)}`);

/** In the full form jobs are compiled as well. */
const FORMS = [
  { heapMiB: 64, name: 'sources of half a megabyte', body: longSource, bytes: 500_000 },
  { heapMiB: 48, name: 'sources of 60 KB', body: longSource, bytes: 60_000 },
  ...(IS_FULL ? [{ heapMiB: 64, name: 'many members', body: manyMembers, bytes: 60_000 }] : []),
];

test.each(FORMS)(
  '$heapMiB MB of heap outlive 400 connections that each submit $name, and stay',
  {
    ...attackTimeout(SHORT_SECONDS),
  },
  async ({ heapMiB, name, body, bytes }) => {
    server = await startAttacked({
      nodeArguments: [`--max-old-space-size=${heapMiB}`, ...NURSERY],
      contracts: CONNECTIONS,
    });
    const probe = await startProbe(server.url);
    const before = await probe.take();
    const statuses: Record<string, number> = {};
    const accepted: string[] = [];
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, index) => {
        const connection = await openRaw(server.url, 120_000);
        const bytesOfRequest = requestBytes(
          'POST',
          `/v2/verify/${CHAIN}/${addressOf(index)}`,
          { 'content-type': 'application/json' },
          body(bytes, index),
        );
        const answer = await connection.request(bytesOfRequest, 'POST');
        const outcome = typeof answer === 'string' ? answer : String(answer.status);
        statuses[outcome] = (statuses[outcome] ?? 0) + 1;
        if (typeof answer !== 'string') {
          const id = /\r\nlocation: *\S*\/v2\/verify\/(\S+)/i.exec(answer.head)?.[1];
          if (id !== undefined) accepted.push(id);
          else expect(answer.head).toMatch(/\r\nretry-after: *\d/i);
        }
        return connection;
      }),
    );
    expect(server.end()).toBeNull();
    const during = await probe.take();
    await probe.stop();
    printAttack(`${heapMiB} MB of heap, ${name}`, server, { before, during });
    console.log(`${heapMiB} MB of heap: ${JSON.stringify(statuses)}`);

    expect(Object.keys(statuses).filter((status) => !['202', '503'].includes(status))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
    const lost: string[] = [];
    const left = accepted.values();
    const look = async () => {
      for (const id of left) if ((await readJob(server.url, id)) === null) lost.push(id);
    };
    await Promise.all(Array.from({ length: ACCEPTED_AT_ONCE }, look));
    expect(lost).toEqual([]);
    for (const connection of connections) connection.close();
    expectAnswered(during);
    expectLively(during);
  },
);
