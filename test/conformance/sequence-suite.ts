import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ChainHistory, creatingTransactions } from '../kit/verify/history-chain.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, differences, type Report } from './report.ts';
import { judgeSubmitted, type Wanted } from './verdict.ts';
import { digest, type StaticCode, startHistoryServer, startStaticServer, submit } from './verify-server.ts';

interface SequenceCase {
  readonly contracts?: Readonly<Record<string, StaticCode>>;
  readonly chain?: ChainHistory;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** The members of all kinds of steps; one of the first five says which it is. */
interface Step {
  readonly submit?: string;
  readonly metadata?: string;
  readonly similarity?: string;
  readonly etherscan?: string;
  readonly get?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly input_from?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly creation?: readonly [name: string, index: number];
  readonly want?: Wanted;
  readonly message?: string;
  readonly message_not?: string;
  readonly warning?: string;
  readonly form?: Readonly<Record<string, unknown>>;
  readonly submitted?: string;
  readonly result?: string;
  readonly status?: number;
  readonly response?: unknown;
  readonly absent?: readonly string[];
  readonly matches?: Readonly<Record<string, string>>;
}

/** Of which a step has at least one: it could not fail without. */
const EXPECTATIONS = [
  'want',
  'message',
  'message_not',
  'warning',
  'submitted',
  'result',
  'status',
  'response',
  'absent',
  'matches',
] as const satisfies readonly (keyof Step)[];

/** The server of a case and the addresses that its names stand for. */
interface Stage {
  readonly url: string;
  readonly chain: ChainHistory | undefined;
  readonly addresses: ReadonlyMap<string, string>;
}

const CHAIN_ID = '31337';
const WAIT_TIMEOUT_MS = 60_000;

/** Requests in an order, against a chain of static code or one with a history. */
export function isSequenceFile({ content }: CaseFile): boolean {
  const { contracts, chain, steps } = content as Partial<SequenceCase>;
  return (contracts !== undefined || chain !== undefined) && Array.isArray(steps);
}

/** Runs the steps of one case on a server of its own, up to the first that is not as the case wants it. */
export async function runSequenceFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  await report.run(folder, file.name, async () => {
    const { contracts = {}, chain, env = {}, steps } = file.content as SequenceCase;
    const given = Object.entries(chain?.contracts ?? {}).map(
      ([name, { address }]) => [name, address] as const,
    );
    const made = Object.keys(contracts).map(
      (name) => [name, `0x${digest(`${file.name} ${name}`).slice(0, 40)}`] as const,
    );
    const addresses = new Map([...given, ...made]);
    const codes = made.map(([name, address]) => [address, contracts[name]] as const);
    const compilers = mkdtempSync(join(tmpdir(), 'conformance-compilers-'));
    const server =
      chain === undefined
        ? await startStaticServer(substitute(Object.fromEntries(codes), addresses) as never, compilers, env)
        : await startHistoryServer(substitute(chain, addresses) as ChainHistory, compilers, env);
    try {
      for (const [index, step] of steps.entries()) {
        const stage = { url: server.url, chain, addresses };
        const wrong = await runStep(stage, substitute(step, addresses) as Step);
        if (wrong.length > 0) throw new CaseFailed(wrong.map((line) => `step ${index + 1}: ${line}`));
      }
    } finally {
      await server.close();
      rmSync(compilers, { recursive: true });
    }
  });
}

async function runStep(stage: Stage, step: Step): Promise<readonly string[]> {
  if (!EXPECTATIONS.some((member) => step[member] !== undefined)) return ['it expects nothing'];
  if (step.submit !== undefined) {
    const input = step.input ?? (await recordedInput(stage, step.input_from ?? ''));
    return runSubmission(stage, step, '', step.submit, input);
  }
  if (step.metadata !== undefined)
    return runSubmission(stage, step, 'metadata/', step.metadata, step.body ?? {});
  if (step.similarity !== undefined)
    return runSubmission(stage, step, 'similarity/', step.similarity, step.body ?? {});
  if (step.etherscan !== undefined) return runForm(stage, step, step.etherscan);
  if (step.get !== undefined) return runRequest(stage, step, step.get);
  throw new Error(`a step of no known kind: ${Object.keys(step).join(', ')}`);
}

async function runSubmission(
  stage: Stage,
  { creation, message, message_not: messageNot, want, warning }: Step,
  endpoint: string,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const body = {
    ...input,
    ...(creation === undefined ? {} : { creationTransactionHash: hashOf(stage, creation) }),
  };
  const submitted = await submit(stage.url, `${endpoint}${CHAIN_ID}/${addressOf(stage, name)}`, body);
  const said = submitted.kind === 'refused' ? submitted.text : (submitted.job.error?.message ?? '');
  const warnings = submitted.kind === 'refused' ? [] : (submitted.job.warnings ?? []);
  return [
    ...(want === undefined ? [] : judgeSubmitted(submitted, want)),
    ...judgeText('message', message, said),
    ...(messageNot !== undefined && new RegExp(messageNot, 'i').test(said)
      ? [`message: ${messageNot} must not be in: ${said}`]
      : []),
    ...judgeText('warnings', warning, JSON.stringify(warnings)),
  ];
}

function hashOf({ chain }: Stage, [name, index]: readonly [string, number]): string {
  const contract = chain?.contracts[name];
  const creation = contract === undefined ? undefined : creatingTransactions(contract)[index];
  if (creation === undefined) throw new Error(`the case has no creation ${index} of ${name}`);
  return creation.hash;
}

/** What another verification published, as the body of a submission. */
async function recordedInput(stage: Stage, name: string): Promise<Readonly<Record<string, unknown>>> {
  const path = `/v2/contract/${CHAIN_ID}/${addressOf(stage, name)}?fields=stdJsonInput,compilation`;
  const record = (await (await fetch(stage.url + path)).json()) as {
    readonly stdJsonInput?: unknown;
    readonly compilation?: { readonly compilerVersion: string; readonly fullyQualifiedName: string };
  };
  return {
    stdJsonInput: record.stdJsonInput,
    compilerVersion: record.compilation?.compilerVersion,
    contractIdentifier: record.compilation?.fullyQualifiedName,
  };
}

async function runForm(
  stage: Stage,
  { form = {}, result, submitted }: Step,
  name: string,
): Promise<readonly string[]> {
  const fields = { module: 'contract', action: 'verifysourcecode', contractaddress: addressOf(stage, name) };
  const texts = Object.entries({ ...fields, ...form }).map(
    ([member, value]) =>
      [member, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
  );
  const first = await askForm(stage, { method: 'POST', body: new URLSearchParams(texts) });
  if (submitted !== undefined) {
    const wrong = judgeText('result of the submission', `^(?:${submitted})`, String(first.result));
    if (wrong.length > 0) return wrong;
  }
  if (result === undefined) return [];
  if (first.status !== '1') return [`the submission was refused: ${JSON.stringify(first)}`];
  const end = await endOfForm(stage, String(first.result));
  return differences(result, end.result, {}, `result (${JSON.stringify(end)})`);
}

interface FormAnswer {
  readonly status: string;
  readonly result: unknown;
}

async function askForm({ url }: Stage, init: RequestInit, query = ''): Promise<FormAnswer> {
  return (await (await fetch(`${url}/api?chainid=${CHAIN_ID}${query}`, init)).json()) as FormAnswer;
}

async function endOfForm(stage: Stage, guid: string): Promise<FormAnswer> {
  const query = `&module=contract&action=checkverifystatus&guid=${encodeURIComponent(guid)}`;
  for (let waited = 0; waited < WAIT_TIMEOUT_MS; waited += 100) {
    const answer = await askForm(stage, {}, query);
    if (answer.result !== 'Pending in queue') return answer;
    await setTimeout(100);
  }
  throw new CaseFailed([`the job did not end within ${WAIT_TIMEOUT_MS / 1000} s`]);
}

async function runRequest(
  { url }: Stage,
  { absent = [], matches = {}, response, status = 200 }: Step,
  path: string,
): Promise<readonly string[]> {
  const answer = await fetch(url + path);
  const text = await answer.text();
  if (answer.status !== status) return [`status: expected ${status}, got ${answer.status} ${text}`];
  const body: unknown = JSON.parse(text);
  return [
    ...(response === undefined ? [] : differences(response, body, { additionalMembers: true })),
    ...absent
      .filter((place) => !isAbsent(valueAt(body, place)))
      .map((place) => `${place}: must be absent, is ${textOf(valueAt(body, place))}`),
    ...Object.entries(matches).flatMap(([place, expression]) =>
      judgeText(place, expression, textOf(valueAt(body, place))),
    ),
  ];
}

/** @param place members joined by bars */
function valueAt(body: unknown, place: string): unknown {
  return place
    .split('|')
    .reduce<unknown>(
      (value, member) => (value as Record<string, unknown> | null | undefined)?.[member],
      body,
    );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || ['', '{}', '[]'].includes(textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function judgeText(what: string, expression: string | undefined, text: string): readonly string[] {
  if (expression === undefined || new RegExp(expression, 'i').test(text)) return [];
  return [`${what}: ${expression} is not in: ${text === '' ? 'nothing' : text.slice(0, 1000)}`];
}

function addressOf({ addresses }: Stage, name: string): string {
  const address = addresses.get(name);
  if (address === undefined) throw new Error(`the case has no contract ${name}`);
  return address;
}

/** Members whose braces are those of a programming language. */
const SOURCES = new Set(['content', 'sourceCode']);

/** Puts the chain's id and addresses where texts name them. */
function substitute(value: unknown, addresses: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value), (member, each) => {
    if (typeof each !== 'string' || SOURCES.has(member)) return each;
    return each.replace(/\{(\w+)(:bare)?\}/g, (whole, name: string, bare) => {
      if (name === 'chain') return CHAIN_ID;
      return addresses.get(name)?.slice(bare === undefined ? 0 : 2) ?? whole;
    });
  });
}
