import { expect, test } from 'vitest';
import { type Delivery, LEASE_MS } from '../../src/status/subscribers/delivery-queue.ts';
import { forEachBackend } from './backends.ts';
import { START, statusAreaOn } from './status-area.ts';

forEachBackend('subscribers', (begin) => {
  test('are listed in the order of their creation, found, and deleted with what is due for them', async () => {
    const store = await begin().open();
    const { subscribers, deliveries } = store.status;
    const { service } = await statusAreaOn(store);
    const first = await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const second = await service.createSubscriber({ endpoint: 'https://b.example.org/' });
    const ids = async (offset: number, limit: number) =>
      (await subscribers.list({ offset, limit })).map(({ id }) => id);
    expect([await ids(0, 10), await ids(1, 1)]).toEqual([[first.id, second.id], [second.id]]);
    expect(await subscribers.find(first.id)).toMatchObject({ endpoint: 'https://a.example.org/' });
    expect(await subscribers.find('nobody')).toBeNull();
    await service.createIncident({ name: 'I' });
    expect(await deliveries.count()).toEqual({ waiting: 2, givenUp: 0 });
    await service.deleteSubscriber(first.id);
    expect(await ids(0, 10)).toEqual([second.id]);
    expect(await deliveries.count()).toEqual({ waiting: 1, givenUp: 0 });
  });

  test('stay as they are when a decision about them throws', async () => {
    const store = await begin().open();
    const { subscribers } = store.status;
    const { service } = await statusAreaOn(store);
    const { id } = await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const refuse = () => {
      throw new Error('refused');
    };
    await expect(subscribers.remove(id, refuse)).rejects.toThrow('refused');
    await expect(subscribers.add(refuse)).rejects.toThrow('refused');
    expect(await subscribers.list({ offset: 0, limit: 10 })).toHaveLength(1);
  });
});

forEachBackend('deliveries to subscribers', (begin) => {
  async function open() {
    const store = await begin().open();
    const { service } = await statusAreaOn(store);
    await service.createSubscriber({ endpoint: 'https://a.example.org/' });
    await service.createIncident({ name: 'I' });
    const queue = store.status.deliveries;
    const leasedOne = async (owner: string, now: number): Promise<Delivery> => {
      const [delivery] = await queue.lease(owner, now, 10);
      return delivery ?? expect.fail('nothing is due');
    };
    return { queue, service, leasedOne };
  }

  test('give a subscriber to one owner until the lease ends', async () => {
    const { queue, leasedOne } = await open();
    const delivery = await leasedOne('one', START);
    expect(delivery).toMatchObject({ endpoint: 'https://a.example.org/', attempts: 0 });
    expect(await queue.lease('two', START + LEASE_MS - 1, 10)).toEqual([]);
    expect(await queue.lease('two', START + LEASE_MS, 10)).toEqual([delivery]);
  });

  test('leave out those whom the owner still serves', async () => {
    const { queue, leasedOne } = await open();
    const { subscriberId } = await leasedOne('one', START);
    expect(await queue.lease('one', START + LEASE_MS, 10, [subscriberId])).toEqual([]);
  });

  test('are not held for hours by a lease from before the clock was set back', async () => {
    const { queue, leasedOne } = await open();
    await leasedOne('one', START + 3_600_000);
    expect(await queue.lease('two', START, 10)).toHaveLength(1);
  });

  test('count no failure of one who lost the lease, beside that of the successor', async () => {
    const { queue, leasedOne } = await open();
    const delivery = await leasedOne('one', START);
    const again = await leasedOne('two', START + LEASE_MS);
    const failed = (nextAt: number) => ({ kind: 'failed', nextAt }) as const;
    await queue.settle('two', again, failed(START + 100_000), START + LEASE_MS + 1);
    await queue.settle('one', delivery, failed(START + 200_000), START + LEASE_MS + 2);
    expect(await queue.lease('three', START + 99_999, 10)).toEqual([]);
    expect(await leasedOne('three', START + 100_000)).toMatchObject({ id: delivery.id, attempts: 1 });
  });

  test('are taken away by one who lost the lease and delivered, but who gets no further one', async () => {
    const { queue, service, leasedOne } = await open();
    await service.createIncident({ name: 'J' });
    const delivery = await leasedOne('one', START);
    await leasedOne('two', START + LEASE_MS);
    expect(await queue.settle('one', delivery, { kind: 'delivered' }, START + LEASE_MS)).toBeNull();
    expect(await queue.count()).toEqual({ waiting: 1, givenUp: 0 });
    expect(await queue.lease('one', START + LEASE_MS, 10)).toEqual([]);
  });

  test('go on with the next one to the same subscriber', async () => {
    const { queue, service, leasedOne } = await open();
    await service.createIncident({ name: 'J' });
    const first = await leasedOne('one', START);
    const second = await queue.settle('one', first, { kind: 'delivered' }, START + 1);
    expect(second?.subscriberId).toBe(first.subscriberId);
    expect(second?.id).not.toBe(first.id);
    expect(await queue.settle('one', second!, { kind: 'delivered' }, START + 2)).toBeNull();
    expect(await queue.count()).toEqual({ waiting: 0, givenUp: 0 });
  });

  test('that were given up are kept and not given out', async () => {
    const { queue, leasedOne } = await open();
    const delivery = await leasedOne('one', START);
    await queue.settle('one', delivery, { kind: 'failed', nextAt: null }, START);
    expect(await queue.count()).toEqual({ waiting: 0, givenUp: 1 });
    expect(await queue.lease('one', START + 1e12, 10)).toEqual([]);
  });

  test('go back with all that an owner holds', async () => {
    const { queue, leasedOne } = await open();
    await leasedOne('one', START);
    await queue.release('one');
    expect(await queue.lease('two', START + 1, 10)).toHaveLength(1);
  });
});
