import { randomUUID } from 'node:crypto';
import { openStore } from '../../store/open-store.ts';
import type { Clock } from '../../values/clock.ts';
import type { UnfinishedJob, VerifyStore } from '../../verify/index.ts';
import type { Invocation } from '../command.ts';
import { SILENT } from '../logger.ts';
import { printFacts, renderTable } from '../print-facts.ts';
import { type Action, readAction } from '../read-words.ts';
import { readServerConfig } from '../server-config.ts';

type Jobs = VerifyStore['jobs'];

interface Queue<Actions = Jobs> {
  readonly jobs: Actions;
  /** Of the database. */
  readonly clock: Clock;
}

const ACTIONS: Readonly<Record<string, Action<Queue>>> = {
  async list({ jobs }, _words, values) {
    const found = await jobs.unfinished();
    printFacts(values, found.map(describe), () => renderTable([HEADS, ...found.map(rowOf)]));
    return 0;
  },
  cancel: cancelAll,
  purge: (queue, _words, { client }) => purge(queue, client),
};

/**
 * `ledgerlens jobs ACTION`: the queue of verifications, on the database itself.
 *
 * A server that runs a job that is cancelled stops it within its lease.
 */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [name = 'list', ...words] = positionals;
  const action = readAction(ACTIONS, 'jobs', name);
  const config = readServerConfig(env);
  const store = await openStore(config, { log: SILENT });
  try {
    return await action({ jobs: store.verify.jobs, clock: store.clock }, words, values);
  } finally {
    await store.close();
  }
}

/** Cancels what waits, of one client or all of it. */
export async function purge(
  { clock, jobs }: Queue<Pick<Jobs, 'cancel' | 'unfinished'>>,
  client?: Invocation['values'][string],
): Promise<number> {
  let cancelled = 0;
  // From the last one, since those behind a job that is cancelled close up.
  for (const job of (await jobs.unfinished()).toReversed()) {
    if (job.state !== 'waiting' || (client !== undefined && job.client !== client)) continue;
    // A server may have claimed it since.
    const { kind } = await jobs.cancel(job.id, endNow(clock), { unlessRuns: true });
    if (kind === 'cancelled') cancelled += 1;
  }
  console.log(`${cancelled} cancelled`);
  return 0;
}

async function cancelAll({ clock, jobs }: Queue, ids: readonly string[]): Promise<number> {
  let missed = 0;
  for (const id of ids) {
    const { kind } = await jobs.cancel(id, endNow(clock));
    if (kind === 'cancelled') continue;
    missed += 1;
    console.error(kind === 'unknown' ? `There is no job ${id}` : `Job ${id} has already finished`);
  }
  console.log(`${ids.length - missed} cancelled`);
  return missed === 0 ? 0 : 1;
}

function endNow(clock: Clock) {
  return { now: clock.now(), errorId: randomUUID() };
}

const HEADS = ['job', 'state', 'submitted', 'chain', 'address', 'client', 'bytes'];

function describe({ startedAt, ...job }: UnfinishedJob) {
  return { ...job, submitted: new Date(startedAt).toISOString() };
}

function rowOf({ address, bytes, chainId, client, id, startedAt, state }: UnfinishedJob): readonly string[] {
  return [id, state, new Date(startedAt).toISOString(), chainId, address, client ?? '-', String(bytes)];
}
