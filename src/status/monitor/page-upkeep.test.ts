import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type OpenStatusArea,
  type OpenStatusAreaSettings,
  openStatusArea,
  START,
} from '../../../test/kit/status/open-status-area.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { StorageFaultError } from '../../values/storage-errors.ts';
import type { PageKeeping } from '../store/page-keeping.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import type { HealthProbe, ProbeLevel, ProbeSample } from './health-probe.ts';

const SAMPLE_MS = 15_000;
const SCHEDULE_MS = 5_000;
const BEAT_MS = 10_000;
const MINUTE = 60_000;

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'status-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'page.sqlite');
}

/** A probe of the built-in component "Database" whose finding the test sets. */
function aProbe() {
  const state: { finding: ProbeSample | null | Error } = { finding: { level: 'operational', detail: null } };
  const probe: HealthProbe = {
    name: 'database',
    async check() {
      if (state.finding instanceof Error) throw state.finding;
      return state.finding;
    },
  };
  function finds(finding: ProbeLevel | null | Error) {
    state.finding = typeof finding === 'string' ? { level: finding, detail: 'why' } : finding;
  }
  return { probe, finds };
}

async function running(settings: OpenStatusAreaSettings): Promise<OpenStatusArea> {
  const opened = await openStatusArea({
    ...settings,
    options: { builtinComponents: true, ...settings.options },
  });
  await opened.area.start();
  return opened;
}

async function samples(opened: OpenStatusArea, count: number, everyMs = SAMPLE_MS) {
  for (let done = 0; done < count; done += 1) {
    await opened.turn(SAMPLE_MS);
    opened.clock.advance(everyMs);
  }
}

const statusOf = async ({ area }: OpenStatusArea, name = 'Database') =>
  (await area.service.listComponents()).find((component) => component.name === name)?.status;

/** The summary as a visitor gets it. */
async function inject({ area }: OpenStatusArea) {
  const app = Fastify();
  await app.register(area.routes);
  const answer = await app.inject('/api/v2/summary.json');
  await app.close();
  return answer.json() as {
    readonly components: readonly { readonly name: string; readonly status: string }[];
  };
}

async function shut(opened: OpenStatusArea) {
  await opened.area.close();
  await opened.close();
}

describe('monitor', () => {
  test('shows what it cannot store, tells it once, and stores it when the database accepts writes again', async () => {
    const { probe, finds } = aProbe();
    const { status, close } = await openMemoryStore();
    onTestFinished(close);
    let takesWrites = true;
    const page: StatusRepository = {
      ...status.page,
      change: async (...args) =>
        takesWrites ? status.page.change(...args) : Promise.reject(new StorageFaultError('the disk is full')),
    };
    const opened = await running({ store: { ...status, page }, probes: [probe] });
    const shown = async () => {
      const documents = await inject(opened);
      return documents.components.find(({ name }) => name === 'Database')?.status;
    };
    finds('major_outage');
    takesWrites = false;
    await samples(opened, 4);
    expect(await statusOf(opened)).toBe('operational');
    expect(await shown()).toBe('major_outage');
    expect(opened.logged.filter((line) => line.includes('could not'))).toEqual([]);
    takesWrites = true;
    await samples(opened, 1);
    expect(await statusOf(opened)).toBe('major_outage');
    expect(await shown()).toBe('major_outage');
    finds('operational');
    await samples(opened, 8);
    expect(await shown()).toBe('operational');
    await shut(opened);
  });

  test('shows what it finds itself while other replicas cannot be asked', async () => {
    const { probe, finds } = aProbe();
    const { status, close } = await openMemoryStore();
    onTestFinished(close);
    let answers = false;
    const exchange: PageKeeping['exchange'] = async () => {
      if (answers) return new Map([['database', ['operational', 'operational', 'major_outage']]]);
      throw new StorageFaultError('it cannot be reached');
    };
    const opened = await running({
      store: { ...status, keeping: { ...status.keeping, exchange } },
      probes: [probe],
    });
    const shown = async () =>
      (await inject(opened)).components.find(({ name }) => name === 'Database')?.status;
    finds('major_outage');
    await samples(opened, 4);
    expect([await statusOf(opened), await shown()]).toEqual(['operational', 'major_outage']);
    answers = true;
    await samples(opened, 1);
    expect([await statusOf(opened), await shown()]).toEqual(['operational', 'operational']);
    await shut(opened);
  });

  test('three bad samples take the component down, eight good ones bring it back', async () => {
    const { probe, finds } = aProbe();
    const opened = await running({ probes: [probe] });
    finds('major_outage');
    await samples(opened, 2);
    expect(await statusOf(opened)).toBe('operational');
    await samples(opened, 1);
    expect(await statusOf(opened)).toBe('major_outage');
    expect(opened.logged).toContain('the status of a part of the server changed');
    finds('operational');
    await samples(opened, 7);
    expect(await statusOf(opened)).toBe('major_outage');
    await samples(opened, 1);
    expect(await statusOf(opened)).toBe('operational');
    await shut(opened);
  });

  test('a state set by hand never hides a failing probe, a declared maintenance does', async () => {
    const { probe, finds } = aProbe();
    const opened = await running({ probes: [probe] });
    finds('partial_outage');
    await samples(opened, 3);
    const id = (await opened.area.service.listComponents()).find(({ name }) => name === 'Database')?.id ?? '';
    await opened.area.service.updateComponent(id, { status: 'operational' });
    expect(await statusOf(opened)).toBe('partial_outage');
    await opened.area.service.updateComponent(id, { status: 'under_maintenance' });
    expect(await statusOf(opened)).toBe('under_maintenance');
    await shut(opened);
  });

  test('a broken probe, one with no news and a jump of the clock give no sample', async () => {
    const { probe, finds } = aProbe();
    const opened = await running({ probes: [probe] });
    finds('major_outage');
    await samples(opened, 2);
    finds(new Error('broken'));
    await samples(opened, 5);
    finds(null);
    await samples(opened, 5);
    finds('major_outage');
    opened.clock.advance(5 * MINUTE);
    await samples(opened, 1);
    expect(await statusOf(opened)).toBe('operational');
    await samples(opened, 1);
    expect(await statusOf(opened)).toBe('major_outage');
    expect(opened.logged).toContain('a part of the server could not be measured');
    await shut(opened);
  });

  test('a probe that still waits is not asked again', async () => {
    const asked: (() => void)[] = [];
    const check = () => new Promise<null>((resolve) => asked.push(() => resolve(null)));
    const opened = await running({ probes: [{ name: 'database', check }] });
    const first = opened.turn(SAMPLE_MS);
    opened.clock.advance(SAMPLE_MS);
    await opened.turn(SAMPLE_MS);
    expect(asked).toHaveLength(1);
    asked[0]?.();
    await first;
    await shut(opened);
  });

  test('a component is called what its probe says, whoever renames it, and keeps its name while that is unknown', async () => {
    const { probe } = aProbe();
    const wanted: { name: string | null } = { name: null };
    const opened = await running({ probes: [{ ...probe, displayName: () => wanted.name }] });
    const component = async () => (await opened.area.service.listComponents()).find(({ group }) => !group);
    expect((await component())?.name).toBe('Database');
    wanted.name = 'Database (v2)';
    await samples(opened, 1);
    expect((await component())?.name).toBe('Database (v2)');
    const { revision } = (await opened.area.repository.read(null)).page;
    await samples(opened, 3);
    expect((await opened.area.repository.read(null)).page.revision).toBe(revision);
    await opened.area.service.updateComponent((await component())?.id ?? '', { name: 'Storage' });
    await samples(opened, 1);
    expect((await component())?.name).toBe('Database (v2)');
    wanted.name = null;
    await samples(opened, 1);
    expect((await component())?.name).toBe('Database (v2)');
    await shut(opened);
  });

  test('an outage that was shown stays over a restart until samples say otherwise', async () => {
    const file = aFile();
    const { probe, finds } = aProbe();
    const first = await running({ file, probes: [probe] });
    finds('major_outage');
    await samples(first, 3);
    await shut(first);
    finds('operational');
    const second = await running({ file, probes: [probe], now: START + MINUTE });
    expect(await statusOf(second)).toBe('major_outage');
    await samples(second, 8);
    expect(await statusOf(second)).toBe('operational');
    await shut(second);
  });

  test('a part that is no longer measured counts as working', async () => {
    const file = aFile();
    const { probe, finds } = aProbe();
    const first = await running({ file, probes: [probe] });
    finds('major_outage');
    await samples(first, 3);
    await shut(first);
    const second = await running({ file, probes: [], now: START + MINUTE });
    expect(await statusOf(second)).toBe('operational');
    await shut(second);
  });

  test('a part that is new at a later start gets its component, in the group of its kind', async () => {
    const file = aFile();
    const chain = (name: string): HealthProbe => ({
      name: `chain:${name}`,
      part: { group: 'Chains', component: { name, description: 'JSON-RPC' } },
      check: async () => null,
    });
    await shut(await running({ file, probes: [chain('one')] }));
    const second = await running({ file, probes: [chain('one'), chain('two')], now: START + MINUTE });
    const components = await second.area.service.listComponents();
    expect(components.map(({ name, group_id, position }) => [name, group_id === null, position])).toEqual([
      ['Chains', true, 1],
      ['one', false, 1],
      ['two', false, 2],
    ]);
    await shut(second);
  });
});

describe('automatic incidents', () => {
  async function out(autoIncidents = true) {
    const { probe, finds } = aProbe();
    const opened = await running({ probes: [probe], options: { autoIncidents } });
    onTestFinished(() => shut(opened));
    finds('major_outage');
    await samples(opened, 3);
    const open = () => opened.area.service.listOpenIncidents('unresolved');
    return { opened, finds, open };
  }

  test('one is opened two minutes into an outage, and resolved after five minutes of health', async () => {
    const { opened, finds, open } = await out();
    await samples(opened, 7);
    expect(await open()).toEqual([]);
    await samples(opened, 10);
    expect(await open()).toMatchObject([
      { name: 'Database is unavailable', impact: 'critical', metadata: { ledgerlens: { auto: true } } },
    ]);
    finds('operational');
    await samples(opened, 8 + 20 - 1);
    expect(await open()).toHaveLength(1);
    await samples(opened, 1);
    expect(await open()).toEqual([]);
    const [incident] = await opened.area.service.listIncidents('', { offset: 0, limit: 1 });
    expect(incident).toMatchObject({
      status: 'resolved',
      incident_updates: [{ body: 'The incident is resolved.' }, {}],
    });
  });

  test('one that somebody touched is left to people, and none is opened beside theirs', async () => {
    const { opened, finds, open } = await out();
    await samples(opened, 8);
    const [incident] = await open();
    await opened.area.service.updateIncident(incident?.id ?? '', { body: 'We are on it.' });
    finds('operational');
    await samples(opened, 40);
    finds('major_outage');
    await samples(opened, 20);
    expect(await open()).toMatchObject([{ id: incident?.id, status: 'investigating' }]);
  });

  test('none is opened unless the operator wants that', async () => {
    const { opened, open } = await out(false);
    await samples(opened, 20);
    expect(await open()).toEqual([]);
  });
});

describe('own downtime', () => {
  const events = async ({ area }: OpenStatusArea) =>
    (await area.repository.readEvents(START)).filter(({ at }) => at > START).map(({ to, at }) => [to, at]);

  async function restarted(
    afterMs: number,
    between: (opened: OpenStatusArea) => Promise<unknown> = async () => undefined,
    recordDowntime = true,
  ) {
    const file = aFile();
    const { probe } = aProbe();
    const first = await running({ file, probes: [probe] });
    await between(first);
    first.clock.advance(BEAT_MS);
    await first.turn(BEAT_MS);
    // Ends like a process that was killed: no last sign of life.
    await first.close();
    const second = await running({
      file,
      probes: [probe],
      now: START + BEAT_MS + afterMs,
      options: { recordDowntime },
    });
    onTestFinished(() => shut(second));
    return second;
  }

  test('is recorded as an outage of every monitored component when it was longer than a minute', async () => {
    const opened = await restarted(10 * MINUTE, ({ area }) =>
      area.service.createComponent({ name: 'By hand' }),
    );
    expect(await events(opened)).toEqual([
      ['major_outage', START + BEAT_MS],
      ['operational', START + BEAT_MS + 10 * MINUTE],
    ]);
    const [downtime] = await opened.area.repository.readDowntimes(START, START + 60 * MINUTE);
    expect(downtime).toEqual({ from: START + BEAT_MS, to: START + BEAT_MS + 10 * MINUTE });
    expect(await statusOf(opened)).toBe('operational');
  });

  test('a restart within a minute is none', async () => {
    expect(await events(await restarted(MINUTE))).toEqual([]);
  });

  test('is not recorded when the operator does not want that', async () => {
    const opened = await restarted(10 * MINUTE, async () => undefined, false);
    expect(await events(opened)).toEqual([]);
    expect(await opened.area.repository.readDowntimes(START, START + 60 * MINUTE)).toEqual([]);
  });

  test('a component under maintenance was not promised to run', async () => {
    const opened = await restarted(10 * MINUTE, async ({ area }) => {
      const components = await area.service.listComponents();
      const id = components.find(({ name }) => name === 'Database')?.id ?? '';
      await area.service.updateComponent(id, { status: 'under_maintenance' });
    });
    expect(await events(opened)).toEqual([]);
  });
});

describe('maintenances', () => {
  const plan = {
    name: 'Upgrade',
    status: 'scheduled',
    scheduled_for: new Date(START + 10 * MINUTE).toISOString(),
    scheduled_until: new Date(START + 20 * MINUTE).toISOString(),
    scheduled_auto_in_progress: true,
    scheduled_auto_completed: true,
  };

  test('start and complete by themselves', async () => {
    const opened = await running({ probes: [] });
    const { id } = await opened.area.service.createIncident(plan);
    const seen: string[] = [];
    for (const minutes of [9, 1, 9, 1]) {
      opened.clock.advance(minutes * MINUTE);
      await opened.turn(SCHEDULE_MS);
      seen.push((await opened.area.service.readIncident(id)).status);
    }
    expect(seen).toEqual(['scheduled', 'in_progress', 'in_progress', 'completed']);
    await shut(opened);
  });

  test('a start after the whole window does both at once, with the times that were planned', async () => {
    const file = aFile();
    const first = await running({ file, probes: [] });
    const { id } = await first.area.service.createIncident(plan);
    await shut(first);
    const second = await running({ file, probes: [], now: START + 60 * MINUTE });
    const { status, resolved_at, incident_updates } = await second.area.service.readIncident(id);
    expect([status, resolved_at]).toEqual(['completed', '2026-03-02T10:00:00.000Z']);
    expect(incident_updates.map((update) => [update.status, update.display_at])).toEqual([
      ['completed', '2026-03-02T09:20:00.000Z'],
      ['in_progress', '2026-03-02T09:10:00.000Z'],
      ['scheduled', '2026-03-02T09:00:00.000Z'],
    ]);
    await shut(second);
  });

  test('a turn with nothing due writes nothing', async () => {
    const opened = await running({ probes: [] });
    await opened.area.service.createIncident(plan);
    const before = await opened.area.repository.revision();
    await opened.turn(SCHEDULE_MS);
    expect(await opened.area.repository.revision()).toBe(before);
    await shut(opened);
  });
});
