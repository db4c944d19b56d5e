import { isDeepStrictEqual } from 'node:util';
import { StatusNotFoundError, StatusValidationError } from '../../../src/status/errors.ts';
import type { StatusArea } from '../../../src/status/index.ts';
import type { ComponentStatus } from '../../../src/status/rules/component-status.ts';
import type { Input } from '../../../src/status/rules/input-members.ts';
import type { ManualClock } from '../../../src/values/clock.ts';

/** A file of `cases/status`; its format is described in the README there. */
export interface Scenario {
  readonly name: string;
  readonly page: {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly time_zone: string;
  };
  readonly start: string;
  readonly steps: readonly ScenarioStep[];
}

export interface ScenarioStep {
  readonly at: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: Input };
  readonly expect?: { readonly status: number; readonly body?: unknown; readonly body_has?: Input };
  readonly save?: Readonly<Record<string, string>>;
  readonly tick?: boolean;
  readonly monitor?: readonly { readonly component: string; readonly status: ComponentStatus }[];
  readonly summary?: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What a scenario run found. */
export interface ScenarioResult {
  readonly failures: readonly string[];
  readonly comparedSummaries: number;
}

/**
 * Replays a scenario on the services: each request becomes the call that its route makes.
 *
 * @param summary reads the summary document as a client would.
 */
export async function runScenario(
  scenario: Scenario,
  area: StatusArea,
  clock: ManualClock,
  summary: () => Promise<unknown>,
): Promise<ScenarioResult> {
  const names = new Map([['page', scenario.page.id]]);
  const failures: string[] = [];
  let comparedSummaries = 0;
  for (const [index, step] of scenario.steps.entries()) {
    const label = `step ${index} (${step.at})`;
    clock.set(Date.parse(step.at));
    if (step.tick === true) await area.service.runMaintenanceSchedule();
    if (step.monitor !== undefined) {
      const results = step.monitor.map(({ component, status }) => [fill(component, names), status] as const);
      await area.service.setMonitorStatuses(new Map(results));
    }
    if (step.request !== undefined) {
      const answer = await answerOf(area, fill(step.request, names));
      failures.push(...judge(step, answer, names).map((text) => `${label}: ${text}`));
    }
    if (step.summary !== undefined) {
      const found = await summary();
      comparedSummaries += 1;
      if (!matches(fill(step.summary, names), found))
        failures.push(`${label}: summary ${JSON.stringify(found)}`);
    }
  }
  return { failures, comparedSummaries };
}

function judge(step: ScenarioStep, answer: Answer, names: Map<string, string>): readonly string[] {
  for (const [name, path] of Object.entries(step.save ?? {})) {
    names.set(name, String(path.split('.').reduce<unknown>(member, answer.body)));
  }
  const expected = step.expect;
  const failures: string[] = [];
  if (expected === undefined) return failures;
  if (expected.status !== answer.status) failures.push(`status ${answer.status}, not ${expected.status}`);
  const members = { ...(expected.body as Input | undefined), ...expected.body_has };
  for (const [name, value] of Object.entries(fill(members, names))) {
    const found = member(answer.body, name);
    if (!isDeepStrictEqual(found, value)) failures.push(`${name} is ${JSON.stringify(found)}`);
  }
  return failures;
}

/** A path that stands for no call of the services is one that no route serves. */
async function answerOf(
  { service }: StatusArea,
  { method, path, body = {} }: { method: string; path: string; body?: Input },
): Promise<Answer> {
  const [collection, id, nested, nestedId] = path.split('/').slice(4);
  const members = (name: string) => (member(body, name) ?? {}) as Input;
  const component = members('component');
  const group = { ...pick(body, 'description'), ...members('component_group') };
  const incident = members('incident');
  const calls: Readonly<Record<string, () => Promise<Answer>>> = {
    'POST components': () => answer(201, service.createComponent(component)),
    'GET components/': () => answer(200, service.readComponent(id ?? '')),
    'PATCH components/': () => answer(200, service.updateComponent(id ?? '', component)),
    'DELETE components/': () => answer(204, service.deleteComponent(id ?? '')),
    'POST component-groups': () => answer(201, service.createGroup(group)),
    'PATCH component-groups/': () => answer(200, service.updateGroup(id ?? '', group)),
    'DELETE component-groups/': () => answer(200, service.deleteGroup(id ?? '')),
    'GET incidents': () => answer(200, service.listIncidents('', { offset: 0, limit: 100 })),
    'GET incidents/unresolved': () => answer(200, service.listOpenIncidents('unresolved')),
    'POST incidents': () => answer(201, service.createIncident(incident)),
    'GET incidents/': () => answer(200, service.readIncident(id ?? '')),
    'PATCH incidents/': () => answer(200, service.updateIncident(id ?? '', incident)),
    'DELETE incidents/': () => answer(200, service.deleteIncident(id ?? '')),
    'PATCH incidents//incident_updates/': () =>
      answer(200, service.editIncidentUpdate(id ?? '', nestedId ?? '', members('incident_update'))),
  };
  const shape = [
    collection,
    ...(id === undefined ? [] : [id === 'unresolved' ? id : '']),
    ...(nested === undefined ? [] : [nested, '']),
  ];
  const call = calls[`${method} ${shape.join('/')}`];
  return call === undefined ? { status: 404, body: { error: 'Not found' } } : call();
}

async function answer(status: number, work: Promise<unknown>): Promise<Answer> {
  try {
    return { status, body: await work };
  } catch (error) {
    if (error instanceof StatusNotFoundError) return { status: 404, body: { error: error.message } };
    if (error instanceof StatusValidationError) return { status: 422, body: { error: error.problems } };
    throw error;
  }
}

function pick(body: Input, name: string): Input {
  return name in body ? { [name]: body[name] } : {};
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Input)[name] : undefined;
}

/** Replaces `{{name}}` by saved ids, in values and in member names. */
function fill<T>(value: T, names: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value);
  return JSON.parse(text.replace(/\{\{(\w+)\}\}/g, (token, name: string) => names.get(name) ?? token)) as T;
}

/** Deep equality where `<id>` and `<url>` stand for any id and any absolute URL. */
function matches(expected: unknown, found: unknown): boolean {
  if (expected === '<id>') return typeof found === 'string' && /^[0-9b-df-hj-np-tv-z]{12}$/.test(found);
  if (expected === '<url>') return typeof found === 'string' && URL.canParse(found);
  if (typeof expected !== 'object' || expected === null) return expected === found;
  if (typeof found !== 'object' || found === null || Array.isArray(expected) !== Array.isArray(found))
    return false;
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(found).length &&
    keys.every((key) => Object.hasOwn(found, key) && matches(member(expected, key), member(found, key)))
  );
}
