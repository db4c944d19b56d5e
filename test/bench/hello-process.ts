// Child process of the benchmarks: Fastify that answers hello, after reading the body of a POST.
import Fastify from 'fastify';
import { serveCeiling } from './serve-ceiling.ts';

const app = Fastify({ logger: false });
app.addContentTypeParser('application/protobuf', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.get('/hello', async () => ({ hello: 'world' }));
app.post('/hello', async () => ({ hello: 'world' }));
await serveCeiling(app);
