import { readFileSync } from 'node:fs';
import { ManualClock, systemClock } from '../../src/values/clock.ts';
import {
  type CaseRun,
  caseRangeSeconds,
  caseRuns,
  caseTime,
  type MirrorRestCase,
  readMirrorRestCase,
  storeCase,
} from '../kit/mirror/mirror-rest-case.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, type Report } from './report.ts';

const SECONDS_PER_DAY = 86_400;

export function isMirrorFile(file: CaseFile): boolean {
  const { setup, tests, walks } = file.content as Partial<MirrorRestCase>;
  return setup !== undefined && (tests !== undefined || walks !== undefined);
}

/** Replays one file: rows to store, then every request and walk, once per value of the range option. */
export async function runMirrorFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  const kase = readMirrorRestCase(readFileSync(file.path, 'utf8'));
  const runs = caseRuns(kase);
  for (const bindsTimestampRange of [false, true]) {
    const chosen = runs.filter((run) => run.bindsTimestampRange === bindsTimestampRange);
    const named = chosen.map((run) => ({
      run,
      name: `${file.name} ${run.title}${bindsTimestampRange ? ' (bound)' : ''}`,
    }));
    if (!named.some(({ name }) => report.includes(name))) continue;
    const server = await startCaseServer(kase, bindsTimestampRange);
    try {
      await storeCase(kase, file.name, server.services.mirror.ledger);
      for (const { run, name } of named) await report.run(folder, name, () => check(run, server));
    } finally {
      await server.close();
    }
  }
}

async function check(run: CaseRun, server: TestServer): Promise<void> {
  const faults = await run.check(async (url) => {
    const answer = await fetch(server.url + url);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  });
  if (faults.length > 0) throw new CaseFailed(faults.flatMap((fault) => fault.split('\n')));
}

function startCaseServer(kase: MirrorRestCase, bindsTimestampRange: boolean): Promise<TestServer> {
  const { network, response } = kase.setup.config ?? {};
  const tokens = response?.limit?.tokenBalance;
  const rangeDays = caseRangeSeconds(kase) / SECONDS_PER_DAY;
  const time = caseTime(kase);
  const env: Record<string, string> = {
    MIRROR_DIALECT: 'hiero',
    MIRROR_EARLIEST_VALUE: 'off',
    MIRROR_TRANSACTION_BYTES: 'on',
    MIRROR_BIND_TIMESTAMP_RANGE: bindsTimestampRange ? 'on' : 'off',
    MIRROR_MAX_TRANSACTIONS_TIMESTAMP_RANGE_DAYS: String(rangeDays),
    ...(tokens?.singleAccount === undefined
      ? {}
      : { MIRROR_TOKENS_OF_ACCOUNT: String(tokens.singleAccount) }),
    ...(tokens?.multipleAccounts === undefined
      ? {}
      : { MIRROR_TOKENS_IN_LISTS: String(tokens.multipleAccounts) }),
    ...(network?.currencyFormat === undefined ? {} : { MIRROR_CURRENCY_FORMAT: network.currencyFormat }),
    ...(response?.limit?.default === undefined
      ? {}
      : { MIRROR_LIMIT_DEFAULT: String(response.limit.default) }),
    ...(response?.limit?.max === undefined ? {} : { MIRROR_LIMIT_MAX: String(response.limit.max) }),
  };
  return startTestServer({ env, clock: time === null ? systemClock : new ManualClock(time) });
}
