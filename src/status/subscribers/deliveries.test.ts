import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Registry } from 'prom-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type OpenStatusArea,
  type OpenStatusAreaSettings,
  openStatusArea,
  START,
} from '../../../test/kit/status/open-status-area.ts';
import { receivers } from '../../../test/kit/status/receivers.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { ManagedIncidentSchema } from '../documents/managed-schemas.ts';
import { type DeliveryQueue, LEASE_MS } from './delivery-queue.ts';
import { ANSWER_MS, FAREWELL_MS, LOOK_MS } from './delivery-worker.ts';
import type { PostWebhook } from './post-webhook.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function open(settings: OpenStatusAreaSettings = {}): Promise<OpenStatusArea> {
  const opened = await openStatusArea({
    // Answers have all the time, and a closing area waits for none.
    startTimer: (run, afterMs) => {
      if (afterMs === FAREWELL_MS) run();
      return () => undefined;
    },
    ...settings,
  });
  onTestFinished(async () => {
    await opened.area.close();
    await opened.close();
  });
  return opened;
}

function sharedFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deliveries-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'page.sqlite');
}

/** Asks until the answer is right; patient, since a whole run of tests shares the machine. */
const eventually = <T>(read: () => T) => expect.poll(read);

/** Lets a server look at its outbox, until it has sent what it will send. */
async function look(turn: OpenStatusArea['turn']): Promise<void> {
  await turn(LOOK_MS);
  await new Promise(setImmediate);
}

const waiting = async ({ store }: OpenStatusArea) => (await store.deliveries.count()).waiting;

describe('news', () => {
  test('reach each subscriber at once, signed over the exact bytes', async () => {
    const { post, received, bodies, count } = receivers();
    const { area } = await open({ post });
    await area.start();
    const first = await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const second = await area.service.createSubscriber({ endpoint: 'https://b.example.org/' });
    const { id: page } = await area.service.readPage();
    const incident = await area.service.createIncident({ name: '<script>alert("é")</script>' });
    await eventually(count).toBe(2);

    for (const subscriber of [first, second]) {
      const request = received.find(({ url }) => url === subscriber.endpoint)!;
      const signature = createHmac('sha256', subscriber.secret).update(request.body).digest('hex');
      expect(request.headers).toEqual({
        'Content-Type': 'application/json',
        'User-Agent': 'Ledgerlens/1.2.3',
        'X-Ledgerlens-Delivery': expect.stringMatching(/^\w{12}-\w{12}$/),
        'X-Ledgerlens-Signature': `sha256=${signature}`,
      });
    }
    const [body] = bodies();
    expect(Object.keys(body)).toEqual(['meta', 'page', 'incident']);
    expect(Object.entries(body.meta)).toEqual([
      ['unsubscribe', `https://ledger.example.org/v1/pages/${page}/subscribers/${first.id}`],
      ['documentation', 'https://ledger.example.org/docs'],
      ['generated_at', '2026-03-02T09:00:00.000Z'],
    ]);
    expect(Object.entries(body.page)).toEqual([
      ['id', page],
      ['status_indicator', 'none'],
      ['status_description', 'All Systems Operational'],
    ]);
    expect(body.incident).toEqual(await area.service.readIncident(incident.id));
    expect(body.incident.name).toBe('<script>alert("é")</script>');
    const ajv = addFormats.default(new Ajv({ strict: false }));
    expect(ajv.validate(ManagedIncidentSchema, body.incident), ajv.errorsText()).toBe(true);
  });

  test('of components have the members of the contract, and come after the update of the same call', async () => {
    const { post, bodies, count } = receivers();
    const { area } = await open({ post, options: { timeZone: 'America/Tijuana' } });
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const api = await area.service.createComponent({ name: 'API' });
    await area.service.createIncident({ name: 'I', components: { [api.id]: 'major_outage' } });
    await eventually(count).toBe(2);
    const [update, { meta, page, component, component_update: change, ...others }] = bodies();
    expect(Object.keys(update)).toEqual(['meta', 'page', 'incident']);
    expect(others).toEqual({});
    expect(meta.generated_at).toBe('2026-03-02T01:00:00.000-08:00');
    expect(page).toMatchObject({ status_indicator: 'critical', status_description: 'Major System Outage' });
    const { automation_email: _, ...members } = await area.service.readComponent(api.id);
    expect(component).toEqual(members);
    expect(Object.entries(change)).toEqual([
      ['id', expect.stringMatching(/^\w{12}$/)],
      ['component_id', api.id],
      ['old_status', 'operational'],
      ['new_status', 'major_outage'],
      ['created_at', '2026-03-02T01:00:00.000-08:00'],
      ['component_type', 'Component'],
    ]);
  });

  test('are written with the change: a refused or silent one leaves none, an earlier one is not told', async () => {
    const opened = await open();
    const { service } = opened.area;
    await service.createIncident({ name: 'Before' });
    await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await expect(service.createIncident({ name: '', status: 'up' })).rejects.toThrow('blank');
    await service.createIncident({ name: 'Silent', deliver_notifications: false });
    expect(await waiting(opened)).toBe(0);
  });

  test('of maintenances that start by themselves are told', async () => {
    const { post, bodies } = receivers();
    const { area, clock, turn } = await open({ post });
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await area.service.createIncident({
      name: 'M',
      scheduled_for: '2026-03-02T09:10:00Z',
      scheduled_until: '2026-03-02T10:00:00Z',
      scheduled_auto_in_progress: true,
    });
    clock.advance(10 * MINUTE_MS);
    await turn(5000);
    await eventually(() => bodies().map(({ incident }) => incident.status)).toEqual([
      'scheduled',
      'in_progress',
    ]);
  });

  test('go no further when the subscriber is deleted', async () => {
    const { post, answers, count } = receivers();
    const opened = await open({ post });
    const { area, clock, turn } = opened;
    await area.start();
    const { id } = await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    answers.set('https://a.example.org/', [500]);
    await area.service.createIncident({ name: 'I' });
    await eventually(() => opened.logged).toContain('a delivery to a subscriber failed and will be retried');
    await area.service.deleteSubscriber(id);
    expect(await waiting(opened)).toBe(0);
    clock.advance(DAY_MS);
    await look(turn);
    await area.service.createIncident({ name: 'J' });
    await area.close();
    expect(count()).toBe(1);
  });
});

describe('retries', () => {
  test('come after 1, 5, 30 minutes, 2 and 12 hours, with the same bytes and id; then it is given up', async () => {
    const { post, answers, received, ids } = receivers();
    const metrics = new Registry();
    const opened = await open({ post, metrics });
    const { area, clock, turn, logged } = opened;
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    answers.set('https://a.example.org/', [500, 302, 404, new Error('ECONNREFUSED'), 410, 199]);
    await area.service.createIncident({ name: 'I' });
    await eventually(() => received.length).toBe(1);

    const failures = () => logged.filter((text) => text.startsWith('a delivery to a subscriber')).length;
    for (const [index, minutes] of [1, 5, 30, 120, 720].entries()) {
      await eventually(failures).toBe(index + 1);
      clock.advance(minutes * MINUTE_MS - 1);
      await look(turn);
      expect(received).toHaveLength(index + 1);
      clock.advance(1);
      await look(turn);
      await eventually(() => received.length).toBe(index + 2);
    }
    await eventually(() => logged.at(-1)).toBe('gave up a delivery to a subscriber');
    clock.advance(DAY_MS);
    await look(turn);
    await area.close();
    expect(received).toHaveLength(6);
    expect(new Set(ids()).size).toBe(1);
    expect(new Set(received.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);

    const text = await metrics.metrics();
    expect(text).toContain('ledgerlens_status_delivery_attempts_total{end="failed"} 5');
    expect(text).toContain('ledgerlens_status_delivery_attempts_total{end="given_up"} 1');
    expect(text).toContain('ledgerlens_status_deliveries{state="given_up"} 1');
    expect(text).toContain('ledgerlens_status_deliveries{state="waiting"} 0');
  });

  test('do not hold back newer news', async () => {
    const { post, answers, bodies, count } = receivers();
    const { area, clock, turn } = await open({ post });
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    answers.set('https://a.example.org/', [503]);
    await area.service.createIncident({ name: 'I' });
    await area.service.createIncident({ name: 'J' });
    await eventually(count).toBe(2);
    clock.advance(MINUTE_MS);
    await look(turn);
    await eventually(() => bodies().map(({ incident }) => incident.name)).toEqual(['I', 'J', 'I']);
  });

  test('follow when no answer comes within 10 s', async () => {
    const { post, answers, count } = receivers();
    const timers = new Map<number, () => void>();
    const { area, logged } = await open({
      post,
      startTimer: (run, afterMs) => {
        timers.set(afterMs, run);
        return () => void timers.delete(afterMs);
      },
    });
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    answers.set('https://a.example.org/', [new Promise(() => undefined)]);
    await area.service.createIncident({ name: 'I' });
    await eventually(count).toBe(1);
    expect(logged).not.toContain('a delivery to a subscriber failed and will be retried');
    expect(ANSWER_MS).toBe(10_000);
    timers.get(ANSWER_MS)?.();
    await eventually(() => logged).toContain('a delivery to a subscriber failed and will be retried');
    expect(timers.size).toBe(0);
  });
});

describe('subscribers', () => {
  test('do not wait for one that hangs', async () => {
    const { post, answers, received } = receivers();
    const { area, clock } = await open({ post });
    await area.start();
    for (const name of ['a', 'b', 'c'])
      await area.service.createSubscriber({ endpoint: `https://${name}.example.org/` });
    let release = (_status: number) => {};
    answers.set('https://b.example.org/', [
      new Promise((resolve) => {
        release = resolve;
      }),
    ]);
    for (const name of ['I', 'J', 'K']) {
      await area.service.createIncident({ name });
      clock.advance(1);
    }
    const urls = () => received.map(({ url }) => new URL(url).hostname.charAt(0)).sort();
    await eventually(urls).toEqual([...'aaabccc']);
    release(200);
    await eventually(urls).toEqual([...'aaabbbccc']);
  });

  test('get their news one after the other, in order', async () => {
    let sending = 0;
    let most = 0;
    const seen: string[] = [];
    const post: PostWebhook = async ({ body }) => {
      sending += 1;
      most = Math.max(most, sending);
      await new Promise(setImmediate);
      seen.push(JSON.parse(Buffer.from(body).toString()).incident.name);
      sending -= 1;
      return 200;
    };
    const { area } = await open({ post });
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const names = Array.from({ length: 20 }, (_, index) => `I${index}`);
    await Promise.all(names.map((name) => area.service.createIncident({ name })));
    await eventually(() => seen).toEqual(names);
    expect(most).toBe(1);
  });

  test('that failed before wait behind the others', async () => {
    const { post, answers, received } = receivers();
    const { area, store } = await open({ post });
    for (let index = 0; index < 200; index += 1) {
      const endpoint = `https://dead.example.org/${index}`;
      await area.service.createSubscriber({ endpoint });
      answers.set(endpoint, [new Promise(() => undefined)]);
    }
    await area.service.createIncident({ name: 'Before' });
    for (const delivery of await store.deliveries.lease('earlier', START, 200))
      await store.deliveries.settle('earlier', delivery, { kind: 'failed', nextAt: null }, START);
    expect(await store.deliveries.count()).toEqual({ waiting: 0, givenUp: 200 });
    await area.service.createSubscriber({ endpoint: 'https://alive.example.org/' });
    await area.service.createIncident({ name: 'I' });
    await area.service.createIncident({ name: 'J' });
    // Only now: between two news the lanes that are free go to those that hang.
    await area.start();
    const alive = () => received.filter(({ url }) => url === 'https://alive.example.org/').length;
    await eventually(alive).toBe(2);
  });

  test('get nothing twice when the clock jumps while a request is under way', async () => {
    const { post, answers, count } = receivers();
    const opened = await open({ post });
    const { area, clock, turn } = opened;
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    let answer = (_status: number) => {};
    answers.set('https://a.example.org/', [
      new Promise((resolve) => {
        answer = resolve;
      }),
    ]);
    await area.service.createIncident({ name: 'I' });
    await eventually(count).toBe(1);
    clock.advance(DAY_MS);
    await look(turn);
    await area.service.createIncident({ name: 'J' });
    answer(200);
    await eventually(() => waiting(opened)).toBe(0);
    expect(count()).toBe(2);
  });

  test('more than are served at a time all get it', async () => {
    const { post, received, count } = receivers();
    const { area } = await open({ post });
    await area.start();
    for (let index = 0; index < 300; index += 1)
      await area.service.createSubscriber({ endpoint: `https://example.org/${index}` });
    await area.service.createIncident({ name: 'I' });
    await eventually(count).toBe(300);
    expect(new Set(received.map(({ url }) => url)).size).toBe(300);
  });
});

describe('several processes and lives', () => {
  test('news that were committed while no server ran are sent by the next one', async () => {
    const file = sharedFile();
    const command = await open({ file });
    await command.area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await command.area.service.createIncident({ name: 'I' });
    const { post, count } = receivers();
    const server = await open({ file, post, now: START + 40 * DAY_MS });
    await server.area.start();
    await eventually(count).toBe(1);
    await eventually(() => waiting(server)).toBe(0);
  });

  test('two servers on one database send each delivery once', async () => {
    const file = sharedFile();
    const { post, ids, count } = receivers();
    const [one, two] = [await open({ file, post }), await open({ file, post, now: START + 1 })];
    await one.area.start();
    await two.area.start();
    for (let index = 0; index < 5; index += 1)
      await one.area.service.createSubscriber({ endpoint: `https://${index}.example.org/` });
    for (let index = 0; index < 10; index += 1) {
      await (index % 2 === 0 ? one : two).area.service.createIncident({ name: 'I' });
      one.clock.advance(5);
      two.clock.advance(5);
      await Promise.all([look(one.turn), look(two.turn)]);
    }
    await eventually(() => waiting(one)).toBe(0);
    expect(count()).toBe(50);
    expect(new Set(ids()).size).toBe(50);
  });

  test('what a server was sending when it died is sent again under the same id when its lease has ended', async () => {
    const file = sharedFile();
    const { post, answers, ids, count } = receivers();
    const dead = await open({ file, post });
    await dead.area.start();
    await dead.area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    answers.set('https://a.example.org/', [new Promise(() => undefined)]);
    await dead.area.service.createIncident({ name: 'I' });
    await eventually(count).toBe(1);
    await dead.close();

    const next = await open({ file, post, now: START + 1 });
    await next.area.start();
    next.clock.set(START + LEASE_MS - 1);
    await look(next.turn);
    expect(count()).toBe(1);
    next.clock.set(START + LEASE_MS);
    await look(next.turn);
    await eventually(count).toBe(2);
    expect(new Set(ids()).size).toBe(1);
    await eventually(() => waiting(next)).toBe(0);
  });

  test('a server that stops waits a moment for answers, then leaves them to the next one without a failure', async () => {
    const file = sharedFile();
    const { post, answers, ids, count } = receivers();
    const timers: (() => void)[] = [];
    const startTimer = (run: () => void) => {
      timers.push(run);
      return () => undefined;
    };
    const one = await open({ file, post, startTimer });
    await one.area.start();
    await one.area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    answers.set('https://a.example.org/', [new Promise(() => undefined)]);
    await one.area.service.createIncident({ name: 'I' });
    await eventually(count).toBe(1);
    const closed = one.area.close();
    // The first timer is that of the answer, the second that of the farewell.
    await eventually(() => timers.length).toBe(2);
    timers[1]?.();
    await closed;
    await one.close();
    expect(one.logged.filter((text) => text.startsWith('a delivery'))).toEqual([]);

    const next = await open({ file, post, now: START + 1 });
    await next.area.start();
    await eventually(count).toBe(2);
    expect(new Set(ids()).size).toBe(1);
  });

  test('news that nobody missed are dropped after 30 days, others not before their last attempt', async () => {
    const opened = await open();
    const { service, repository } = opened.area;
    await service.createIncident({ name: 'Nobody was there' });
    await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await service.createIncident({ name: 'Waits' });
    opened.clock.advance(31 * DAY_MS);
    await service.createIncident({ name: 'News' });
    const names = async () =>
      (await repository.readNotices(0, 9)).map(
        ({ payload }) => (payload['incident'] as { name: string }).name,
      );
    expect(await names()).toEqual(['Waits', 'News']);
    const { deliveries } = opened.store;
    const now = opened.clock.now();
    for (const delivery of await deliveries.lease('a server', now, 1))
      await deliveries.settle('a server', delivery, { kind: 'failed', nextAt: null }, now);
    opened.clock.advance(1);
    await service.createIncident({ name: 'More' });
    expect(await names()).toEqual(['News', 'More']);
  });

  test('a database that takes no end makes a server send again when the lease has ended, not at once', async () => {
    const { post, ids, count } = receivers();
    const { status, close } = await openMemoryStore();
    onTestFinished(close);
    let takesEnds = false;
    const settle: DeliveryQueue['settle'] = async (...args) =>
      takesEnds ? status.deliveries.settle(...args) : Promise.reject(new Error('the disk is full'));
    const store = { ...status, deliveries: { ...status.deliveries, settle } };
    const { area, clock, turn, logged } = await open({ post, store });
    await area.start();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await area.service.createIncident({ name: 'I' });
    await eventually(() => logged).toContain('a delivery could not be stored');
    await look(turn);
    clock.advance(LEASE_MS - 1);
    await look(turn);
    expect(count()).toBe(1);
    takesEnds = true;
    clock.advance(1);
    await look(turn);
    await eventually(count).toBe(2);
    expect(new Set(ids()).size).toBe(1);
  });
});
