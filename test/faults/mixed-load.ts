import { setTimeout as pause } from 'node:timers/promises';
import { TOKEN } from '../attack/attacked-server.ts';
import { submissionText, submit } from '../attack/contracts.ts';

const SUBMITTERS = 2;
/** Every so many submissions need their compiler. */
const COMPILED_EVERY = 4;
const CONTRACTS = 4000;
/** For its rate, or for a full queue. */
const REFUSED_PAUSE_MS = 100;

/** What servers on one database acknowledged, over all their lives. */
export interface Acknowledged {
  readonly jobs: string[];
  /** The last change of the status page, and how many there were. */
  note: number;
  changes: number;
  reads: number;
  /** The next contract and the next note. */
  nextContract: number;
  nextNote: number;
}

/** What nobody has asked anything yet. */
export function nothingAcknowledged(): Acknowledged {
  return { jobs: [], note: 0, changes: 0, reads: 0, nextContract: 0, nextNote: 1 };
}

/** Calls the management API of the status page. @throws Error when it refuses. */
export async function manage<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const answer = await askManage(url, method, path, body);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** The same, whatever is answered. */
export function askManage(url: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}/v1/pages${path}`, {
    method,
    headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A load that goes on, whatever it is answered, until it is told to end. */
export interface MixedLoad {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Submits, writes the status page and reads the ledger, each as fast as it is answered but for `changePauseMs`. */
export function startLoad(
  url: string,
  component: string,
  seen: Acknowledged,
  { changePauseMs = 0 }: { readonly changePauseMs?: number } = {},
): MixedLoad {
  let isStopped = false;
  /** @param attempt says whether it was acknowledged. */
  const forever = async (attempt: () => Promise<boolean>) => {
    while (!isStopped) {
      // A kill ends what is under way.
      const isAcknowledged = await attempt().catch(() => false);
      if (!isAcknowledged) await pause(REFUSED_PAUSE_MS);
    }
  };
  const submitOne = async () => {
    const index = seen.nextContract++;
    const body = submissionText(index % COMPILED_EVERY === 0 ? `kill ${index}` : undefined);
    const { verificationId } = await submit(url, index % CONTRACTS, { body });
    if (verificationId !== null) seen.jobs.push(verificationId);
    return verificationId !== null;
  };
  const writeOne = async () => {
    const note = seen.nextNote++;
    const answer = await askManage(url, 'PATCH', component, { component: { description: `note ${note}` } });
    await answer.arrayBuffer();
    if (answer.ok) {
      seen.note = note;
      seen.changes += 1;
    }
    await pause(changePauseMs);
    return answer.ok;
  };
  const readOne = async () => {
    const answer = await fetch(`${url}/api/v1/transactions`);
    await answer.arrayBuffer();
    if (answer.ok) seen.reads += 1;
    return answer.ok;
  };
  const ends = [...Array.from({ length: SUBMITTERS }, () => submitOne), writeOne, readOne].map(forever);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(ends);
    },
  };
}
