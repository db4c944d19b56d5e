import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import { type ServerWork, serverWork, workSince } from '../support/server-work.ts';
import { submissionText } from './contracts.ts';
import { type LoadCount, type LoadOrder, type LoadRequest, sendLoad } from './load.ts';

/** Requests of each area's clients; jobs are for a chain that a node answers for. */
export function requestsByArea(chain: string): Readonly<Record<string, readonly LoadRequest[]>> {
  return {
    status: [{ method: 'GET', path: '/api/v2/summary.json' }],
    mirror: [
      { method: 'GET', path: '/api/v1/transactions' },
      { method: 'GET', path: '/api/v1/transactions?account.id=0.0.1001&limit=10' },
      {
        method: 'POST',
        path: '/api/v1/network/fees/estimate',
        body: JSON.stringify({ transaction: aTransfer(1).toString('base64') }),
      },
    ],
    verify: [{ method: 'POST', path: `/v2/verify/${chain}/{address}`, body: submissionText('number {n}') }],
  };
}

/** Answers of use. */
export interface Rates {
  /** In a second. */
  readonly perSecond: number;
  /** For a second of processor time of the server and its database. */
  readonly perWorkSecond: number;
}

/** A load and what the server did meanwhile. */
export interface Measured extends Rates {
  readonly load: LoadCount;
  readonly work: ServerWork;
}

export interface MeasuredServer {
  readonly url: string;
  readonly pid: number | undefined;
  readonly databaseUrl: string;
}

/** A load without its requests. */
export type Pace = Pick<LoadOrder, 'connections' | 'seconds' | 'perSecond' | 'pipeline'>;

/** Sends loads to one area and counts the answers that help their clients. */
export class UsefulAnswers {
  readonly #server: MeasuredServer;
  readonly #area: string;
  readonly #requests: readonly LoadRequest[];
  readonly #first: () => number;

  /** @param first number of the next request, which no load sent yet, so that addresses differ. */
  constructor(server: MeasuredServer, area: string, requests: readonly LoadRequest[], first: () => number) {
    this.#server = server;
    this.#area = area;
    this.#requests = requests;
    this.#first = first;
  }

  async measure(pace: Pace): Promise<Measured> {
    const { url, pid, databaseUrl } = this.#server;
    const look = () => serverWork(pid, databaseUrl);
    const [ended, before] = [await this.#endedJobs(), look()];
    const load = await sendLoad({ url, requests: this.#requests, first: this.#first(), ...pace });
    const work = workSince(before, look());
    const { 200: read = 0, 202: accepted = 0 } = load.statuses;
    // Work that was done, not only taken on: verifications count when they have ended.
    const useful = this.#area === 'verify' ? (await this.#endedJobs()) - ended : read + accepted;
    return { load, work, perSecond: useful / load.seconds, perWorkSecond: useful / work.ran };
  }

  async #endedJobs(): Promise<number> {
    if (this.#area !== 'verify') return 0;
    const metrics = await (await fetch(`${this.#server.url}/metrics`)).text();
    return [...metrics.matchAll(/^ledgerlens_verify_jobs_finished_total\{[^}]*\} (\d+)/gm)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  }
}
