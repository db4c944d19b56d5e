import { TOKEN } from '../attack/attacked-server.ts';
import { submissionText, submit } from '../attack/contracts.ts';

const SUBMITTERS = 2;
/** Every so many submissions need their compiler. */
const COMPILED_EVERY = 4;
const CONTRACTS = 4000;

/** What servers on one database acknowledged, over all their lives. */
export interface Acknowledged {
  readonly jobs: string[];
  /** The last change of the status page. */
  note: number;
  reads: number;
  /** The next contract and the next note. */
  nextContract: number;
  nextNote: number;
}

/** What nobody has asked anything yet. */
export function nothingAcknowledged(): Acknowledged {
  return { jobs: [], note: 0, reads: 0, nextContract: 0, nextNote: 1 };
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

/** Submits, writes the status page and reads the ledger until the server is gone. */
export async function loadUntilGone(url: string, component: string, seen: Acknowledged): Promise<void> {
  let isGone = false;
  const forever = async (once: () => Promise<void>) => {
    while (!isGone) {
      // The kill ends whatever is under way.
      await once().catch(() => {
        isGone = true;
      });
    }
  };
  const submitOne = async () => {
    const index = seen.nextContract++;
    const body = submissionText(index % COMPILED_EVERY === 0 ? `kill ${index}` : undefined);
    const { verificationId } = await submit(url, index % CONTRACTS, { body });
    if (verificationId !== null) seen.jobs.push(verificationId);
  };
  await Promise.all([
    ...Array.from({ length: SUBMITTERS }, () => forever(submitOne)),
    forever(async () => {
      const note = seen.nextNote++;
      await manage(url, 'PATCH', component, { component: { description: `note ${note}` } });
      seen.note = note;
    }),
    forever(async () => {
      await (await fetch(`${url}/api/v1/transactions`)).arrayBuffer();
      seen.reads += 1;
    }),
  ]);
}
