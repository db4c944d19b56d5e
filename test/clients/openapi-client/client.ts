import createClient, { type FetchResponse } from 'openapi-fetch';
import type { operations, paths } from './schema.js';

type Submission = operations['submitVerification']['requestBody']['content']['application/json'];
type ListPage = FetchResponse<operations['listTransactions'], object, 'application/json'>;
type ListQuery = NonNullable<operations['listTransactions']['parameters']['query']>;

/** What a program learns from all three areas with types alone; its answers are checked by openapi-client.test.ts. */
interface Learned {
  readonly match: string | null;
  readonly jobError: string | null;
  readonly pageStatus: string;
  readonly components: readonly string[];
  readonly times: readonly string[];
  readonly largestAmount: string;
  readonly fee: number;
  readonly refusals: readonly string[];
}

async function learn(baseUrl: string, address: string, submission: Submission): Promise<Learned> {
  const client = createClient<paths>({ baseUrl });
  const path = { chainId: '31338', address };

  const submitted = await client.POST('/v2/verify/{chainId}/{address}', {
    params: { path },
    body: submission,
  });
  if (submitted.data === undefined) throw new Error(submitted.error.message);
  const job = await client.GET('/v2/verify/{verificationId}', {
    params: { path: submitted.data, query: { wait: 60 } },
  });
  if (job.data === undefined) throw new Error(job.error.message);
  const contract = await client.GET('/v2/contract/{chainId}/{address}', {
    params: { path, query: { fields: 'abi,compilation' } },
  });

  const summary = await client.GET('/api/v2/summary.json');
  if (summary.data === undefined) throw new Error('the status page does not answer');

  const times: string[] = [];
  let query: ListQuery | null = { limit: 1 };
  while (query !== null) {
    const page: ListPage = await client.GET('/api/v1/transactions', { params: { query } });
    if (page.data === undefined) throw new Error('the list does not answer');
    times.push(...page.data.transactions.map((each) => each.consensus_timestamp));
    const next: string | null = page.data.links.next;
    query = next === null ? null : Object.fromEntries(new URL(next, baseUrl).searchParams);
  }

  // JSON.parse rounds integers above 2^53: whoever needs them exact reads the text.
  const exact = await client.GET('/api/v1/transactions', { parseAs: 'text' });
  const numbers = [...(exact.data ?? '').matchAll(/"amount":(-?\d+)/g)];
  const amounts = numbers.map(([, digits = '0']) => BigInt(digits));
  const largestAmount = amounts.reduce((most, each) => (each > most ? each : most), 0n).toString();

  const fee = await client.POST('/api/v1/network/fees', {
    body: EMPTY_TRANSFER as never,
    bodySerializer: () => EMPTY_TRANSFER,
    headers: { 'content-type': 'application/protobuf' },
  });
  if (fee.data === undefined) throw new Error(fee.error._status.messages[0]?.message);

  const unknown = await client.GET('/v2/contract/{chainId}/{address}', {
    params: { path: { chainId: '31338', address: `0x${'00'.repeat(20)}` } },
  });
  const malformed = await client.GET('/api/v1/transactions', { params: { query: { limit: 0 } } });
  return {
    match: contract.data?.match ?? null,
    jobError: job.data.error?.customCode ?? null,
    pageStatus: summary.data.status.indicator,
    components: summary.data.components.map(({ name }) => name),
    times,
    largestAmount,
    fee: fee.data.total,
    refusals: [`${unknown.response.status}`, malformed.error?._status.messages[0]?.message ?? ''],
  };
}

/** A Transaction with one empty CryptoTransfer: signedTransactionBytes { bodyBytes { cryptoTransfer {} } }. */
const EMPTY_TRANSFER = Uint8Array.of(0x2a, 0x04, 0x0a, 0x02, 0x72, 0x00);

const [baseUrl = '', address = '', submission = ''] = process.argv.slice(2);
console.log(JSON.stringify(await learn(baseUrl, address, JSON.parse(submission) as Submission)));
