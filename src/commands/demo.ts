import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type WrittenCall, writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { type Listeners, listen } from '../http/edge/listeners.ts';
import { takePorts } from '../http/edge/take-ports.ts';
import { aTransfer } from '../mirror/fees/sample-transfer.ts';
import { longZeroOf } from '../mirror/vocabulary/long-zero-address.ts';
import { ownFile } from '../own-files.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import { createStatusToken } from '../status/index.ts';
import { systemClock } from '../values/clock.ts';
import { consensusTimestamp } from '../values/consensus-timestamp.ts';
import { entityId } from '../values/entity-id.ts';
import { parseHex, toHex } from '../values/hex.ts';
import type { Invocation } from './command.ts';
import { parseExact } from './exact-json.ts';
import { renderTable } from './print-facts.ts';
import { stopOnSignal } from './stop-on-signal.ts';

interface DemoContract {
  readonly address: string;
  readonly submission: Readonly<Record<string, unknown>>;
  readonly creationBytecode: string;
  readonly runtimeBytecode: string;
  readonly call: Readonly<Record<'input' | 'topic' | 'data' | 'slot' | 'before' | 'after', string>>;
}

/** Something that the demo asks: how requests and answers read, and the page that shows the same. */
interface Question {
  readonly request: string;
  readonly answer: string;
  readonly page?: readonly [name: string, path: string];
}

interface Section {
  readonly title: string;
  readonly questions: readonly Question[];
}

type Json = Readonly<Record<string, unknown>>;
/** Sends a request to the server; a Buffer goes as protobuf, anything else as JSON. */
type Ask = <T = Json>(
  request: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<T>;

const CHAIN = '298';
const SECOND_CONTRACT = 4002n;
const STREAM = { files: 10, transactionsPerFile: 60 };
const SECONDS_PER_FILE = 2;
const MAX_JOB_MINUTES = 3;
const HOUR_MS = 3_600_000;

/** `ledgerlens demo [--serve]`: one server with generated data, asked about everything or left to browsers. */
export async function execute({ env, values }: Invocation): Promise<number> {
  const isServing = values['serve'] === true;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-demo-'));
  const token = createStatusToken('demo', 'write', randomBytes);
  const given = readConfig({
    ...(isServing ? { HOST: env['HOST'], PORT: env['PORT'] } : { PORT: '0' }),
    DATABASE_URL: `sqlite:${join(folder, 'demo.sqlite')}`,
    MIRROR_CHAIN_ID: CHAIN,
    MIRROR_DIALECT: 'hiero',
    STATUS_PAGE_NAME: 'Ledgerlens demo',
    STATUS_TOKENS: token.line,
    VERIFY_CHAINS: JSON.stringify({ [CHAIN]: { name: 'demo', title: 'Demo ledger', ledger: true } }),
  });
  const taken = await takePorts(given.http.host, given.http.ports);
  const config: Config = { ...given, http: { ...given.http, ports: taken.numbers } };
  const services = await createServices(config, systemDependencies(pino({ level: 'silent' })));
  const listeners: Listeners[] = [];
  // A signal ends the process as soon as this is done.
  const close = async (): Promise<void> => {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const { stopped, uninstall } = stopOnSignal(
    config,
    { log: services.log, beginDraining: () => services.beginDraining(), close },
    listeners,
  );
  try {
    const app = await buildApp(services);
    const { host, ports } = config.http;
    listeners.push(await listen(app, { host, ports, taken }));
    await services.start(app);
    const url = services.site.publicUrl;
    console.log(`Ledgerlens demo at ${url}: imports a generated ledger, then verifies contracts\n`);
    const ask = askAt(url);
    const sections = [
      await showMirror(services, ask, join(folder, 'streams')),
      await showVerification(ask),
      await showStatus(ask, token.text, isServing),
    ];
    console.log(isServing ? linksOf(url, sections) : sections.map(printed).join('\n\n'));
    if (isServing) return await stopped;
  } catch (error) {
    if (services.drain.isDraining) return await stopped;
    throw error;
  } finally {
    uninstall();
    await Promise.all(listeners.map((each) => each.close()));
    await close();
  }
  return 0;
}

function printed({ questions, title }: Section): string {
  return [title, ...questions.flatMap(({ answer, request }) => [`  ${request}`, `    ${answer}`])].join('\n');
}

function linksOf(url: string, sections: readonly Section[]): string {
  const pages = sections.flatMap(({ questions }) => questions.flatMap(({ page }) => (page ? [page] : [])));
  const all = [
    ['Start page', '/'],
    ['Status page', '/status'],
    ...pages,
    ['API documentation', '/docs'],
    ['Metrics', '/metrics'],
  ];
  return `${renderTable(all.map(([name = '', path]) => [name, url + path]))}\n\nPress Ctrl-C to stop the server and delete its data.`;
}

async function showMirror(services: Services, ask: Ask, folder: string): Promise<Section> {
  const { address, call, creationBytecode, runtimeBytecode } = readContract();
  const creationCode = bytes(creationBytecode);
  const runtimeCode = bytes(runtimeBytecode);
  const lengthMs = STREAM.files * SECONDS_PER_FILE * 1000;
  const { files } = await writeStream(writeIntoFolder(folder), {
    ...STREAM,
    seed: 'demo',
    mix: 'everything',
    start: consensusTimestamp(BigInt(systemClock.now() - lengthMs) * 1_000_000n),
    contracts: [
      { by: 'body', creationCode, runtimeCode, evmAddress: bytes(address), calls: [givenCall(call)] },
      { by: 'body', creationCode, runtimeCode },
    ],
  });
  const [report] = await services.imports.run([folder]);
  return {
    title: 'Mirror: what happened on the ledger?',
    questions: [
      {
        request: `import of ${files} record files, signed by four nodes`,
        answer: `${report?.transactions} transactions in ${report?.units} blocks, verified by ${report?.verification}`,
        page: ['Transactions', '/ledger'],
      },
      await askTransfer(ask),
      await askRate(ask),
      ...(await askHoldings(ask)),
      await askTopic(ask),
      await askCall(ask, address),
      await askFee(ask),
    ],
  };
}

/** The row of a list of one. @param name the member with the rows */
async function onlyRow(ask: Ask, name: string, request: string): Promise<Json> {
  const { [name]: rows = [] } = await ask<Record<string, readonly Json[]>>(request);
  const [row] = rows;
  if (row === undefined) throw new Error(`${request} has no row`);
  return row;
}

async function askTransfer(ask: Ask): Promise<Question> {
  const request = 'GET /api/v1/transactions?transactiontype=CRYPTOTRANSFER&result=success&limit=1';
  const { charged_tx_fee: fee, node, transaction_id: id } = await onlyRow(ask, 'transactions', request);
  return {
    request,
    answer: `${id}, fee of ${fee} tinybars, submitted to node ${node}`,
    page: ['Transaction', `/ledger/transactions/${id}`],
  };
}

async function askRate(ask: Ask): Promise<Question> {
  const request = 'GET /api/v1/network/exchangerate';
  const { current_rate: rate } = await ask<{ readonly current_rate: Json }>(request);
  return {
    request,
    answer: `${rate['hbar_equivalent']} ℏ = ${rate['cent_equivalent']} cents`,
    page: ['Network', '/ledger/network'],
  };
}

/** Tokens of both types, and what the holder of an NFT has. */
async function askHoldings(ask: Ask): Promise<readonly Question[]> {
  const askToken = async (type: string) => {
    const request = `GET /api/v1/tokens?type=${type}&limit=1`;
    const { name, token_id: id } = await onlyRow(ask, 'tokens', request);
    const page = [`Token ${name}`, `/ledger/tokens/${id}`] as const;
    return { id, question: { request, answer: `${id} "${name}"`, page } };
  };
  const fungible = await askToken('FUNGIBLE_COMMON');
  const { id: token, question: collection } = await askToken('NON_FUNGIBLE_UNIQUE');
  const ofToken = `GET /api/v1/tokens/${token}/nfts?limit=1&account.id=gt:0`;
  const { account_id: holder, serial_number: serial } = await onlyRow(ask, 'nfts', ofToken);
  const ofAccount = `GET /api/v1/accounts/${holder}?transactions=false`;
  const { balance } = await ask<{
    readonly balance: { balance: number | bigint; tokens: readonly unknown[] };
  }>(ofAccount);
  return [
    fungible.question,
    collection,
    { request: ofToken, answer: `NFT ${serial} belongs to ${holder}` },
    {
      request: ofAccount,
      answer: `${holder} has ${balance.balance} tinybars and ${balance.tokens.length} tokens`,
      page: ['Account', `/ledger/accounts/${holder}`],
    },
  ];
}

async function askTopic(ask: Ask): Promise<Question> {
  const submitted = 'GET /api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1';
  const { entity_id: topic } = await onlyRow(ask, 'transactions', submitted);
  const request = `GET /api/v1/topics/${topic}/messages?order=desc&limit=1`;
  const {
    message,
    payer_account_id: payer,
    sequence_number: number,
  } = await onlyRow(ask, 'messages', request);
  return {
    request,
    answer: `message ${number}, ${Buffer.from(String(message), 'base64').length} bytes from ${payer}`,
    page: ['Topic', `/ledger/topics/${topic}`],
  };
}

function givenCall({ after, before, data, input, slot, topic }: DemoContract['call']): WrittenCall {
  return {
    input: bytes(input),
    logs: (sender) => [{ topics: [bytes(topic), sender], data: bytes(data) }],
    storage: [{ slot: bytes(slot), before: bytes(before), after: bytes(after) }],
  };
}

async function askCall(ask: Ask, address: string): Promise<Question> {
  const results = `GET /api/v1/contracts/${address}/results?limit=1`;
  const call = await onlyRow(ask, 'results', results);
  const { contract_id: contract, gas_consumed: gas, hash, timestamp } = call;
  const request = `GET /api/v1/contracts/results/${hash}/actions`;
  const { actions } = await ask<{
    readonly actions: readonly { caller: string; call_operation_type: string }[];
  }>(request);
  return {
    request,
    answer: `${actions.length} ${actions[0]?.call_operation_type} from ${actions[0]?.caller} to ${contract}, ${gas} gas consumed`,
    page: ['Contract call', `/ledger/transactions/${timestamp}`],
  };
}

async function askFee(ask: Ask): Promise<Question> {
  const request = 'POST /api/v1/network/fees?mode=STATE&include=money';
  type Estimate = Readonly<{ money: Json; total: number }>;
  const { money, total } = await ask<Estimate>(request, aTransfer(0));
  return {
    request: `${request}  (a transfer as protobuf)`,
    answer: `${total} tinycents: ${money['usd']} USD, ${money['tinybars']} tinybars`,
    page: ['Fee estimate', '/ledger/fees'],
  };
}

async function showVerification(ask: Ask): Promise<Section> {
  const { address, submission } = readContract();
  const second = toHex(longZeroOf(entityId(SECOND_CONTRACT)));
  const verify = async (path: string, body: object): Promise<string> => {
    const { verificationId } = await ask<{ readonly verificationId: string }>(`POST ${path}`, body);
    const { contract } = await endOf(ask, verificationId);
    return `${contract.match} (creation code: ${contract.creationMatch}, runtime code: ${contract.runtimeMatch})`;
  };
  const [bySources, bySimilarity] = [
    `/v2/verify/${CHAIN}/${address}`,
    `/v2/verify/similarity/${CHAIN}/${second}`,
  ];
  const lookup = `GET /v2/contract/${CHAIN}/${address}?fields=abi`;
  return {
    title: 'Verify: is this the source of the deployed code?',
    questions: [
      {
        request: `POST ${bySources}  (sources)`,
        answer: await verify(bySources, submission),
        page: ['Verified contract', `/repo-ui/${CHAIN}/${address}`],
      },
      {
        request: `POST ${bySimilarity}  (no sources)`,
        answer: await verify(bySimilarity, {}),
        page: ['Contract verified by similarity', `/repo-ui/${CHAIN}/${second}`],
      },
      {
        request: lookup,
        answer: (await ask<{ readonly abi: readonly { name?: string; type: string }[] }>(lookup)).abi
          .map(({ name, type }) => (name === undefined ? type : `${type} ${name}`))
          .join(', '),
        page: ['Verified contracts', '/repo-ui'],
      },
    ],
  };
}

interface Job {
  readonly isJobCompleted: boolean;
  readonly contract: Readonly<Record<'match' | 'creationMatch' | 'runtimeMatch', string | null>>;
}

async function endOf(ask: Ask, id: string): Promise<Job> {
  // Each answer is held for up to a minute; a busy machine gets a few more.
  for (let attempt = 0; attempt < MAX_JOB_MINUTES; attempt += 1) {
    const job = await ask<Job>(`GET /v2/verify/${id}?wait=60`);
    if (job.isJobCompleted) return job;
  }
  throw new Error(`The verification ${id} did not finish`);
}

/** @param leavesOpen whether the incident stays open, for people to look at */
async function showStatus(ask: Ask, token: string, leavesOpen: boolean): Promise<Section> {
  const authorization = { authorization: `OAuth ${token}` };
  const manage = (request: string, body: object) =>
    ask<{ readonly id: string }>(request, body, authorization);
  const [page] = await ask<readonly [{ readonly id: string }]>('GET /v1/pages', undefined, authorization);
  const pages = `/v1/pages/${page.id}`;
  const component = await manage(`POST ${pages}/components`, { component: { name: 'Demo network' } });
  const incident = await manage(`POST ${pages}/incidents`, {
    incident: {
      name: 'Blocks are late',
      body: 'New blocks take longer than usual.',
      components: { [component.id]: 'partial_outage' },
    },
  });
  const overall = async (): Promise<string> => {
    const { status } = await ask<{ readonly status: { description: string } }>('GET /api/v2/status.json');
    return status.description;
  };
  const opened: Question = {
    request: `POST ${pages}/incidents  "Blocks are late"`,
    answer: await overall(),
    page: ['Incident', `/status/incidents/${incident.id}`],
  };
  const resolve = `PATCH ${pages}/incidents/${incident.id}`;
  const resolved = async (): Promise<Question> => {
    await manage(resolve, {
      incident: { status: 'resolved', components: { [component.id]: 'operational' } },
    });
    return { request: `${resolve}  resolved`, answer: await overall() };
  };
  const starts = systemClock.now() + 24 * HOUR_MS;
  const maintenance = await manage(`POST ${pages}/incidents`, {
    incident: {
      name: 'Network upgrade',
      body: 'Nodes restart one after the other.',
      scheduled_for: new Date(starts).toISOString(),
      scheduled_until: new Date(starts + 2 * HOUR_MS).toISOString(),
      component_ids: [component.id],
    },
  });
  const upcoming = 'GET /api/v2/scheduled-maintenances/upcoming.json';
  const { scheduled_maintenances: planned = [] } = await ask<Record<string, readonly Json[]>>(upcoming);
  return {
    title: 'Status: are all systems operational?',
    questions: [
      opened,
      ...(leavesOpen ? [] : [await resolved()]),
      {
        request: upcoming,
        answer: planned.map(({ name, scheduled_for }) => `${name}, ${scheduled_for}`).join(', '),
        page: ['Maintenance', `/status/incidents/${maintenance.id}`],
      },
    ],
  };
}

function askAt(url: string): Ask {
  return async <T>(request: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const isBinary = Buffer.isBuffer(body);
    const type = { 'content-type': isBinary ? 'application/protobuf' : 'application/json' };
    const answer = await fetch(url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, ...type },
      ...(body === undefined ? {} : { body: isBinary ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${request} answered ${answer.status}: ${text}`);
    return parseExact(text) as T;
  };
}

function readContract(): DemoContract {
  return JSON.parse(readFileSync(ownFile('commands/demo-contract.json'), 'utf8')) as DemoContract;
}

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? new Uint8Array();
}
