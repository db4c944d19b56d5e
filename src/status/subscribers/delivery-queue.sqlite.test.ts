import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInlineWriter } from '../../storage/writer/inline-writer.ts';
import { type OpenStatusArea, openStatusArea, START } from '../testing/open-status-area.ts';
import { createSqliteDeliveryQueue } from './delivery-queue.sqlite.ts';
import { type Delivery, type DeliveryQueue, LEASE_MS } from './delivery-queue.ts';
import { deliveryWrites } from './delivery-writes.sqlite.ts';

let opened: OpenStatusArea;
let queue: DeliveryQueue;

beforeEach(async () => {
  opened = await openStatusArea();
  queue = createSqliteDeliveryQueue(
    opened.database,
    createInlineWriter(opened.database, deliveryWrites(opened.database)),
  );
  await opened.area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
  await opened.area.service.createIncident({ name: 'I' });
});

afterEach(() => opened.close());

async function leased(owner: string, now: number): Promise<readonly Delivery[]> {
  return queue.lease(owner, now, 10);
}

async function leasedOne(owner: string, now: number): Promise<Delivery> {
  const [delivery] = await leased(owner, now);
  if (delivery === undefined) throw new Error('Nothing is due');
  return delivery;
}

const attempts = () =>
  opened.database.prepare('SELECT attempts, next_at AS nextAt FROM status_delivery').get();

describe('createSqliteDeliveryQueue', () => {
  test('gives a subscriber to one owner until the lease ends', async () => {
    const delivery = await leasedOne('one', START);
    expect(await leased('two', START + LEASE_MS - 1)).toEqual([]);
    expect(await leased('two', START + LEASE_MS)).toEqual([delivery]);
  });

  test('a lease from before the clock was set back does not hold for hours', async () => {
    await leasedOne('one', START + 3_600_000);
    expect(await leased('two', START)).toHaveLength(1);
  });

  test('who lost the lease counts no failure that the successor counted, and continues with nothing', async () => {
    const delivery = await leasedOne('one', START);
    const again = await leasedOne('two', START + LEASE_MS);
    const failed = (nextAt: number) => ({ kind: 'failed', nextAt }) as const;
    await queue.settle('two', again, failed(START + 100_000), START + LEASE_MS + 1);
    await queue.settle('one', delivery, failed(START + 200_000), START + LEASE_MS + 2);
    expect(attempts()).toEqual({ attempts: 1, nextAt: START + 100_000 });
  });

  test('who lost the lease and delivered takes the delivery away, but gets no further one', async () => {
    await opened.area.service.createIncident({ name: 'J' });
    const delivery = await leasedOne('one', START);
    await leasedOne('two', START + LEASE_MS);
    expect(await queue.settle('one', delivery, { kind: 'delivered' }, START + LEASE_MS)).toBeNull();
    expect(await queue.count()).toEqual({ waiting: 1, givenUp: 0 });
    expect(await leased('one', START + LEASE_MS)).toEqual([]);
  });

  test('what is given up is kept and not given out', async () => {
    const delivery = await leasedOne('one', START);
    await queue.settle('one', delivery, { kind: 'failed', nextAt: null }, START);
    expect(await queue.count()).toEqual({ waiting: 0, givenUp: 1 });
    expect(await leased('one', START + 1e12)).toEqual([]);
  });

  test('gives back all that an owner holds', async () => {
    await leasedOne('one', START);
    await queue.release('one');
    expect(await leased('two', START + 1)).toHaveLength(1);
  });
});
