/** The thread behind `BodyThread`. */
import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../threads/lower-priority.ts';
import type { FormBody } from '../bodies/form-body.ts';
import { parseBody } from '../bodies/parse-body.ts';
import {
  type BodyKind,
  type FormKind,
  type JsonKind,
  type PackedOrRefused,
  type PreparedBody,
  packedIn,
  type Refusal,
} from '../bodies/prepared-body.ts';
import { type RequestErrorCode, VerifyRequestError } from '../errors.ts';
import { readEtherscanCall } from '../etherscan/etherscan-call.ts';
import { readSourceCode } from '../etherscan/read-source-code.ts';
import { readForm } from '../forms/read-form.ts';
import { MEMBER_BYTES, packSubmission, type Submission, unpackSubmission } from '../model/submission.ts';
import type { SubmittedForm } from '../model/submitted-form.ts';
import { JSON_BODIES } from '../submissions/read-submission.ts';
import { createRequestValidatorCompiler } from '../submissions/request-validator.ts';
import { readEntered } from '../submit-pages/read-entered.ts';
import { FORM_KINDS } from '../version-1/read-requests.ts';
import type { BodyAnswer, BodyTask } from './body-thread.ts';

// Requests that are answered go first.
lowerPriority();
parentPort?.on('message', async (task: BodyTask) => {
  const answer = await answerTo(task);
  parentPort?.postMessage(answer, transferable(answer));
});

async function answerTo(task: BodyTask): Promise<BodyAnswer> {
  if (task.kind === 'unpack') return { kind: 'unpacked', submission: await unpackSubmission(task.stored) };
  return { kind: 'prepared', body: await prepareBody(joined(task), task) };
}

type PrepareTask = Extract<BodyTask, { readonly kind: 'prepare' }>;

/** The parts are forgotten as soon as they are joined. */
function joined(task: PrepareTask): Buffer {
  return Buffer.concat(task.parts.splice(0));
}

function transferable(answer: BodyAnswer): ArrayBuffer[] {
  const packed = answer.kind === 'prepared' ? packedIn(answer.body)?.packed : null;
  if (packed === null || packed === undefined) return [];
  const { buffer, byteLength } = packed;
  return byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
}

/** Sources are longer; constructor arguments are not. Characters. */
const MAX_FIELD_LENGTH = 65_536;

type Validate = (body: unknown) => { readonly error?: Error };

const compileSchema = createRequestValidatorCompiler();
const validators = new Map<JsonKind, Validate>();

/** Does everything to a body that needs all of it: parsing, schema, reading the submission, packing it for its row. */
async function prepareBody(
  bytes: Buffer,
  { body: kind, contentType, largeCharacters }: PrepareTask,
): Promise<PreparedBody> {
  if (kind === 'form' || kind === 'etherscan' || kind === 'verification_page' || isFormKind(kind))
    return prepareForm(bytes, kind, contentType);
  let body: unknown;
  try {
    body = parseBody(bytes);
  } catch (error) {
    return { kind: 'unreadable', refusal: refusalOf(error) };
  }
  const { error } = validatorOf(kind)(body);
  if (error !== undefined) return { kind: 'malformed', refusal: refusalOf(error) };
  const { creationTransactionHash } = body as { readonly creationTransactionHash?: string };
  const read = JSON_BODIES[kind].read as ((body: unknown) => Submission) | null;
  const submission = read === null ? null : await packedOrRefused(() => read(body), largeCharacters);
  return { kind: 'read', target: null, creationTransactionHash, submission };
}

async function prepareForm(
  bytes: Buffer,
  kind: FormKind | 'form' | 'etherscan' | 'verification_page',
  contentType: string,
): Promise<PreparedBody> {
  try {
    const form = readForm(bytes, contentType);
    if (kind === 'form') return preparedForm(form);
    if (kind === 'etherscan') {
      // What a URL has no room for is in the body, so the call without its query tells what is submitted.
      const submission = await packedOrRefused(() => readSourceCode(readEtherscanCall({}, () => form)));
      return preparedForm({ ...shortFieldsOf(form), submission });
    }
    if (kind === 'verification_page') {
      const entered = await packed(readEntered(form));
      return preparedForm({ fields: new Map(), files: [], entered });
    }
    const { address, chainId, creationTransactionHash, read } = FORM_KINDS[kind](form);
    const submission = await packedOrRefused(read);
    return { kind: 'read', target: { chainId, address }, creationTransactionHash, submission };
  } catch (error) {
    return { kind: 'unreadable', refusal: refusalOf(error) };
  }
}

/** Printed for a thread, texts take what they take in the heap; what is submitted is counted by itself. */
function preparedForm(form: FormBody): PreparedBody {
  const membersBytes = (form.fields.size + form.files.length) * MEMBER_BYTES;
  const prepared = { kind: 'form', form, heapBytes: serialize(form).length } as const;
  const sent = packedIn(prepared);
  const counted = sent === null ? 0 : serialize(sent).length;
  return { ...prepared, heapBytes: Math.max(0, prepared.heapBytes - counted) + membersBytes };
}

/** What is copied to the other thread shall be small. */
async function packed(entered: SubmittedForm): Promise<SubmittedForm> {
  const { outcome } = entered;
  if (outcome.kind !== 'ready' || outcome.submission.kind === 'packed') return entered;
  const submission = { kind: 'packed', ...(await packSubmission(outcome.submission)) } as const;
  return { ...entered, outcome: { ...outcome, submission } };
}

/** What routes look at beside the submission. */
function shortFieldsOf({ fields }: FormBody): FormBody {
  const isShort = ([, value]: readonly [string, unknown]) =>
    typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_FIELD_LENGTH);
  return { fields: new Map([...fields].filter(isShort)), files: [] };
}

async function packedOrRefused(read: () => Submission, largeCharacters?: number): Promise<PackedOrRefused> {
  let submission: Submission;
  try {
    submission = read();
  } catch (error) {
    return { kind: 'refused', refusal: refusalOf(error) } as const;
  }
  return { kind: 'packed', ...(await packSubmission(submission, largeCharacters)) } as const;
}

function validatorOf(kind: JsonKind): Validate {
  const known = validators.get(kind);
  if (known !== undefined) return known;
  const { schema } = JSON_BODIES[kind];
  const made = compileSchema({ schema, method: 'POST', url: '', httpPart: 'body' }) as Validate;
  validators.set(kind, made);
  return made;
}

/** @throws what is no refusal. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof VerifyRequestError)) throw error;
  return { code: error.code as RequestErrorCode, message: error.message, more: error.more };
}

/** Whether the bodies of a kind are forms that ask for a verification. */
function isFormKind(kind: BodyKind): kind is FormKind {
  return kind in FORM_KINDS;
}
