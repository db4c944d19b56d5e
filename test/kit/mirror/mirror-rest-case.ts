import { isDeepStrictEqual } from 'node:util';
import { fixtureUnit } from '../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerRepository } from '../../../src/mirror/ledger/ledger-repository.ts';
import type { MirrorOptions } from '../../../src/mirror/mirror-options.ts';
import { consensusTimestamp, NANOS_PER_SECOND } from '../../../src/values/consensus-timestamp.ts';
import { parseBigintJson } from './bigint-json.ts';
import { caseBlocks } from './case-setup/block-sections.ts';
import { caseFixture } from './case-setup/case-fixture.ts';
import type { CaseSetup } from './case-setup/case-row.ts';

/** One file of the mirror-rest cases; the format is described in the README beside them. */
export interface MirrorRestCase {
  readonly description: string;
  readonly setup: CaseSetup & {
    readonly features?: { readonly fakeTime?: string | bigint };
    readonly config?: {
      readonly query?: { readonly maxTransactionsTimestampRangeNs?: bigint | string };
      readonly network?: { readonly currencyFormat?: 'BOTH' | 'HBARS' | 'TINYBARS' };
      readonly response?: {
        readonly limit?: {
          readonly default?: bigint;
          readonly max?: bigint;
          readonly tokenBalance?: { readonly singleAccount?: bigint; readonly multipleAccounts?: bigint };
        };
      };
    };
  };
  readonly tests?: readonly CaseTest[];
  readonly walks?: readonly CaseWalk[];
}

export interface CaseTest {
  readonly urls: readonly string[];
  readonly status: bigint;
  readonly bind_timestamp_range?: readonly boolean[];
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CaseWalk {
  readonly start: string;
  readonly bind_timestamp_range?: readonly boolean[];
  readonly steps: readonly {
    readonly url: string;
    readonly timestamps: readonly string[];
    readonly next: string | null;
  }[];
}

/** An answer as it came over HTTP. */
export interface CaseAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** One request or walk of a case with one value of the range option. */
export interface CaseRun {
  readonly title: string;
  readonly bindsTimestampRange: boolean;
  /** @returns the differences; empty when the answers are as expected. */
  check(get: (url: string) => Promise<CaseAnswer>): Promise<readonly string[]>;
}

/** The reference's widest list: 60 days. */
const BOUND_RANGE_SECONDS = 5_184_000;
/** Where the reference fails, a proper answer is expected of this server: no request may make it fail. */
const FAILURE = 500n;

const BLOCK_HASH = /"(?:prev_)?hash": "([0-9a-f]+)"/g;
const EPOCH_SECONDS = /^\d+$/;

/** Reads a case file. */
export function readMirrorRestCase(text: string): MirrorRestCase {
  return parseBigintJson(withWholeHashes(text)) as MirrorRestCase;
}

/** The area's options for a case: dialect hiero, earliest value off, and what the case's config names. */
export function caseOptions(
  kase: MirrorRestCase,
  bindsTimestampRange: boolean,
): Partial<MirrorOptions> & { readonly transactionBytes: boolean } {
  const { network, response } = kase.setup.config ?? {};
  const tokens = response?.limit?.tokenBalance;
  return {
    dialect: 'hiero',
    earliestValue: false,
    transactionBytes: true,
    maxTransactionRangeSeconds: bindsTimestampRange ? caseRangeSeconds(kase) : null,
    ...(network?.currencyFormat === undefined ? {} : { currencyFormat: network.currencyFormat }),
    ...(response?.limit?.default === undefined ? {} : { limitDefault: Number(response.limit.default) }),
    ...(tokens?.singleAccount === undefined ? {} : { tokensOfAccount: Number(tokens.singleAccount) }),
    ...(tokens?.multipleAccounts === undefined ? {} : { tokensInLists: Number(tokens.multipleAccounts) }),
    ...(response?.limit?.max === undefined ? {} : { limitMax: Number(response.limit.max) }),
  };
}

/** The widest list when ranges are bound. */
export function caseRangeSeconds({ setup }: MirrorRestCase): number {
  const nanos = setup.config?.query?.maxTransactionsTimestampRangeNs;
  return nanos === undefined ? BOUND_RANGE_SECONDS : Number(BigInt(nanos) / NANOS_PER_SECOND);
}

/** What the server must take as now, in milliseconds; null when any time will do. */
export function caseTime({ setup }: MirrorRestCase): number | null {
  const { fakeTime } = setup.features ?? {};
  if (fakeTime === undefined) return null;
  const isSeconds = typeof fakeTime === 'bigint' || EPOCH_SECONDS.test(fakeTime);
  return isSeconds ? Number(fakeTime) * 1000 : Date.parse(fakeTime);
}

/** Writes the setup of a case through the repository, as if it had been imported. */
export async function storeCase(kase: MirrorRestCase, name: string, ledger: LedgerRepository): Promise<void> {
  const blocks = caseBlocks(kase.setup);
  const unit = fixtureUnit(name, caseFixture(kase.setup));
  const end = blocks.at(-1)?.header.consensusEnd ?? 0n;
  for (const block of blocks) await ledger.commitUnit(block);
  // Units end in their order, and the rows of a case may lie before its blocks.
  await ledger.commitUnit(
    unit.header.consensusEnd > end
      ? unit
      : { ...unit, header: { ...unit.header, consensusEnd: consensusTimestamp(end + 1n) } },
  );
}

/** Block hashes are bytes here: a hash of an odd number of digits gets a zero in front, wherever it stands. */
function withWholeHashes(text: string): string {
  const odd = [...text.matchAll(BLOCK_HASH)].flatMap(([, hash = '']) =>
    hash.length % 2 === 1 ? [hash] : [],
  );
  return [...new Set(odd)].reduce((whole, hash) => whole.replaceAll(hash, `0${hash}`), text);
}

/** Every request and walk of a case, once per value of the range option. */
export function caseRuns(kase: MirrorRestCase): readonly CaseRun[] {
  const requests = (kase.tests ?? []).flatMap((test) =>
    (test.bind_timestamp_range ?? [false]).flatMap((bindsTimestampRange) =>
      test.urls.map((url) => ({
        title: url,
        bindsTimestampRange,
        check: async (get: (url: string) => Promise<CaseAnswer>) => compareAnswer(await get(url), test),
      })),
    ),
  );
  const walks = (kase.walks ?? []).flatMap((walk) =>
    (walk.bind_timestamp_range ?? [false]).map((bindsTimestampRange) => ({
      title: `walk from ${walk.start}`,
      bindsTimestampRange,
      check: (get: (url: string) => Promise<CaseAnswer>) => followWalk(get, walk),
    })),
  );
  return [...requests, ...walks];
}

function compareAnswer(answer: CaseAnswer, expected: CaseTest): readonly string[] {
  const faults: string[] = [];
  if (expected.status === FAILURE) {
    return BigInt(answer.status) < FAILURE ? [] : [`status ${answer.status}: ${answer.body.slice(0, 300)}`];
  }
  if (BigInt(answer.status) !== expected.status) {
    faults.push(`status ${answer.status}, expected ${expected.status}: ${answer.body.slice(0, 300)}`);
  }
  if (expected.text !== undefined && answer.body !== expected.text) {
    faults.push(`body ${JSON.stringify(answer.body)}, expected ${JSON.stringify(expected.text)}`);
  }
  if (expected.json !== undefined) {
    const body = withoutDetails(parseBigintJson(answer.body));
    if (!isDeepStrictEqual(body, withoutDetails(expected.json))) {
      faults.push(`body ${printed(body)}\nexpected ${printed(expected.json)}`);
    }
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const actual = answer.headers[name.toLowerCase()];
    if (actual !== value) faults.push(`header ${name}: ${String(actual)}, expected ${value}`);
  }
  return faults;
}

async function followWalk(
  get: (url: string) => Promise<CaseAnswer>,
  walk: CaseWalk,
): Promise<readonly string[]> {
  let url: string | null = walk.start;
  for (const step of walk.steps) {
    if (url !== step.url) return [`the walk leads to ${url}, expected ${step.url}`];
    const answer = await get(step.url);
    const body = parseBigintJson(answer.body) as {
      readonly transactions?: readonly { readonly consensus_timestamp: string }[];
      readonly links?: { readonly next: string | null };
    };
    const times = (body.transactions ?? []).map((row) => row.consensus_timestamp);
    if (!isDeepStrictEqual(times, step.timestamps)) {
      return [`${step.url}: ${times.join(' ')}, expected ${step.timestamps.join(' ')}`];
    }
    url = body.links?.next ?? null;
    if (url !== step.next) return [`${step.url}: next ${url}, expected ${step.next}`];
  }
  return [];
}

/** Errors may explain themselves beside `message`; the cases compare the message alone. */
function withoutDetails(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('_status' in body)) return body;
  const { messages } = body._status as { readonly messages: readonly { readonly message: string }[] };
  return { _status: { messages: messages.map(({ message }) => ({ message })) } };
}

function printed(value: unknown): string {
  return JSON.stringify(value, (_name, member) => (typeof member === 'bigint' ? `${member}n` : member));
}
