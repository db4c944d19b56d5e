import type { PageAuthor, Written } from './page-author.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The moment at which the pages are looked at: a Friday afternoon. */
export const LOOKED_AT = Date.parse('2026-03-20T14:32:00.000Z');

/** Ids that the tests open. */
export interface BusyContent {
  readonly openIncidentId: string;
  readonly maintenanceId: string;
}

interface Parts {
  readonly api: Written;
  readonly queue: Written;
  readonly compilers: Written;
  readonly mirror: Written;
  readonly fees: Written;
  readonly website: Written;
}

/** Components in groups and alone, made a hundred days ago: everything works. */
export async function writeComponents(author: PageAuthor): Promise<Parts> {
  author.clock.set(LOOKED_AT - 100 * DAY_MS);
  const component = (name: string, description: string | null) =>
    author.create('components', 'component', { name, description });
  const parts: Parts = {
    api: await component('Verification API', 'Submit and follow source verification'),
    queue: await component('Verification queue', null),
    compilers: await component('Compilers', 'Compiler downloads and runs'),
    mirror: await component('Mirror REST API', 'Transactions, accounts and network data'),
    fees: await component('Fee estimation', 'Estimated fees of transactions'),
    website: await component('Website and documentation', null),
  };
  await component('Hedera Testnet (v0.66.0) | Network Uptime', 'Consensus nodes of the network');
  const group = (name: string, members: readonly Written[], description: string | null) =>
    author.create('component-groups', 'component_group', {
      name,
      components: members.map(({ id }) => id),
      description,
    });
  await group(
    'Contract verification',
    [parts.api, parts.queue, parts.compilers],
    'Sources compared with the code on chain',
  );
  await group('Ledger mirror', [parts.mirror, parts.fees], null);
  return parts;
}

/** What a service lives through: a quarter of history, two open incidents, maintenances in every state. */
export async function writeBusyContent(author: PageAuthor): Promise<BusyContent> {
  const parts = await writeComponents(author);
  const at = (hoursFromNow: number) => author.clock.set(LOOKED_AT + hoursFromNow * HOUR_MS);
  const time = (hoursFromNow: number) => new Date(LOOKED_AT + hoursFromNow * HOUR_MS).toISOString();
  const open = (members: Readonly<Record<string, unknown>>) =>
    author.create('incidents', 'incident', members);
  const follow = ({ id }: Written, members: Readonly<Record<string, unknown>>) =>
    author.change(`incidents/${id}`, 'incident', members);
  const outage = async (
    hours: number,
    lasts: number,
    name: string,
    part: Written,
    status: string,
  ): Promise<void> => {
    at(hours);
    const incident = await open({ name, components: { [part.id]: status } });
    at(hours + lasts / 2);
    await follow(incident, {
      status: 'identified',
      body: 'The cause was found; a **fix** is being deployed.',
    });
    at(hours + lasts);
    await follow(incident, {
      status: 'resolved',
      body: 'Everything works again. Details: [the report](https://example.org/report).',
      components: { [part.id]: 'operational' },
    });
  };

  await outage(-80 * 24, 5, 'Verification API unavailable', parts.api, 'major_outage');
  await outage(-61 * 24, 9, 'Jobs wait for long', parts.queue, 'partial_outage');
  await outage(-40 * 24, 30, 'Mirror answers slowly', parts.mirror, 'degraded_performance');
  await outage(-9 * 24, 2, 'Fee estimates refused', parts.fees, 'major_outage');

  at(-150);
  const finished = await open({
    name: 'Compiler cache moved to new disks',
    scheduled_for: time(-145),
    scheduled_until: time(-143),
    component_ids: [parts.compilers.id],
  });
  at(-145);
  await follow(finished, {
    status: 'in_progress',
    components: { [parts.compilers.id]: 'under_maintenance' },
  });
  at(-143.5);
  await follow(finished, { status: 'completed', components: { [parts.compilers.id]: 'operational' } });
  await outage(-70, 1.5, 'Website did not load', parts.website, 'partial_outage');

  at(-30);
  const overdue = await open({
    name: 'Mirror database upgrade',
    scheduled_for: time(-6),
    scheduled_until: time(-2),
    body: 'Reads may be slow; nothing is lost.',
    component_ids: [parts.mirror.id],
  });
  const running = await open({
    name: 'Replacement of network switches',
    scheduled_for: time(-1),
    scheduled_until: time(2),
    component_ids: [parts.website.id],
  });
  await open({
    name: 'Yearly test of the emergency power supply in both data centres, with a short switch-over',
    scheduled_for: time(60),
    scheduled_until: time(63.5),
    body: 'Short interruptions are possible.\n\nPlease plan long verifications for another day.',
    component_ids: [parts.api.id, parts.queue.id],
  });
  at(-6);
  await follow(overdue, { status: 'in_progress', components: { [parts.mirror.id]: 'under_maintenance' } });

  at(-5);
  const failing = await open({
    name: 'Verification jobs fail',
    body: 'New jobs end with an internal error.',
    components: { [parts.api.id]: 'partial_outage', [parts.compilers.id]: 'degraded_performance' },
  });
  at(-4);
  await follow(failing, {
    status: 'identified',
    body: 'The compiler cache disk is full. We\n\n- move old versions away,\n- start `compilers` again.',
    components: { [parts.api.id]: 'major_outage' },
  });
  at(-1);
  await follow(running, { status: 'in_progress' });
  at(-0.7);
  await follow(failing, {
    status: 'monitoring',
    body: 'Space was freed; **jobs run again**. See [the queue](https://example.org/queue).',
    components: { [parts.api.id]: 'degraded_performance', [parts.compilers.id]: 'operational' },
  });
  at(-0.4);
  await open({
    name: 'Fee estimates may be too low',
    body: 'A new schedule is not known to us yet.',
    components: { [parts.fees.id]: 'partial_outage' },
  });
  at(0);
  return { openIncidentId: failing.id, maintenanceId: overdue.id };
}
