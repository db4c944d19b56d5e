import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { listen } from '../http/edge/listeners.ts';
import { aTransfer } from '../mirror/fees/sample-transfer.ts';
import { writeIntoFolder } from '../mirror/ingest/stream-writer/folder-writer.ts';
import { writeStream } from '../mirror/ingest/stream-writer/write-stream.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import { createStatusToken } from '../status/index.ts';
import { parseExact, stringifyExact } from './exact-json.ts';

interface DemoContract {
  readonly address: string;
  readonly submission: Readonly<Record<string, unknown>>;
  readonly creationBytecode: string;
  readonly runtimeBytecode: string;
}

const CHAIN = '1337';
const SHOWN_CHARACTERS = 1200;
const LONGEST_JOB_MINUTES = 3;

/** `ledgerlens demo`: the tour of all three areas on data that it makes itself; leaves nothing behind. */
export async function execute(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-demo-'));
  const contract = readContract();
  const { address, creationBytecode, runtimeBytecode } = contract;
  const token = createStatusToken('demo', 'write', randomBytes);
  const config = readConfig({
    STATUS_TOKENS: token.line,
    DATABASE_URL: `sqlite:${join(folder, 'demo.sqlite')}`,
    VERIFY_CHAINS: JSON.stringify({
      [CHAIN]: { name: 'demo', static: { [address]: { creationBytecode, runtimeBytecode } } },
    }),
  });
  const services = await createServices(config, systemDependencies(pino({ level: 'silent' })));
  const app = await buildApp(services);
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0] });
  await services.start(app);
  try {
    const ask = createAsk(`http://127.0.0.1:${listeners.ports[0]}`);
    await showMirror(services, ask, join(folder, 'streams'));
    await showVerification(ask, contract);
    await showStatus(ask, token.text);
    say('That is all of it', 'The three APIs came from one process and one database file.');
    return 0;
  } finally {
    await listeners.close();
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>;

async function showMirror(services: Services, ask: Ask, folder: string): Promise<void> {
  say(
    'Mirror: a ledger from signed streams',
    'Four nodes sign the record files that this demo writes. The importer checks the signatures against the\n' +
      'address book, recomputes every hash and the chain between the files, then stores each file in one commit.',
  );
  const written = await writeStream(writeIntoFolder(folder), {
    seed: 'demo',
    files: 5,
    transactionsPerFile: 60,
    mix: 'everything',
  });
  console.log(
    `$ ledgerlens import streams    (${written.files} files, ${written.transactions} transactions)`,
  );
  const [report] = await services.imports.run([folder]);
  console.log(
    `imported ${report?.units} units with ${report?.transactions} transactions, verified: ${report?.verification}\n`,
  );
  await ask('GET', '/api/v1/transactions?limit=1&transactiontype=CRYPTOTRANSFER&result=success');
  await ask('GET', '/api/v1/network/nodes?limit=1');
  await ask('GET', '/api/v1/network/exchangerate');
  await showHoldings(ask);
  await showContracts(ask);
  say('Fees: what would this transfer cost?', 'The body is a protobuf transaction; amounts are tinycents.');
  await ask('POST', '/api/v1/network/fees?mode=state', aTransfer(0));
}

/** A token, one of its NFTs, what the holder has, and the messages of a topic: whichever this ledger has. */
async function showHoldings(ask: Ask): Promise<void> {
  say('Mirror: what a wallet shows', 'Tokens, NFTs, balances and messages, from the same import.');
  const { tokens } = (await ask('GET', '/api/v1/tokens?type=NON_FUNGIBLE_UNIQUE&limit=1')) as {
    tokens: readonly [{ token_id: string }];
  };
  const { nfts } = (await ask(
    'GET',
    `/api/v1/tokens/${tokens[0].token_id}/nfts?limit=1&account.id=gt:0`,
  )) as {
    nfts: readonly [{ account_id: string }];
  };
  const holder = nfts[0].account_id;
  await ask('GET', `/api/v1/accounts/${holder}?transactions=false`);
  await ask('GET', `/api/v1/accounts/${holder}/tokens?limit=2`);
  const { transactions } = (await ask(
    'GET',
    '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1',
  )) as { transactions: readonly [{ entity_id: string }] };
  await ask('GET', `/api/v1/topics/${transactions[0].entity_id}/messages?limit=1`);
}

/** What a relay and an explorer ask of a call: its result with its logs, what it called in turn. */
async function showContracts(ask: Ask): Promise<void> {
  say('Mirror: what contracts did', 'Results, logs and traces, from records and their sidecars.');
  const { results } = (await ask('GET', '/api/v1/contracts/results?limit=25')) as {
    results: readonly { gas_consumed: bigint | number | null; hash: string }[];
  };
  const traced = results.find(({ gas_consumed }) => gas_consumed !== null);
  if (traced === undefined) throw new Error('The ledger of the demo has no traced call');
  await ask('GET', `/api/v1/contracts/results/${traced.hash}`);
  await ask('GET', `/api/v1/contracts/results/${traced.hash}/actions?limit=1`);
}

async function showVerification(ask: Ask, { address, submission }: DemoContract): Promise<void> {
  say(
    'Verify: is this the source of the deployed code?',
    'The submission is in the database before it is answered; the compiler runs in a worker.',
  );
  const { verificationId } = (await ask('POST', `/v2/verify/${CHAIN}/${address}`, submission)) as {
    verificationId: string;
  };
  await waitForJob(ask, verificationId);
  await ask('GET', `/v2/contract/${CHAIN}/${address}?fields=abi`);
}

async function waitForJob(ask: Ask, id: string): Promise<void> {
  // The answer waits for the job, but no longer than a minute; a busy machine gets a few more.
  for (let attempt = 0; attempt < LONGEST_JOB_MINUTES; attempt += 1) {
    const path = `/v2/verify/${id}?wait=60`;
    const { isJobCompleted } = (await ask('GET', path)) as { isJobCompleted: boolean };
    if (isJobCompleted) return;
  }
  throw new Error(`The verification ${id} has not ended`);
}

async function showStatus(ask: Ask, token: string): Promise<void> {
  say(
    'Status: a component fails and recovers',
    'An operator opens and resolves an incident with a token; the summary, which needs none, follows at once.',
  );
  const authorization = { authorization: `OAuth ${token}` };
  const manage = (method: string, path: string, body: unknown) =>
    ask(method, `/v1/pages${path}`, body, authorization) as Promise<{ id: string }>;
  const [page] = (await ask('GET', '/v1/pages', undefined, authorization)) as [{ id: string }];
  const component = await manage('POST', `/${page.id}/components`, {
    component: { name: 'Demo network | Network Uptime' },
  });
  const incident = await manage('POST', `/${page.id}/incidents`, {
    incident: {
      name: 'Blocks are late',
      body: 'New blocks take longer than usual.',
      components: { [component.id]: 'partial_outage' },
    },
  });
  await askOverall(ask);
  await manage('PATCH', `/${page.id}/incidents/${incident.id}`, {
    incident: {
      status: 'resolved',
      body: 'Blocks are on time again.',
      components: { [component.id]: 'operational' },
    },
  });
  await askOverall(ask);
}

async function askOverall(ask: Ask): Promise<void> {
  await ask('GET', '/api/v2/status.json');
  await ask('GET', '/api/v2/incidents/unresolved.json');
}

/** Sends a request and prints it with its answer; a Buffer goes as protobuf, anything else as JSON. */
function createAsk(baseUrl: string): Ask {
  return async (method, path, body, headers) => {
    const isBinary = Buffer.isBuffer(body);
    const shown = body === undefined ? '' : isBinary ? `  (${body.length} bytes of protobuf)` : '  (JSON)';
    console.log(`${method} ${path}${shown}`);
    const answer = await fetch(baseUrl + path, {
      method,
      ...(body === undefined
        ? { headers: { ...headers } }
        : {
            headers: { ...headers, 'content-type': isBinary ? 'application/protobuf' : 'application/json' },
            body: isBinary ? new Uint8Array(body) : JSON.stringify(body),
          }),
    });
    const value = parseExact(await answer.text());
    const text = stringifyExact(value, 2);
    console.log(
      `${answer.status} ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}\n  …` : text}\n`,
    );
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
    return value;
  };
}

function readContract(): DemoContract {
  return JSON.parse(readFileSync(new URL('./demo-contract.json', import.meta.url), 'utf8')) as DemoContract;
}

function say(title: string, text: string): void {
  console.log(`\n=== ${title}\n${text}\n`);
}
