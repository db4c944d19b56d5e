// Child process of the benchmarks: Fastify that answers hello, after reading the body of a POST.
import { once } from 'node:events';
import Fastify from 'fastify';

const app = Fastify({ logger: false });
app.addContentTypeParser('application/protobuf', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.post('/hello', async () => ({ hello: 'world' }));
app.get('/hello', async () => ({ hello: 'world' }));
app.get('/cpu', async () => {
  const { system, user } = process.cpuUsage();
  return { seconds: (user + system) / 1e6 };
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as { port: number };
process.stdout.write(`http://127.0.0.1:${port}\n`);
process.stdin.resume();
await once(process.stdin, 'close');
await app.close();
