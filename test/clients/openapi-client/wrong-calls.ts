import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

/** Mistakes that the types find: each marked line would compile if the documents said less. */
export async function mistakes(): Promise<unknown[]> {
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' });
  const path = { chainId: '1', address: '0x00' };
  // @ts-expect-error There is no such path.
  const unknown = await client.GET('/api/v1/transaction');
  // @ts-expect-error The order has two values.
  const order = await client.GET('/api/v1/transactions', { params: { query: { order: 'up' } } });
  const body = { compilerVersion: '0.8.30' };
  // @ts-expect-error Members of the submission are missing.
  const half = await client.POST('/v2/verify/{chainId}/{address}', { params: { path }, body });
  const list = await client.GET('/api/v1/transactions');
  // @ts-expect-error A time is a text.
  const time: number | undefined = list.data?.transactions[0]?.consensus_timestamp;
  const job = await client.GET('/v2/verify/{verificationId}', { params: { path: { verificationId: '' } } });
  // @ts-expect-error The error of a job that has none is not there.
  const code: string | undefined = job.data?.error.customCode;
  return [unknown, order, half, time, code];
}
