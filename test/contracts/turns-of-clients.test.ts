import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Hex } from '../../src/values/hex.ts';
import type { JobRepository } from '../../src/verify/jobs/queue/with-submissions.ts';
import { withSubmissions } from '../../src/verify/jobs/queue/with-submissions.ts';
import { ANY_JOB, aJob, aLease, anEnd, FAILED } from '../kit/verify/a-job.ts';
import { isLeftOut } from '../support/left-out.ts';
import { numbersFrom, seedOf } from '../support/seed.ts';
import { forEachBackend, NOT_SHARED } from './backends.ts';

const PLENTY = { jobs: 10_000, bytes: 1e9 };

/** A queue whose jobs are named by their client and a number. */
class Queue {
  readonly jobs: JobRepository;
  #serial = 0;

  constructor({ verify }: Store) {
    this.jobs = withSubmissions(verify.jobs);
  }

  /** @returns the id of the job. */
  async submit(client: string, chainId = '1'): Promise<string> {
    this.#serial += 1;
    const id = `${client}${this.#serial}`;
    const address: Hex = `0x${String(this.#serial).padStart(40, '0')}`;
    const job = aJob(address, { client, chainId, id, startedAt: this.#serial });
    expect(await this.jobs.insert(job, PLENTY)).toBe('inserted');
    return id;
  }

  async submitAll(clients: string, chainId?: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const client of clients) ids.push(await this.submit(client, chainId));
    return ids;
  }

  /** @returns the client of the job that was next. */
  async claim(exceptChains: readonly string[] = []): Promise<string> {
    return (await this.take(exceptChains)).slice(0, 1);
  }

  async take(exceptChains: readonly string[] = []): Promise<string> {
    return (await this.jobs.claim(aLease('here', 1000), { ...ANY_JOB, exceptChains }))?.id ?? '';
  }

  /** Runs what is next and lets some clients submit again as soon as their job has ended. */
  async run(count: number, again: string, exceptChains: readonly string[] = []): Promise<string> {
    let ran = '';
    for (let each = 0; each < count; each++) {
      const id = await this.take(exceptChains);
      if (id === '') break;
      ran += id.slice(0, 1);
      await this.jobs.complete(id, 'here', FAILED, anEnd(1000));
      if (again.includes(id.slice(0, 1))) await this.submit(id.slice(0, 1));
    }
    return ran;
  }
}

forEachBackend('turns of clients', (begin, { isShared }) => {
  const open = async () => new Queue(await begin().open());

  test('each has one after the other, and the places say so', async () => {
    const queue = await open();
    await queue.submitAll('aaaaaa');
    expect([await queue.claim(), await queue.claim()]).toEqual(['a', 'a']);
    const [first = ''] = await queue.submitAll('bbb');
    const listed = await queue.jobs.unfinished();
    expect(listed.map(({ client, state }) => `${client} ${state}`)).toEqual(
      ['a running', 'a running', ...[...'abababa'].map((client) => `${client} waiting`)].filter(
        (_, index) => index < 9,
      ),
    );
    expect((await queue.jobs.find(first))?.queuePosition).toBe(2);
    expect(await queue.run(3, '')).toBe('aba');
    await queue.submit('c');
    expect(await queue.run(9, '')).toBe('babca');
  });

  test('a client with several jobs has its turn beside those that submit again for ever', async () => {
    const queue = await open();
    await queue.submitAll('vvvbc');
    expect(await queue.run(12, 'bc')).toBe('vbcvbcvbcbcb');
  });

  test('a client that submits while its job runs gains nothing', async () => {
    const queue = await open();
    await queue.submitAll('vvvb');
    let ran = '';
    for (let each = 0; each < 7; each++) {
      const client = await queue.claim();
      ran += client;
      if (client === 'b') await queue.submit('b');
    }
    expect(ran).toBe('vbvbvbb');
  });

  test('a job of a chain that is passed over holds nobody up', async () => {
    const queue = await open();
    await queue.submit('s', '9');
    await queue.submitAll('vvvb');
    expect(await queue.run(9, 'b', ['9'])).toBe('vbvbvbbbb');
  });

  test('jobs of a chain that was passed over for long have saved up one turn at most', async () => {
    const queue = await open();
    await queue.submitAll('ssss', '9');
    await queue.submitAll('vvvvvvvv');
    expect(await queue.run(4, '', ['9'])).toBe('vvvv');
    // One of its own and, as the older one, the next of both.
    expect(await queue.run(8, '')).toBe('ssvsvsvv');
  });

  test('the first job of a new client starts after one job of a client with a thousand', async () => {
    const queue = await open();
    for (let each = 0; each < 1000; each++) await queue.submit('a');
    expect(await queue.run(3, '')).toBe('aaa');
    await queue.submit('n');
    expect(await queue.run(3, '')).toBe('ana');
  });

  test('a suspect of a client costs it no turn but its own', async () => {
    const queue = await open();
    await queue.submitAll('vvbb');
    const id = await queue.take();
    expect(await queue.run(1, '')).toBe('b');
    await queue.jobs.takeBack((owner) => owner === 'here', 1000);
    expect(await queue.take()).toBe(id);
    expect(await queue.run(2, '')).toBe('vb');
  });

  test('cancelled jobs leave no gap before the others of their client', async () => {
    const queue = await open();
    const mine = await queue.submitAll('vvvvvvvv');
    await queue.submit('b');
    for (const id of mine.slice(0, -2)) await queue.jobs.cancel(id, anEnd(1000));
    expect(await queue.run(4, 'b')).toBe('vbvb');
    // Nor do they move anybody to a later turn.
    for (const id of await queue.submitAll('cccccccc')) await queue.jobs.cancel(id, anEnd(1000));
    await queue.submitAll('dd');
    expect(await queue.run(4, 'b')).toBe('bddb');
  });

  test('jobs that are given back have their turn again', async () => {
    const queue = await open();
    await queue.submitAll('vvb');
    const id = await queue.take();
    await queue.jobs.release(id, 'here');
    await queue.submitAll('cc');
    expect(await queue.run(5, '')).toBe('vbvcc');
  });

  test.skipIf(isLeftOut(isShared ? null : NOT_SHARED))('are the same for all processes', async () => {
    const database = begin();
    const [one, two] = [new Queue(await database.open()), new Queue(await database.open())];
    const bursts = [one, two].map(({ jobs }, process) =>
      Promise.all(
        Array.from({ length: 20 }, (_, each) =>
          jobs.insert(
            aJob(addressOf(2 * each + process), { client: 'a', startedAt: 1, id: `a${each}/${process}` }),
            PLENTY,
          ),
        ),
      ),
    );
    await Promise.all(bursts);
    await one.jobs.claim(aLease('here', 1000), ANY_JOB);
    await two.jobs.insert(aJob(addressOf(99), { client: 'n', startedAt: 2, id: 'n' }), PLENTY);
    expect(await one.run(3, '')).toBe('ana');
  });

  test('in any sequence nobody is passed more than twice by each of the others', async () => {
    const random = numbersFrom(Number(seedOf('20261128')));
    const below = (limit: number) => Math.floor(random() * limit);
    for (let sequence = 0; sequence < 4; sequence++) {
      const queue = await open();
      const model = new Model();
      for (let step = 0; step < 150; step++) {
        const action = below(10);
        const client = 'abcde'.charAt(below(below(2) === 0 ? 5 : 1));
        const chainId = below(4) === 0 ? '9' : '1';
        const except = below(3) === 0 ? ['1'] : below(2) === 0 ? ['9'] : [];
        if (action < 4) {
          model.add(await queue.submit(client, chainId), chainId);
        } else if (action < 5) {
          const id = model.waiting[below(model.waiting.length)]?.id;
          if (id !== undefined) await queue.jobs.cancel(id, anEnd(1000));
          model.drop(id);
        } else {
          const id = await queue.take(except);
          model.claim(id, except);
          if (id !== '' && below(2) === 0) await queue.jobs.complete(id, 'here', FAILED, anEnd(1000));
        }
      }
      expect(model.claims).toBeGreaterThan(30);
    }
  });
});

function addressOf(number: number): Hex {
  return `0x${String(number).padStart(40, '0')}`;
}

/** Who waits, and how often each was passed by each other one while the first of its jobs could have been taken. */
class Model {
  waiting: { readonly id: string; readonly chainId: string }[] = [];
  claims = 0;
  readonly #passes = new Map<string, number>();

  add(id: string, chainId: string): void {
    this.waiting.push({ id, chainId });
  }

  drop(id: string | undefined): void {
    this.waiting = this.waiting.filter((each) => each.id !== id);
  }

  claim(id: string, except: readonly string[]): void {
    const isFree = ({ chainId }: { readonly chainId: string }) => !except.includes(chainId);
    if (id === '') {
      expect(this.waiting.filter(isFree)).toEqual([]);
      return;
    }
    this.claims += 1;
    const taker = id.slice(0, 1);
    const own = this.waiting.filter((each) => each.id.startsWith(taker) && isFree(each));
    expect(id, 'each client has its oldest first').toBe(own[0]?.id);
    for (const client of new Set(this.waiting.map((each) => each.id.slice(0, 1)))) {
      const next = this.waiting.find((each) => each.id.startsWith(client));
      if (client === taker || next === undefined || !isFree(next)) continue;
      const passes = (this.#passes.get(`${client} by ${taker}`) ?? 0) + 1;
      expect(passes, `${client} by ${taker}`).toBeLessThanOrEqual(2);
      this.#passes.set(`${client} by ${taker}`, passes);
    }
    for (const key of this.#passes.keys()) if (key.startsWith(taker)) this.#passes.delete(key);
    this.drop(id);
  }
}
