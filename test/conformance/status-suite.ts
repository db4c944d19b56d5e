import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createStatusToken } from '../../src/status/manage/tokens.ts';
import { smoothStatus, startSmoothing } from '../../src/status/monitor/component-monitor.ts';
import type { ComponentStatus } from '../../src/status/rules/component-status.ts';
import {
  durationsWithin,
  type StatusInterval,
  uptimePercentage,
  uptimeText,
} from '../../src/status/uptime/uptime-figures.ts';
import { ManualClock } from '../../src/values/clock.ts';
import { sharedPath } from '../shared-data.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { type CaseFile, caseFilePaths, readCaseFile } from './case-files.ts';
import { CaseFailed, differences, type Report } from './report.ts';

/** A file of `cases/status` with calls, ticks and monitor results. Its format is described in the README there. */
interface Scenario {
  readonly page: {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly time_zone: string;
  };
  readonly start: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly at: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly expect?: { readonly status: number; readonly body?: unknown; readonly body_has?: unknown };
  readonly save?: Readonly<Record<string, string>>;
  readonly tick?: boolean;
  readonly monitor?: readonly { readonly component: string; readonly status: ComponentStatus }[];
  readonly summary?: unknown;
}

interface HysteresisFile {
  readonly parameters?: { readonly sample_seconds?: number };
  readonly cases: readonly {
    readonly name: string;
    readonly raw: readonly ComponentStatus[];
    readonly status: readonly ComponentStatus[];
  }[];
}

interface UptimeFile {
  readonly cases: readonly {
    readonly name: string;
    readonly created_at: number;
    readonly range_start: number;
    readonly range_end: number;
    readonly intervals: readonly StatusInterval[];
    readonly expect: Readonly<Record<string, unknown>>;
  }[];
}

/** Whether the file holds calls with summaries, samples with smoothed states, or intervals with uptime. */
export function isStatusFile(file: CaseFile): boolean {
  return isScenario(file.content) || isHysteresis(file.content) || isUptime(file.content);
}

/**
 * Replays one file; a folder `real-samples` beside it is read once, with the first file of these kinds.
 *
 * A scenario is one case, the other kinds have many.
 */
export async function runStatusFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  const own = dirname(file.path);
  const first = caseFilePaths(own).find(
    (path) => dirname(path) === own && isStatusFile(readCaseFile(own, path)),
  );
  if (first === file.path) await runRealSamples(folder, join(own, 'real-samples'), report);
  const { content } = file;
  if (isScenario(content)) {
    await report.run(folder, file.name, () => runScenario(content));
  } else if (isHysteresis(content)) {
    const seconds = Number(content.parameters?.sample_seconds ?? 15);
    for (const each of content.cases) {
      await report.run(folder, `${file.name} ${each.name}`, async () => {
        let smoothed = startSmoothing('operational');
        const found = each.raw.map((sample, index) => {
          smoothed = smoothStatus(smoothed, sample, index * seconds * 1000);
          return smoothed.status;
        });
        expectNone(differences(each.status, found, {}, 'status'));
      });
    }
  } else if (isUptime(content)) {
    for (const each of content.cases) {
      await report.run(folder, `${file.name} ${each.name}`, async () => {
        expectNone(differences(each.expect, uptimeOf(each), {}, 'expect'));
      });
    }
  }
}

function uptimeOf(each: UptimeFile['cases'][number]) {
  const from = Math.max(Number(each.range_start), Number(each.created_at));
  const to = Number(each.range_end);
  const intervals = each.intervals.map(({ start, end, status }) => ({
    start: Number(start),
    end: Number(end),
    status,
  }));
  const { major_outage, partial_outage } = durationsWithin(intervals, from, to);
  const time = { total: to - from, major: major_outage, partial: partial_outage };
  return {
    effective_start: from,
    seconds: time.total,
    major_outage,
    partial_outage,
    uptime_percentage: uptimePercentage(time),
    shown: uptimeText(time),
  };
}

function isScenario(content: unknown): content is Scenario {
  const { page, steps } = content as Partial<Scenario>;
  return page !== undefined && Array.isArray(steps);
}

function isHysteresis(content: unknown): content is HysteresisFile {
  return (content as Partial<HysteresisFile>).cases?.[0]?.raw !== undefined;
}

function isUptime(content: unknown): content is UptimeFile {
  return (content as Partial<UptimeFile>).cases?.[0]?.intervals !== undefined;
}

/** What real pages sent must be readable: with the schema of the summary, or of the part that the file holds. */
async function runRealSamples(folder: string, path: string, report: Report): Promise<void> {
  if (!existsSync(path)) return;
  const summary = schemaOf('summary.schema.json');
  for (const name of readdirSync(path).filter((each) => each.endsWith('.json'))) {
    await report.run(folder, `real-samples/${name}`, async () => {
      const sample = readJson(join(path, name)) as Readonly<Record<string, unknown>>;
      const isSummary = 'status' in sample;
      const isValid = isSummary ? summary : partSchema();
      if (!isValid(sample)) throw new CaseFailed([JSON.stringify(isValid.errors)]);
    });
  }
}

/** The reading schema without what only a summary has. */
function partSchema(): ValidateFunction {
  const { $id: _, ...schema } = readJson(sharedPath('contracts', 'data', 'summary.schema.json')) as {
    readonly $id?: string;
    readonly required: readonly string[];
  };
  return compile({ ...schema, required: ['page'], minProperties: 2 });
}

function expectNone(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new CaseFailed(wrong);
}

const TOKEN = createStatusToken('conformance', 'write', (count) => new Uint8Array(count).fill(7));

async function runScenario(scenario: Scenario): Promise<void> {
  const { page, start } = scenario;
  const clock = new ManualClock(Date.parse(start));
  const server = await startTestServer({
    clock,
    env: {
      STATUS_PAGE_ID: page.id,
      STATUS_PAGE_NAME: page.name,
      STATUS_URL: page.url,
      STATUS_TIME_ZONE: page.time_zone,
      STATUS_BUILTIN_COMPONENTS: 'off',
      STATUS_TOKENS: TOKEN.line,
    },
    background: false,
  });
  try {
    const isStrict = schemaOf('summary.strict.schema.json');
    const names = new Map([['page', page.id]]);
    const wrong: string[] = [];
    for (const [index, step] of scenario.steps.entries()) {
      clock.set(Date.parse(step.at));
      const found = await runStep(step, server, names, isStrict);
      wrong.push(...found.map((difference) => `step ${index} (${step.at}) ${difference}`));
    }
    expectNone(wrong);
  } finally {
    await server.close();
  }
}

/** @returns what is different from what the step expects. */
async function runStep(
  step: Step,
  { services: { status }, url }: TestServer,
  names: Map<string, string>,
  isStrict: ValidateFunction,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  if (step.tick === true) await status.service.runMaintenanceSchedule();
  if (step.monitor !== undefined) {
    const results = step.monitor.map((each) => [filled(each.component, names), each.status] as const);
    await status.service.setMonitorStatuses(new Map(results));
  }
  if (step.request !== undefined) {
    const { method, path, body } = filled(step.request, names);
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `OAuth ${TOKEN.text}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? undefined : JSON.parse(text);
    for (const [name, at] of Object.entries(step.save ?? {})) names.set(name, String(memberAt(answer, at)));
    wrong.push(...judge(filled(step.expect ?? null, names), response.status, answer));
  }
  if (step.summary !== undefined) {
    const response = await fetch(`${url}/api/v2/summary.json`);
    const summary: unknown = await response.json();
    const expected = withExamples(filled(step.summary, names), summary);
    wrong.push(...differences(expected, summary, {}, 'summary'));
    if (!isStrict(summary)) wrong.push(`summary.strict.schema.json: ${JSON.stringify(isStrict.errors)}`);
  }
  return wrong;
}

function judge(expect: Step['expect'] | null, status: number, answer: unknown): readonly string[] {
  if (expect == null) return [];
  return [
    ...differences(expect.status, status, {}, 'status'),
    ...[expect.body, expect.body_has].flatMap((body) =>
      body === undefined ? [] : differences(body, answer, { additionalMembers: true }, 'body'),
    ),
  ];
}

/** Replaces `{{name}}` by saved ids, in values and in names of members. */
function filled<T>(value: T, names: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value) ?? 'null';
  return JSON.parse(text.replace(/\{\{(\w+)\}\}/g, (token, name: string) => names.get(name) ?? token)) as T;
}

/** Takes over what was found where the case only asks for any id (`<id>`) or any absolute URL (`<url>`). */
function withExamples(expected: unknown, found: unknown): unknown {
  if (expected === '<id>') return isId(found) ? found : expected;
  if (expected === '<url>') return typeof found === 'string' && URL.canParse(found) ? found : expected;
  if (typeof expected !== 'object' || expected === null) return expected;
  const member = (name: string) => memberAt(found, name);
  if (Array.isArray(expected))
    return expected.map((each, index) => withExamples(each, member(String(index))));
  return Object.fromEntries(
    Object.entries(expected).map(([name, each]) => [name, withExamples(each, member(name))]),
  );
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9b-df-hj-np-tv-z]{12}$/.test(value);
}

function memberAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
      value,
    );
}

function schemaOf(name: string): ValidateFunction {
  return compile(readJson(sharedPath('contracts', 'data', name)) as AnySchema);
}

function compile(schema: AnySchema): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
