import type { FastifyInstance } from 'fastify';
import { notImplementedError } from '../errors.ts';

const NO_EVM =
  'Running a contract needs an EVM with the system contracts of the network and the code and storage of every contract that is called, which this server does not have; ask a node of the network or a mirror that runs contracts.';

/** Requests that would run a contract are answered with 501. */
export function refuseCalls(app: FastifyInstance): void {
  const refuse = () => Promise.reject(notImplementedError(NO_EVM));
  app.get('/api/v1/contracts/results/:transactionIdOrHash/opcodes', { schema: { hide: true } }, refuse);
  app.post('/api/v1/contracts/call', { schema: { hide: true } }, refuse);
}
