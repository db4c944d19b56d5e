/** The thread behind `BodyThread`. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../threads/lower-priority.ts';
import { unpackSubmission } from '../model/stored-submission.ts';
import type { BodyAnswer, BodyTask } from './body-thread.ts';
import { prepareBody } from './prepare-body.ts';

// Requests that are answered go first.
lowerPriority();
parentPort?.on('message', async (task: BodyTask) => {
  const answer = await answerTo(task);
  parentPort?.postMessage(answer, transferable(answer));
});

async function answerTo(task: BodyTask): Promise<BodyAnswer> {
  if (task.kind === 'unpack') return { kind: 'unpacked', submission: await unpackSubmission(task.stored) };
  return { kind: 'prepared', body: await prepareBody(joined(task), task.body, task.contentType) };
}

/** The parts are forgotten as soon as they are joined. */
function joined(task: Extract<BodyTask, { readonly kind: 'prepare' }>): Buffer {
  return Buffer.concat(task.parts.splice(0));
}

function transferable(answer: BodyAnswer): ArrayBuffer[] {
  if (answer.kind !== 'prepared' || answer.body.kind !== 'read') return [];
  const { submission } = answer.body;
  if (submission?.kind !== 'packed' || submission.packed === null) return [];
  const { buffer, byteLength } = submission.packed;
  return byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
}
