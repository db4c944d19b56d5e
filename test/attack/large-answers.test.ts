import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout } from './attack-seconds.ts';
import { addressOf, CHAIN, readJob, submissionText, submit } from './contracts.ts';
import { connectAsStranger } from './raw-connection.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 5;
const CLIENTS = 250;
/** Of sources; the answer has them twice. */
const CONTRACT_BYTES = 2_000_000;

const attacked = underAttack();

/** The sources that match, with a comment after them. */
function largeSubmission(): string {
  const submission = JSON.parse(submissionText());
  for (const source of Object.values<{ content: string }>(submission.stdJsonInput.sources)) {
    source.content += `\n/*${'a "quoted" text\n'.repeat(CONTRACT_BYTES / 16)}*/`;
  }
  return JSON.stringify(submission);
}

/** Sends the request again on a new connection whenever one ends, and never reads. */
function requestWithoutReading(path: string): () => void {
  const open = new Set<Socket>();
  let isOver = false;
  const request = (): void => {
    if (isOver) return;
    const socket = connectAsStranger(attacked.server.url);
    open.add(socket.pause());
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      request();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  };
  for (let client = 0; client < CLIENTS; client++) request();
  return () => {
    isOver = true;
    for (const each of open) each.destroy();
  };
}

test('clients that request a large contract and do not read take nothing from others', {
  ...attackTimeout(SHORT_SECONDS + 100),
}, async () => {
  const { verificationId } = await submit(attacked.server.url, 1, { body: largeSubmission() });
  const ended = async () =>
    (await readJob(attacked.server.url, verificationId ?? '', 10))?.isJobCompleted === true;
  await until('the contract is verified', ended);
  const path = `/v2/contract/${CHAIN}/${addressOf(1)}?fields=all`;
  const before = await attacked.probe.take();

  const stop = requestWithoutReading(path);
  await new Promise((resolve) => setTimeout(resolve, attackMs(SHORT_SECONDS)));
  const during = await attacked.probe.take();
  stop();

  printAttack('unread answers', attacked.server, { before, during });
  expect(attacked.server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectSmall(attacked.server);
  await until('the contract is answered', async () => {
    const answer = await fetch(`${attacked.server.url}${path}`);
    await answer.arrayBuffer();
    return answer.status === 200;
  });
});
